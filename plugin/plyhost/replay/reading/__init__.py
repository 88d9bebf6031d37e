"""Archives of every make: which files, which lines, which games in them."""
