"""Game files as plain data: squares, notation, .psq, .sgf, moves as text, openings.

Knows no rule of play and no engine. Each reader has a writer that is its inverse. A reader raises
FormatError, which names the line and what was expected; whether a move is legal is for others.
"""
