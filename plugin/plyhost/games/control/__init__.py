"""Control: its rules and its words."""
