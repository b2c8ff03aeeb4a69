"""Runs the programs that fit a network (network.c, policy.c) to files of games.

A fit that is interrupted continues with the same command, from its state.
"""

import hashlib
import signal
import subprocess
from pathlib import Path
from typing import NoReturn

from training.signals import handling
from training.textfile import replace_text


class Stopped(BaseException):
    """A signal stopped the program. No handler of errors may swallow it."""

    def __init__(self, number: int) -> None:
        """Takes the number of the signal."""
        super().__init__(number)
        self.status = 128 + number


def stop(number: int) -> NoReturn:
    """Handles a signal. Raises Stopped."""
    raise Stopped(number)


def list_files(listed: Path, files: tuple[Path, ...] | list[Path]) -> list[str]:
    """Writes the list of files; returns the arguments that make it the input of a fit."""
    replace_text(listed, "".join(f"{path}\n" for path in files))
    return ["--games", str(listed)]


def run_fit(command: list[str]) -> None:
    """Runs a fit. On SIGTERM and SIGINT it writes its state and ends.

    Raises CalledProcessError, and Stopped if the program or the fit alone was stopped.
    """
    numbers: list[int] = []
    running: subprocess.Popen[bytes] | None = None

    def end(number: int) -> None:
        numbers.append(number)
        if running:
            running.terminate()

    with handling(end):
        running = subprocess.Popen(command)
        if numbers:
            running.terminate()
        code = running.wait()
    signals = (signal.SIGINT, signal.SIGTERM)
    ends = {128 + n: n for n in signals} | {-n: n for n in signals}
    if code and code not in ends:
        raise subprocess.CalledProcessError(code, command)
    if numbers or code:
        raise Stopped(numbers[0] if numbers else ends[code])


def is_done(target: Path, note: Path, made_from: str) -> bool:
    """Says whether the target was made from exactly this input."""
    return target.exists() and note.exists() and note.read_text() == made_from


def fit_games(command: list[str], target: Path, files: list[Path], made_from: str) -> None:
    """Fits a network unless it is done; an interrupted fit continues.

    It is done if the target was made from exactly this input. Raises CalledProcessError if a file
    is damaged or the state is of another input, and Stopped.
    """
    note, state = target.with_suffix(".games"), target.with_suffix(".state")
    if not is_done(target, note, made_from):
        note.unlink(missing_ok=True)
        games = list_files(target.with_suffix(".list"), files)
        run_fit([*command, *games, "--state", str(state)])
        replace_text(note, made_from)
    state.unlink(missing_ok=True)


def input_of(epochs: int, below: list[Path], files: list[Path], out: Path) -> str:
    """Describes the input of a fit: the files on which it builds by their contents."""
    made_from = [hashlib.sha256(path.read_bytes()).hexdigest() for path in below]
    return "\n".join([str(epochs), *made_from, *(str(path.relative_to(out)) for path in files)])
