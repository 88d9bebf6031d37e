"""The arena: players meet in many games, and anyone can repeat what comes of it."""
