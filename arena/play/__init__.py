"""A board at the terminal on which people and engines play."""
