"""Asks a person for the choices of an opening by a rule."""

from collections.abc import Callable

from ..rules.opening_rules import (
    Choice,
    Decide,
    Declare,
    Offer,
    Opening,
    OpeningRuleError,
    Option,
    Pick,
    Put,
)
from .commands import InputError, Place, Places, read_command
from .notation import Notation
from .screen import Screen

__all__ = ["PersonAdviser"]


class PersonAdviser:
    """Asks a person for each choice until the rule accepts it."""

    def __init__(self, name: str, ask: Callable[[str], str], screen: Screen) -> None:
        """Takes the name for prompts; `ask` reads a line and raises EOFError at the end."""
        self._name = name
        self._ask = ask
        self._screen = screen

    @property
    def name(self) -> str:
        """Returns the person's name."""
        return self._name

    def choose(self, opening: Opening) -> Choice:
        """Returns a choice that the rule accepts."""
        self._screen.stones(opening.position())
        notation = self._screen.notation(opening.size)
        while True:
            line = self._ask(f"{self._name}: {_wanted(opening, notation)}> ").strip()
            if line.lower() in ("quit", "exit"):
                raise EOFError
            if not line:
                continue
            try:
                choice = _read(opening, line)
                opening.answer(choice)
            except (OpeningRuleError, InputError) as error:
                self._screen.say(str(error))
            else:
                return choice


def _wanted(opening: Opening, notation: Notation) -> str:
    """Returns the prompt for the next choice."""
    step = opening.ask.step
    match step:
        case Put(zone=zone, outside=outside):
            place = "outside the central" if outside else "central"
            where = "" if zone is None else f", {place} {zone}x{zone}"
            return f"stone {len(opening.stones) + 1} ({opening.ask.color.value}{where})"
        case Decide():
            color = opening.color_of(opening.ask.seat).value
            options = " or ".join(option for option, _ in step.options)
            return f"you have {color}: {options}"
        case Declare():
            return f"number of fifth moves, {step.least} to {step.most}"
        case Offer():
            return f"{opening.offer_count} fifth moves"
        case Pick():
            return "pick " + " or ".join(notation.name(point) for point in opening.offers)


def _read(opening: Opening, line: str) -> Choice:
    """Reads a choice; raises InputError if the line is no such choice."""
    step = opening.ask.step
    if isinstance(step, Decide):
        fitting = [option for option, _ in step.options if option.startswith(line.lower())]
        if len(fitting) == 1:
            return Option(fitting[0])
        raise InputError(f"expected {' or '.join(option for option, _ in step.options)}")
    if isinstance(step, Declare):
        if line.isascii() and line.isdigit() and len(line) < 4:
            return int(line)
        raise InputError(f"expected a number from {step.least} to {step.most}")
    match read_command(line, opening.size):
        case Place(point=point):
            return (point,) if isinstance(step, Offer) else point
        case Places(points=points) if isinstance(step, Offer):
            return points
    raise InputError(
        "expected squares, e.g. h8" if isinstance(step, Offer) else "expected a square"
    )
