"""What a game is, the games at hand, and the rules of each."""
