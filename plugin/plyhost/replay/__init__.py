"""Archives of any length replayed, counted and reported."""
