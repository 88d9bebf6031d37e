"""Pictures of the render JSON: SVG, PNG and film.  Nothing here knows a game."""
