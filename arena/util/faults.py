"""Faults of a brain, as a manager judges them."""

import enum

__all__ = ["BrainFault", "CannotStartError", "Fault"]


class Fault(enum.Enum):
    """The kinds of faults. Each loses the game for the brain."""

    TIME = "time"
    CRASH = "crash"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    ILLEGAL = "illegal"


class BrainFault(Exception):
    """A fault of a brain: its kind, a sentence for people, and the delay of a late answer."""

    def __init__(self, kind: Fault, detail: str, *, over_ms: float | None = None) -> None:
        """Takes the kind, the sentence, and the ms by which a late answer missed its limit."""
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail
        self.over_ms = over_ms


class CannotStartError(BrainFault):
    """The operating system cannot run the command."""

    def __init__(self, detail: str) -> None:
        """Takes a sentence with the command and the reason."""
        super().__init__(Fault.CRASH, detail)
