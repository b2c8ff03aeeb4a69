"""The rules by number and name, as files, command lines and leagues write them."""

import re

__all__ = ["RULE_NAMES", "SGF_GAMES", "rule_name", "rule_named"]

SGF_GAMES: dict[str, int | None] = {"4": None, "5": 4}
"""The supported games of .sgf (GM), and the rule of a file that names none.

4 is Gomoku and Renju. 5 is another game by definition, but programs of renju servers (ORC,
RenjuBase, ZJRenju) write it for renju.
"""

RULE_NAMES: dict[int, str] = {
    0: "freestyle",
    1: "standard",
    4: "renju",
    8: "caro",
    9: "caro standard",
    16: "ninuki",
    32: "pente",
    64: "keryo",
}
"""The number of each rule in the protocol, and its name."""

# Names in files of others. Some files name an opening rule only, which implies a rule: RIF's
# openings belong to renju.
_ALIASES: dict[str, int] = {
    "free": 0,
    "free style": 0,
    "gomoku": 0,
    "fastgame": 0,
    "five in a row": 0,
    "gomoku standard": 1,
    "gomoku free": 0,
    "gomoku freestyle": 0,
    "exact five": 1,
    "exactly five": 1,
    "unlimited": 1,
    "experimental": 1,
    "rif": 4,
    "sakata": 4,
    "soosorv": 4,
    "soosyrv": 4,
    "tarannikov": 4,
    "taraguchi": 4,
    "yamaguchi": 4,
    "standard caro": 9,
    "ninuki renju": 16,
    "keryo pente": 64,
}
_KNOWN = {**_ALIASES, **{name: number for number, name in RULE_NAMES.items()}}


def rule_name(number: int) -> str:
    """Returns the name of a rule."""
    return RULE_NAMES[number]


def rule_named(text: str) -> int | None:
    """Returns the number of the rule in a text; None if it has none.

    The text may be a number. Text after a name is ignored, as in `Freestyle15_1` of Gomocup,
    `Soosyrv-8` or `Renju (RIF)`.
    """
    number = text.strip()
    if re.fullmatch(r"[0-9]{1,3}", number):
        return int(number) if int(number) in RULE_NAMES else None
    words = re.findall(r"[a-z]+", text.lower())
    for count in range(len(words), 0, -1):
        found = _KNOWN.get(" ".join(words[:count]))
        if found is not None:
            return found
    return None
