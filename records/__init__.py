"""Game files as plain data: squares, notation, .psq, .sgf, moves as text, openings.

The package knows neither rules nor engines. Each reader has a writer that is its inverse. A reader
raises FormatError with the line and the expectation. It does not check whether moves are legal.
"""
