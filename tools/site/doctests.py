"""Shows the examples of docstrings (`>>> ...`) as code in the API page."""

import re
from typing import Any, Final

import griffe

_EXAMPLE: Final = re.compile(r"^(?: *>>> .*\n?(?:(?! *$).*\n?)*)", re.M)


def fenced(text: str) -> str:
    """Returns a docstring with a fence around each example, up to its next empty line."""
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```\n", text)


class Doctests(griffe.Extension):  # type: ignore[misc] # griffe has no types here
    """Puts the fences into every docstring that is read."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Takes one object of the API."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
