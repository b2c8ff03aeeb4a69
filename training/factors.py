"""The factors of a screen: parameters of the search with two values each, read from its config."""

from dataclasses import dataclass
from typing import Any

from training.search_games import check_values


@dataclass(frozen=True)
class Factor:
    """A parameter or a group of parameters: their current values and the alternatives."""

    name: str
    current: dict[str, int]
    alternative: dict[str, int]

    def change(self) -> str:
        """Returns what the alternative changes, as a report shows it."""
        if list(self.current) != [self.name]:
            return f"{len(self.current)} values"
        return f"{self.current[self.name]:6} -> {self.alternative[self.name]:6}"


def whole_number(config: dict[str, Any], name: str, least: int) -> int:
    """Returns a number of the config. Raises ValueError, or KeyError without it."""
    value = config[name]
    if type(value) is not int or value < least:
        raise ValueError(f"{name}: a whole number from {least} up, not {value!r}")
    return value


def read_factor(name: str, row: object) -> Factor:
    """Reads a factor: two values, or a table of parameters with two each. Raises ValueError."""
    rows: dict[str, object] = row if isinstance(row, dict) else {name: row}
    if not rows:
        raise ValueError(f"{name}: a group with at least one parameter")
    current, alternative = {}, {}
    for of, values in rows.items():
        match values:
            case [int(one), int(two)] if one != two and bool not in (type(one), type(two)):
                current[of], alternative[of] = one, two
            case _:
                raise ValueError(f"{of}: [current value, another value], not {values!r}")
    return Factor(name, current, alternative)


def read_factors(rows: object) -> list[Factor]:
    """Reads the factors. Raises ValueError."""
    if not isinstance(rows, dict) or not rows:
        raise ValueError("factors: a table with at least one parameter")
    factors = [read_factor(name, row) for name, row in rows.items()]
    values: dict[str, tuple[int, ...]] = {}
    for factor in factors:
        for name in factor.current:
            if name in values:
                raise ValueError(f"{name}: in two factors")
            values[name] = factor.current[name], factor.alternative[name]
    check_values(values)
    return factors


def read_fixed(rows: object, factors: list[Factor]) -> dict[str, int]:
    """Reads the parameters that both sides have. Raises ValueError."""
    if not isinstance(rows, dict):
        raise ValueError("fixed: a table of parameters")
    for name, value in rows.items():
        if type(value) is not int:
            raise ValueError(f"{name}: a whole number, not {value!r}")
        if any(name in factor.current for factor in factors):
            raise ValueError(f"{name}: in [fixed] and in [factors]")
    check_values({name: (value,) for name, value in rows.items()})
    return dict(rows)
