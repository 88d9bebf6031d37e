"""Who is let in, how much each may ask, and how many at once."""
