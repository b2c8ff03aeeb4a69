"""The weights files of a user: one file, or a folder that holds one for each rule.

A weights file (`RULE.tgw`) holds the trained numbers of one rule; docs/weights.md describes it.
"""

import os
from typing import Final

from pyengine import _native
from pyengine.errors import WeightsError, WrongTypeError
from pyengine.types import Rule

SUFFIX: Final = ".tgw"
# Far above any weights file; a device or a wrong file is not read to its end.
_LARGEST: Final = 1 << 26

# os.path, because pathlib would add 15 ms to every start of the executable.


class WeightsFiles:
    """The files that an engine plays with instead of the built-in weights.

    path: a file, whose rule is then the only one that can be played, or a folder with files of the
    names freestyle.tgw, standard.tgw, renju.tgw, caro.tgw, caro_standard.tgw, ninuki.tgw,
    pente.tgw and keryo.tgw.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not isinstance(path, str | os.PathLike):
            raise WrongTypeError(f"weights must be a path, not {type(path).__name__}")
        self._path = os.path.abspath(os.fspath(path))  # noqa: PTH100
        self._is_folder = os.path.isdir(self._path)  # noqa: PTH112

    def first_rule(self) -> Rule:
        """The rule to begin with: that of the only file, else freestyle. Raises WeightsError."""
        if not self._is_folder:
            return self._read(self._path)[1]
        present = [rule for rule in Rule if os.path.exists(self._path_of(rule))]  # noqa: PTH110
        return present[0] if len(present) == 1 else Rule.FREESTYLE

    def read(self, rule: Rule) -> bytes:
        """The contents of a rule's file, checked. Raises WeightsError, which names the file."""
        path = self._path_of(rule) if self._is_folder else self._path
        data, found = self._read(path)
        if found is not rule:
            raise WeightsError(f"{path}: weights for {_named(found)}, not for {_named(rule)}")
        return data

    def _path_of(self, rule: Rule) -> str:
        return os.path.join(self._path, rule.name.lower() + SUFFIX)  # noqa: PTH118

    def _read(self, path: str) -> tuple[bytes, Rule]:
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                data = file.read(_LARGEST + 1)
        except (OSError, ValueError) as error:  # ValueError: a null byte in the path
            reason = getattr(error, "strerror", None) or error
            raise WeightsError(f"{path}: cannot be read: {reason}") from None
        if len(data) > _LARGEST:
            raise WeightsError(f"{path}: more than {_LARGEST >> 20} MiB, not a weights file")
        try:
            return data, _native.check_weights(data)
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from None


def _named(rule: Rule) -> str:
    return f"rule {rule.value} ({rule.name.lower()})"
