"""Reviews of games: what each position was worth, by any engine, and where the game turned."""
