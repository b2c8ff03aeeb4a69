"""Standard output and errors of the arena's programs, and the exit of each program.

A stream cannot break a program. Characters that an encoding lacks are escaped, and output to a
closed stream is dropped. If the reader of a pipe is gone, the program ends with a code of
`arena.util.exits`.
"""

import argparse
import codecs
import contextlib
import errno
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from .exits import Exit

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

__all__ = ["Parser", "complain", "is_broken_pipe", "run_program", "say", "shown"]

_SPELLED = "arena.spelled"
"""The name of the error handler that escapes characters."""
_PLAIN = {"±": "+-", "½": "1/2", "·": ".", "…": "...", "–": "-", "\xa0": " "}  # noqa: RUF001
_NO_BREAK = "\xa0"
_MESSAGE_HEAD, _MESSAGE_TAIL = 700, 300
"""The numbers of characters shown of a longer message, which may quote an argument."""


def shown(text: str) -> str:
    """Returns a text as one line; characters that terminals do not print are escaped, as \\x1b."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == _NO_BREAK else _escaped(c) for c in text)


def say(*lines: str) -> None:
    """Prints lines on standard output and flushes; control characters are escaped."""
    _print(lines, sys.stdout)


def complain(*lines: str) -> None:
    """Prints lines on standard error; control characters are escaped, long lines shortened."""
    _print([_shortened(line) for line in lines], sys.stderr)


def _print(lines: "list[str] | tuple[str, ...]", stream: TextIO | None) -> None:
    if stream is not None:  # otherwise print() would use standard output
        print("\n".join(shown(line) for line in lines), file=stream, flush=True)


def _shortened(text: str) -> str:
    if len(text) <= _MESSAGE_HEAD + _MESSAGE_TAIL:
        return text
    return f"{text[:_MESSAGE_HEAD]} [...] {text[-_MESSAGE_TAIL:]}"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class Parser(argparse.ArgumentParser):
    """Parses arguments. Its messages have no control characters and a limited length."""

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Prints the help; raises OSError if it cannot be written, which argparse ignores."""
        (sys.stdout if file is None else file).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Prints what is wrong and exits with code 2."""
        super().error(shown(_shortened(message)))


def run_program(run: Callable[[], int], name: str = "tengen-arena") -> int:
    """Runs a program's `main` and returns its exit code; raises nothing.

    SIGTERM and Ctrl-C unwind the stack: every `finally` runs, and no brain stays behind. An error
    of the system is reported in one line. An error of the arena itself comes with its traceback.
    """
    _prepare_streams()
    with contextlib.suppress(ValueError):  # only the main thread may set signal handlers
        signal.signal(signal.SIGTERM, _terminate)
    try:
        code = run()
        _flush()
        return code
    except SystemExit as end:
        return _left(end)
    except BaseException as error:
        return _broken(error, name)


def _prepare_streams() -> None:
    """Makes both streams accept every text. A closed stream discards it."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_SPELLED)
            # A full pipe must block, not raise an error.
            with contextlib.suppress(OSError, ValueError):
                os.set_blocking(stream.fileno(), True)


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(c) or _escaped(c) for c in lost), error.end


codecs.register_error(_SPELLED, _spell)


def _terminate(*_: object) -> NoReturn:
    """Unwinds the stack. A second signal does nothing, because the brains are being ended."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(Exit.TERMINATED)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _left(end: SystemExit) -> int:
    """Returns the exit code of a program that left by `sys.exit`, as argparse does."""
    try:
        _flush()
    except OSError as error:
        if end.code in (None, 0):  # nobody read the help
            return _broken(error, "tengen-arena")
        _forget_unread(probe="")
    if isinstance(end.code, str):
        complain(end.code)
        return Exit.BROKE_DOWN
    return Exit.DONE if end.code is None else end.code


def _broken(error: BaseException, name: str) -> int:
    """Reports why a program failed; returns its exit code."""
    broken = is_broken_pipe(error)
    # Buffered output that cannot be written must not hide another exit code.
    if _forget_unread(probe="\n" if broken else "") and broken:
        return Exit.NOBODY_READS
    with contextlib.suppress(OSError):
        if isinstance(error, KeyboardInterrupt):
            complain("stopped")
            return Exit.STOPPED
        if isinstance(error, MemoryError):
            complain(f"{name}: out of memory")
        elif isinstance(error, OSError):
            complain(f"{name}: {error}")
        else:
            traceback.print_exception(error)
            complain(f"{name}: this is a bug of the arena; finished games are kept")
    return Exit.BROKE_DOWN


def is_broken_pipe(error: BaseException) -> bool:
    """Says whether an error means that the reader of a pipe is gone. Windows reports EINVAL."""
    if os.name == "nt" and isinstance(error, OSError) and error.errno == errno.EINVAL:
        return True
    return isinstance(error, BrokenPipeError)


def _forget_unread(probe: str) -> bool:
    """Says whether nobody reads standard output or errors; discards what is buffered for them.

    The broken pipe may be an engine's, so only a test write shows it. Standard error is not
    buffered beyond a flush.
    """
    asked = ((sys.stdout, probe), (sys.stderr, ""))
    unread = [stream for stream, text in asked if stream is not None and not _takes(stream, text)]
    for stream in unread:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return bool(unread)


def _takes(stream: TextIO, text: str) -> bool:
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        return False
    return True
