"""Boards and sets of cells: what every game stands on."""
