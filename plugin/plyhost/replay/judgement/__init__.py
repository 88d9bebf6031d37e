"""One game, one verdict, in a process that may be lost."""
