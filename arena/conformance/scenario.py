"""A scenario: a short conversation with one brain, and its result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from ..engines.scratch import temporary_folder
from .talk import LF, Note, Over, Talk
from .topics import Topic
from .verdicts import FOUR, Found, Manager, Verdict, worst
from .wire import Wire

__all__ = ["Collection", "Options", "Result", "Scenario", "find", "run_scenario"]

SECOND_ANSWER_S = 0.05
"""The wait for a second answer to the last request, in seconds."""
_LETTERS = dict(zip("PGCL", FOUR, strict=True))


@dataclass(frozen=True)
class Options:
    """Holds how to start the brain, and the longest wait for an answer without a limit.

    `announced` names the extensions that the brain must support.
    """

    command: tuple[str, ...]
    cwd: Path | None = None
    patience_s: float = 5.0
    announced: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scenario:
    """Describes one scenario.

    `asked_by` are the managers that may send this to a brain; only they judge it. `extension` names
    an optional extension. `elsewhere` starts the brain in an empty folder, if its command has no
    arguments.
    """

    id: str
    title: str
    topic: Topic
    asked_by: tuple[Manager, ...]
    play: Callable[[Talk, Options], None]
    line_end: str = LF
    extension: str = ""
    listen: bool = True
    elsewhere: bool = False

    def judges(self, options: Options) -> tuple[Manager, ...]:
        """Returns the managers that judge under these options."""
        if self.extension and self.extension in options.announced:
            return (*self.asked_by, Manager.ANNOUNCED)
        return self.asked_by


@dataclass(frozen=True)
class Result:
    """Holds the result of a scenario."""

    scenario: Scenario
    verdicts: dict[Manager, Verdict]
    founds: tuple[Found, ...]
    remarks: tuple[str, ...]
    talk: tuple[Note, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """Returns the worst verdict."""
        return max(self.verdicts.values(), default=Verdict.NOT_ASKED)

    @property
    def is_noted(self) -> bool:
        """Says whether there is an oddity to report, judged or not."""
        return bool(self.founds)


class Collection:
    """Collects the scenarios of one module in order."""

    def __init__(self) -> None:
        """Creates an empty collection."""
        self.scenarios: list[Scenario] = []

    def add(
        self,
        id: str,
        title: str,
        topic: Topic,
        asked_by: str,
        *,
        line_end: str = LF,
        extension: str = "",
        listen: bool = True,
        elsewhere: bool = False,
    ) -> Callable[[Callable[[Talk, Options], None]], Callable[[Talk, Options], None]]:
        """Adds the decorated function; `asked_by` has the initials of managers, from PGCL."""
        judges = tuple(_LETTERS[letter] for letter in asked_by)

        def take(play: Callable[[Talk, Options], None]) -> Callable[[Talk, Options], None]:
            self.scenarios.append(
                Scenario(id, title, topic, judges, play, line_end, extension, listen, elsewhere)
            )
            return play

        return take


def run_scenario(scenario: Scenario, options: Options) -> Result:
    """Starts the brain, plays the scenario, and ends all processes; raises CannotStartError."""
    if scenario.elsewhere and len(options.command) > 1:
        why = "not run: only for an executable without arguments"
        return Result(scenario, {}, (), (why,), (), 0.0)
    with temporary_folder("conform-") as folder:
        cwd = folder if scenario.elsewhere else options.cwd
        return _play(scenario, options, cwd)


def _play(scenario: Scenario, options: Options, cwd: Path | None) -> Result:
    began = monotonic()
    wire = Wire(options.command, cwd, listen=scenario.listen)
    talk = Talk(wire, line_end=scenario.line_end, patience_s=options.patience_s)
    try:
        scenario.play(talk, options)
        if not talk.is_over:
            talk.drain(SECOND_ANSWER_S)
    except Over:
        pass
    finally:
        wire.kill()
    founds = tuple(talk.founds.values())
    return Result(
        scenario=scenario,
        verdicts={who: worst(founds, who) for who in scenario.judges(options)},
        founds=founds,
        remarks=tuple(talk.remarks),
        talk=tuple(talk.notes),
        seconds=round(monotonic() - began, 2),
    )


def find(scenarios: Sequence[Scenario], wanted: Sequence[str]) -> list[Scenario]:
    """Returns the scenarios with the given ids; `end-` stands for all ids that begin with it.

    Raises KeyError with the first unknown id.
    """
    if not wanted:
        return list(scenarios)
    for word in wanted:
        if not any(scenario.id == word or scenario.id.startswith(word) for scenario in scenarios):
            raise KeyError(word)
    exact = {scenario.id for scenario in scenarios} & set(wanted)
    return [
        scenario
        for scenario in scenarios
        if scenario.id in exact
        or any(word not in exact and scenario.id.startswith(word) for word in wanted)
    ]
