"""What follows from what, and the forms in which a game is stored."""
