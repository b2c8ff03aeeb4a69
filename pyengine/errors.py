"""The exceptions: one root, and each leaf is also the builtin that a caller would expect."""


class EngineError(Exception):
    """Anything that the engine refuses or cannot do."""


class WrongTypeError(EngineError, TypeError):
    """A value of a type that the call does not take."""


class OutOfRangeError(EngineError, ValueError):
    """A number outside its range."""


class OptionError(EngineError, ValueError):
    """No option of that name, or a value that it does not take."""


class WeightsError(EngineError, ValueError):
    """A weights file that cannot be used; the text says which, and what is wrong with it."""


class IllegalMoveError(EngineError, ValueError):
    """A square that may not be played; the subclass says why."""


class NotASquareError(IllegalMoveError, TypeError):
    """Something that is no pair of integers."""


class OffBoardError(IllegalMoveError):
    """A square outside the board."""


class OccupiedError(IllegalMoveError):
    """A square that holds a stone, or is named twice."""


class ForbiddenError(IllegalMoveError):
    """A square that the rule forbids to the side to move."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class NoUndoError(EngineError, IndexError):
    """Nothing to take back."""


class NoMoveError(EngineError, RuntimeError):
    """The side to move has no legal square."""


class ClosedError(EngineError, RuntimeError):
    """A call on an engine that was closed."""


class BusyError(EngineError, RuntimeError):
    """A call from a signal handler, on the engine whose search the handler has interrupted."""


class OutOfMemoryError(EngineError, MemoryError):
    """The core could not get the memory that it needs."""


class LibraryError(EngineError, OSError):
    """The core's library is missing, damaged or of another version."""


_MEANINGS: dict[str, tuple[type[EngineError], str]] = {
    "TG_ERR_ARGUMENT": (OutOfRangeError, "a value is out of its range"),
    "TG_ERR_SIZE": (OutOfRangeError, "no such board size"),
    "TG_ERR_RULE": (OutOfRangeError, "no such rule"),
    "TG_ERR_MEMORY": (OutOfMemoryError, "out of memory"),
    "TG_ERR_OFF_BOARD": (OffBoardError, "off the board"),
    "TG_ERR_OCCUPIED": (OccupiedError, "occupied, or named twice"),
    "TG_ERR_FORBIDDEN": (
        ForbiddenError,
        "forbidden for the side to move (renju: overline, double four or double three; "
        "ninuki: double three)",
    ),
    "TG_ERR_GAME_OVER": (GameOverError, "the game is over"),
    "TG_ERR_NO_UNDO": (NoUndoError, "nothing to take back"),
    "TG_ERR_NO_MOVE": (NoMoveError, "the side to move has no legal square"),
    "TG_ERR_OPTION": (OptionError, "no such option, or a value that it does not take"),
    "TG_ERR_WEIGHTS": (WeightsError, "no weights for the rule, or not a weights file"),
}


def check(status: str, subject: str = "") -> None:
    """Raises what a status of the core stands for, by its name in `tengen.h`; `TG_OK` passes.

    subject: the value that the call was about, put in front of the message.
    """
    if status == "TG_OK":
        return
    kind, text = _MEANINGS.get(status, (EngineError, f"the core answered {status}"))
    raise kind(f"{subject}: {text}" if subject else text)
