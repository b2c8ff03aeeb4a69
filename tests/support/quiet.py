"""A position without threats, in which a search goes on."""

BLACK, WHITE = [(7, 7), (9, 6)], [(8, 8), (6, 8)]
