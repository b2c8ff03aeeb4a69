"""Named conditions of play: the leagues of Gomocup, and rules with captures.

If a league has two groups, the preset has the shorter times: those of the second group and of
Gomocup's test of entries. Other values are those of the league's finals.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..rules.referee import Rule

__all__ = ["PRESETS", "Preset", "preset_named", "preset_table"]

MEMORY_MIB = 350
TOLERANCE_MS = 1000


@dataclass(frozen=True)
class Preset:
    """Holds board, rule, clocks, memory and tolerance; `like` names the imitated manager."""

    name: str
    text: str
    size: int
    rule: Rule
    turn_ms: int = 30_000
    match_ms: int = 180_000
    memory_mib: int = MEMORY_MIB
    tolerance_ms: int = TOLERANCE_MS
    like: str = "gomocup"


_FINAL = (300_000, 1_000_000)
# Gomocup announces the league under Piskvork's rule 9. Its referee is documented and tested with
# rule 8. Both presets exist.
_ALL = (
    Preset("freestyle20", "Gomocup's freestyle, second group", 20, Rule.FREESTYLE),
    Preset("freestyle15", "Gomocup's freestyle on the small board", 15, Rule.FREESTYLE),
    Preset("fastgame", "Gomocup's fast league", 20, Rule.FREESTYLE, 5_000, 120_000),
    Preset("standard", "Gomocup's standard, second group", 15, Rule.STANDARD),
    Preset("renju", "Gomocup's renju league", 15, Rule.RENJU, *_FINAL),
    Preset("caro", "Gomocup's caro by its referee's rule", 15, Rule.CARO, *_FINAL),
    Preset("caro9", "Gomocup's caro by the announced rule", 15, Rule.CARO_STANDARD, *_FINAL),
    Preset("ninuki", "Ninuki-renju (only in this arena)", 19, Rule.NINUKI, like="strict"),
    Preset("pente", "Pente (only in this arena)", 19, Rule.PENTE, like="strict"),
    Preset("keryo", "Keryo-Pente (only in this arena)", 19, Rule.KERYO, like="strict"),
)

PRESETS = {preset.name: preset for preset in _ALL}


def preset_named(name: str) -> Preset:
    """Returns a preset; raises ValueError with the known names."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset: {name!r}; known: {', '.join(PRESETS)}")
    return PRESETS[name]


def preset_table(presets: Iterable[Preset] = _ALL) -> list[str]:
    """Returns one line for each preset, for a help text."""
    return [
        f"{preset.name:<12} {preset.size}x{preset.size} rule {int(preset.rule):<2} "
        f"{preset.turn_ms / 1000:>3g} s a move, {preset.match_ms / 1000:>4g} s a game"
        f"  {preset.text}"
        for preset in presets
    ]
