"""A board to play on at the terminal: people and engines as players of one game."""
