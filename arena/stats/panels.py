"""A picture of named rows: panels side by side, with bars, or with points and their errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["Bars", "Points", "picture"]

ROW = 24
TOP = 46
NAMES = 170
PANEL = 210
GAP = 34
FONT = "font-family='sans-serif' font-size='12'"
INK, BAR, LINE, GRID = "#222222", "#4878a8", "#b04030", "#d8d8d8"


@dataclass(frozen=True)
class Bars:
    """A panel of bars from 0. None: a row without a value. form: the format of the figures."""

    title: str
    values: tuple[float | None, ...]
    form: str

    def draw(self, left: float) -> list[str]:
        """Returns the parts of the picture. The longest bar leaves room for its figure."""
        most = max((value for value in self.values if value is not None), default=0.0) or 1.0
        parts = [_words(left, TOP - 16, self.title)]
        for row, value in enumerate(self.values):
            y = TOP + ROW * row
            if value is None:
                parts.append(_words(left, y + 16, "-"))
                continue
            long = value / most * (PANEL - 60)
            parts.append(
                f"<rect x='{left:.1f}' y='{y + 4}' width='{long:.1f}' height='{ROW - 8}' "
                f"fill='{BAR}'/>"
            )
            parts.append(_words(left + long + 5, y + 16, format(value, self.form)))
        return parts


@dataclass(frozen=True)
class Points:
    """A panel of values with the ends of their intervals: (value, least, most). None: no value.

    form: the format of the figures. has_zero: the scale includes 0, with a line there.
    """

    title: str
    values: tuple[tuple[float, float, float] | None, ...]
    form: str = "+.0f"
    has_zero: bool = True

    def draw(self, left: float) -> list[str]:
        """Returns the parts of the picture."""
        found = [(row, value) for row, value in enumerate(self.values) if value is not None]
        ends = [end for _, value in found for end in value]
        ends += [0.0] if self.has_zero or not ends else []
        low, high = min(ends), max(ends)
        scale = PANEL / ((high - low) or 1.0)
        zero = left - low * scale
        bottom = TOP + ROW * len(self.values)
        parts = [_words(left, TOP - 16, self.title)]
        if self.has_zero:
            parts.append(f"<path d='M{zero:.1f} {TOP - 6}V{bottom}' stroke='{GRID}'/>")
            parts.append(_words(zero, TOP - 2, "0", "middle"))
        for row, (value, least, most) in found:
            y = TOP + ROW * row + ROW / 2
            start, end = (zero + bound * scale for bound in (least, most))
            middle = zero + value * scale
            parts.append(
                f"<path d='M{start:.1f} {y}H{end:.1f}' stroke='{LINE}' stroke-width='1.5'/>"
            )
            parts.append(f"<circle cx='{middle:.1f}' cy='{y}' r='4' fill='{LINE}'/>")
            side = "end" if middle > left + PANEL / 2 else "start"
            parts.append(_words(middle, y - 6, format(value, self.form), side))
        return parts


def picture(
    title: str, names: Sequence[str], panels: Sequence[Bars | Points], *, width: float = NAMES
) -> str:
    """Returns an SVG with a row for each name. width: of the names, in units of the picture.

    Raises ValueError for a panel with another number of values.
    """
    for panel in panels:
        if len(panel.values) != len(names):
            raise ValueError(f"{panel.title}: {len(panel.values)} values for {len(names)} rows")
    whole = width + len(panels) * (PANEL + GAP)
    height = TOP + ROW * len(names) + 16
    rows = [_words(width - 10, TOP + ROW * i + 16, name, "end") for i, name in enumerate(names)]
    drawn = [panel.draw(width + i * (PANEL + GAP)) for i, panel in enumerate(panels)]
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {whole} {height}' "
        f"width='{whole}' height='{height}' role='img'>",
        f"<title>{escape(title)}</title>",
        f"<rect width='{whole}' height='{height}' fill='#ffffff'/>",
        *rows,
        *(part for panel in drawn for part in panel),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _words(x: float, y: float, text: str, anchor: str = "start") -> str:
    return (
        f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' fill='{INK}' {FONT}>"
        f"{escape(text)}</text>"
    )
