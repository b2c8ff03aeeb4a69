"""What a brain can do wrong in a manager's eyes."""

import enum

__all__ = ["BrainFault", "CannotStartError", "Fault"]


class Fault(enum.Enum):
    """Names the kind of a fault; each loses the game for the brain that commits it."""

    TIME = "time"
    CRASH = "crash"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    ILLEGAL = "illegal"


class BrainFault(Exception):
    """Says what a brain did wrong: the kind, a sentence for people, and how late it was, if so."""

    def __init__(self, kind: Fault, detail: str, *, over_ms: float | None = None) -> None:
        """Takes the kind, the sentence, and by how many ms a late answer missed its limit."""
        super().__init__(f"{kind.value}: {detail}")
        self.kind = kind
        self.detail = detail
        self.over_ms = over_ms


class CannotStartError(BrainFault):
    """Says that the operating system would not run the command at all."""

    def __init__(self, detail: str) -> None:
        """Takes the sentence that says which command, and why not."""
        super().__init__(Fault.CRASH, detail)
