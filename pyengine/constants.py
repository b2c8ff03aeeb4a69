"""Numbers of csrc/include/tengen.h. build_constants.py writes this file."""

from typing import Final

MATE_SCORE: Final = 30000
MAX_CAPTURED: Final = 24
MAX_LEVEL: Final = 10
MAX_MEMORY_KIB: Final = 1073741824
MAX_PV: Final = 64
MAX_SIZE: Final = 22
MAX_THREADS: Final = 64
MIN_LEVEL: Final = 1
MIN_MEMORY_KIB: Final = 64
MIN_SIZE: Final = 5
PROVEN_SCORE: Final = 29488
RULE_CARO: Final = 8
RULE_CARO_STANDARD: Final = 9
RULE_FREESTYLE: Final = 0
RULE_KERYO: Final = 64
RULE_NINUKI: Final = 16
RULE_PENTE: Final = 32
RULE_RENJU: Final = 4
RULE_STANDARD: Final = 1
WIN_PAIRS: Final = 5
WIN_STONES: Final = 15
RULES_WITH_CAPTURES: Final = frozenset([16, 32, 64])
RULES_WITH_COUNTED_STONES: Final = frozenset([64])
RULES_WITH_FORBIDDEN_BLACK_MOVES: Final = frozenset([4, 16])
RULES_WITH_FORBIDDEN_WHITE_MOVES: Final = frozenset([16])
RULES_WITH_TRIPLES: Final = frozenset([64])
RULES_WITH_TWO_LAWS: Final = frozenset([4])
