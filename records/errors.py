"""The error of all readers of files."""

__all__ = ["FormatError", "quoted"]

_SHOWN = 40


class FormatError(ValueError):
    """A file cannot be read; the text names the file, the line and the expectation.

    `source` is the file, `line` counts from 1; either may be unknown. The text is `FILE:LINE:
    problem`, `line LINE: problem`, `FILE: problem` or `problem`.
    """

    def __init__(self, problem: str, *, line: int | None = None, source: str | None = None) -> None:
        """Creates the error for a place."""
        self.problem = problem
        self.line = line
        self.source = source
        if source is None:
            place = "" if line is None else f"line {line}: "
        else:
            place = f"{source}: " if line is None else f"{source}:{line}: "
        super().__init__(place + problem)

    def within(self, source: str) -> "FormatError":
        """Returns the error with the name of the file added, unless it has one."""
        if self.source is not None:
            return self
        return type(self)(self.problem, line=self.line, source=source)


def quoted(text: str) -> str:
    """Returns a text in quotes for a message: short, and in ASCII."""
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
