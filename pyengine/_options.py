"""Options by name: found under their old names too, and set within their bounds."""

from collections.abc import Iterable

from pyengine import _native
from pyengine._checks import show, whole
from pyengine._handle import Handle
from pyengine.errors import OptionError, WrongTypeError
from pyengine.types import Option, Rule


def checked_setting(name: str, value: int) -> int:
    """The value of an option as a number. Raises WrongTypeError."""
    if not isinstance(name, str):
        raise WrongTypeError(f"the name of an option must be a string, not {show(name)}")
    return whole(name, int(value) if isinstance(value, bool) else value)


def set_option(
    handle: Handle, name: str, number: int, rules: Iterable[Rule], options: list[Option]
) -> None:
    """Sets one of the options for the rules. Raises OptionError and sets nothing otherwise."""
    option = _find(name, options)
    if not option.minimum <= number <= option.maximum:
        raise OptionError(
            f"{name} must be from {option.minimum} to {option.maximum}, not {show(number)}"
        )
    for rule in rules:
        handle.set_option(name, number, rule)


def _find(name: str, options: list[Option]) -> Option:
    """The option of that name. Raises OptionError, with the most similar name, where none is."""
    present = _native.option_aliases().get(name, name)
    for option in options:
        if option.name == present:
            return option
    import difflib  # here, because it would cost every start of the executable some time

    near = difflib.get_close_matches(name[:80], [option.name for option in options], n=1)
    hint = f", did you mean {near[0]}?" if near else ""
    raise OptionError(f"{show(name)}: no such option{hint}")
