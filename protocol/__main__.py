"""Runs the engine as a program: `python -m protocol`, and the executable."""

import os
import signal
import sys
import time
from dataclasses import replace
from typing import Final

from protocol import log, memory, replies, stdio
from protocol.command_line import help_text
from protocol.commands import read_int, shown
from protocol.program_name import level_of
from protocol.settings import FULL_STRENGTH, LONGEST_DELAY_MS, Settings, read_delay
from protocol.tuning import OWN_KEYS, Host
from pyengine import Engine, EngineError, Rule, resident_bytes
from pyengine.constants import MAX_LEVEL, MIN_LEVEL
from pyengine.output import BROKEN, complain, printing

_HINT: Final = "waiting for Piskvork commands (try ABOUT, START 15, BEGIN); END quits"
# The loader of a one-file executable runs about this long before our own clock starts.
_UNPACK_MS: Final = 150.0


def _tell(arguments: list[str]) -> int | None:
    """Prints the help, the version or the bench; returns the exit status, None = no such option."""
    if arguments == ["--bench"]:
        from pyengine.__main__ import run as bench  # only here: it costs time to load

        return printing(bench)
    known = {
        "--help": help_text(),
        "-h": help_text(),
        "--version": replies.version(replies.STAMP) + "\n",
    }
    asked = [argument for argument in arguments if argument in known]
    if not asked:
        return None

    def tell() -> int:
        sys.stdout.write(known[asked[0]])
        return 0

    return printing(tell)


def _option(given: str) -> tuple[str, int]:
    """Reads NAME=VALUE of `--set`. Raises ValueError for anything else."""
    name, _, value = given.removeprefix("tune.").partition("=")
    number = read_int(value)
    if not name or number is None:
        raise ValueError(f"--set takes NAME=VALUE, not '{shown(given)}'")
    if name in OWN_KEYS:
        by = "--level" if name == "level" else f"INFO {OWN_KEYS[name]}"
        raise ValueError(f"--set {name}: use {by}")
    return name, number


def _level(given: str) -> int:
    """Reads the number of `--level`. Raises ValueError."""
    level = read_int(given)
    if level is None or not MIN_LEVEL <= level <= MAX_LEVEL:
        bounds = f"from {MIN_LEVEL} to {MAX_LEVEL}"
        raise ValueError(f"--level takes a number {bounds}, not '{shown(given)}'")
    return level


def _delay(given: str) -> tuple[int, int]:
    """Reads the time or range of `--delay`. Raises ValueError."""
    delay = read_delay(given)
    if delay is None:
        expected = f"from 0 to {LONGEST_DELAY_MS}, or a range such as 500-1200"
        raise ValueError(f"--delay takes a number {expected}, not '{shown(given)}'")
    return delay


def _program() -> str:
    """Returns the path of the executable, or of the command that Python installed."""
    return sys.executable if getattr(sys, "frozen", False) else sys.argv[0]


def _read(arguments: list[str]) -> tuple[Settings, str | None]:
    """Reads the command line into settings and the path of the weights.

    Raises ValueError for unknown options and bad values.
    """
    level: int | None = None
    delay = (0, 0)
    options: dict[str, int] = {}
    weights: str | None = None
    rest = iter(arguments)
    for name in rest:
        given = next(rest, "")
        if name == "--set":
            option, value = _option(given)
            options[option] = value
            continue
        if name == "--weights":
            if not given:
                raise ValueError("--weights takes the path of a weights file or of a folder")
            weights = given
            continue
        if name == "--bench":
            raise ValueError("--bench takes no other arguments: it measures the default settings")
        if name == "--delay":
            delay = _delay(given)
            continue
        if name != "--level":
            raise ValueError(f"unknown argument '{shown(name)}'")
        level = _level(given)
    named = level_of(_program())
    settings = Settings(
        level=level or named.level or FULL_STRENGTH,
        delay_ms=delay,
        options=options,
        start_note=named.note if level is None else None,
    )
    return settings, weights


def _apply(engine: Engine, options: dict[str, int]) -> None:
    """Sets the engine's options. Raises ValueError for an option that the engine rejects."""
    for name, value in options.items():
        try:
            engine.set_option(name, value, rules=Rule)
        except EngineError as error:
            raise ValueError(f"--set {shown(name)}={value}: {error}") from None


def is_one_file() -> bool:
    """Returns whether this is a one-file executable, unpacked to a folder `_MEIxxxxxx`."""
    return os.path.basename(getattr(sys, "_MEIPASS", "")).startswith("_MEI")  # noqa: PTH119


def host() -> Host:
    """Describes this process and its machine.

    The cost of the start is processor time. Wall time would include the time during which a
    manager suspends a new process.
    """
    one_file = is_one_file()
    physical = 0
    if sys.platform != "win32":
        try:
            physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
            cpus = len(os.sched_getaffinity(0))
        except (AttributeError, OSError, ValueError):
            cpus = os.cpu_count() or 1
    else:
        cpus = os.cpu_count() or 1
    return Host(
        resident=resident_bytes,
        startup_ms=time.process_time() * 1000 + (_UNPACK_MS if one_file else 0.0),
        one_file=one_file,
        physical=max(0, physical),
        cpus=cpus,
    )


def main() -> int:
    """Runs the engine; returns only after options such as `--help`, or without a usable core."""
    arguments = sys.argv[1:]
    if arguments and (status := _tell(arguments)) is not None:
        return status
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        settings, weights = _read(arguments)
        engine = Engine(weights=weights)
        # A manager names the rule after START: until then it is that of the file.
        settings = replace(settings, rule=engine.rule)
        _apply(engine, settings.options)
    except EngineError as error:
        reason = replies.error(str(error))

        def tell() -> int:
            sys.stdout.write(reason + "\n")
            return BROKEN

        return printing(tell)
    except ValueError as error:
        complain(f"{error}\n{help_text()}".rstrip("\n"))
        return 2
    if os.isatty(0):
        stdio.say(replies.message(_HINT))
    log.silence_stderr()
    memory.begin()
    return stdio.serve(engine, host(), settings)


if __name__ == "__main__":
    sys.exit(main())
