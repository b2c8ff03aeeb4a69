"""Formats the results of scenarios: lines for people, JSON for programs."""

import json
import shlex
from collections.abc import Sequence

from ..util.output import shown
from .scenario import Options, Result, Scenario
from .verdicts import FOUR, Found, Manager, Verdict

__all__ = ["columns", "header", "lines_of", "listing", "summary", "to_json"]

_ID_WIDTH = 22
_WIDTH = 14
_COLOURS = {Verdict.OK: "32", Verdict.NOTE: "33", Verdict.LOSS: "1;31"}
INDENT = "    "


def columns(options: Options) -> tuple[Manager, ...]:
    """Returns the managers of the table."""
    return (*FOUR, Manager.ANNOUNCED) if options.announced else FOUR


def header(options: Options) -> list[str]:
    """Returns the head of the table."""
    names = "".join(f"{who.value:<{_WIDTH}}" for who in columns(options))
    command = shown(shlex.join(options.command))
    return [f"engine: {command}", "", f"{'scenario':<{_ID_WIDTH}}{names}what"]


def lines_of(result: Result, options: Options, *, talk: bool, colour: bool) -> list[str]:
    """Returns the row of a scenario and its oddities; with `talk` also the whole conversation."""
    cells = "".join(_cell(result, who, colour=colour) for who in columns(options))
    lines = [f"{result.scenario.id:<{_ID_WIDTH}}{cells}{result.scenario.title}"]
    lines += [INDENT + _found_text(found, result) for found in result.founds]
    if talk or not result.talk:
        lines += [f"{INDENT}{remark}" for remark in result.remarks]
    if talk or result.verdict is Verdict.LOSS:
        lines += [f"{INDENT}{INDENT}{line}" for line in _talk_lines(result, whole=talk)]
    return lines


def _cell(result: Result, who: Manager, *, colour: bool) -> str:
    verdict = result.verdicts.get(who, Verdict.NOT_ASKED)
    text = f"{verdict.text:<{_WIDTH}}"
    if colour and verdict in _COLOURS:
        return f"\x1b[{_COLOURS[verdict]}m{text}\x1b[0m"
    return text


def _found_text(found: Found, result: Result) -> str:
    judged = {who: found.verdict(who) for who in result.verdicts}
    losing = [who.value for who, verdict in judged.items() if verdict is Verdict.LOSS]
    word = f"LOSS ({', '.join(losing)})" if losing else "note"
    if judged and max(judged.values()) is Verdict.OK:
        word = "ok"
    return f"{word}: {found.text} [topic: {found.oddity.topic.value}]"


def _talk_lines(result: Result, *, whole: bool) -> list[str]:
    """Returns the conversation, `>` to the brain and `<` from it; only its end unless `whole`."""
    notes = result.talk if whole else result.talk[-12:]
    lines = [f"{note.at_ms:>9.1f} ms  {note.mark} {note.text}" for note in notes]
    return lines if len(notes) == len(result.talk) else ["...", *lines]


def summary(results: Sequence[Result], options: Options) -> list[str]:
    """Returns the totals for each manager, and the scenarios with a LOSS."""
    lines = ["", f"{'manager':<{_ID_WIDTH}}{'ok':>5}{'notes':>7}{'losses':>8}"]
    for who in columns(options):
        verdicts = [result.verdicts.get(who, Verdict.NOT_ASKED) for result in results]
        lost = [r.scenario.id for r in results if r.verdicts.get(who) is Verdict.LOSS]
        numbers = [verdicts.count(v) for v in (Verdict.OK, Verdict.NOTE, Verdict.LOSS)]
        ok, notes, losses = numbers
        ids = f"   {', '.join(lost)}" if lost else ""
        lines.append(f"{who.value:<{_ID_WIDTH}}{ok:>5}{notes:>7}{losses:>8}{ids}")
    unjudged = [r.scenario.id for r in results if r.founds and not r.verdicts]
    if unjudged:
        lines += ["", f"checked by no manager: {', '.join(unjudged)}"]
    seconds = sum(result.seconds for result in results)
    lines += ["", f"{len(results)} scenarios, {seconds:.0f} s"]
    return lines


def listing(scenarios: Sequence[Scenario]) -> list[str]:
    """Returns one line for each scenario: id, initials of its managers, topic, title."""
    lines = []
    for scenario in scenarios:
        who = "".join(m.value[0].upper() if m in scenario.asked_by else "-" for m in FOUR)
        extension = f" ({scenario.extension})" if scenario.extension else ""
        lines.append(
            f"{scenario.id:<{_ID_WIDTH}}{who:<6}{scenario.topic.value:<11}{scenario.title}{extension}"
        )
    return lines


def to_json(results: Sequence[Result], options: Options) -> str:
    """Returns everything as one JSON object."""
    return json.dumps(
        {
            "brain": list(options.command),
            "announced": sorted(options.announced),
            "scenarios": [_as_dict(result) for result in results],
            "losses": {
                who.value: [r.scenario.id for r in results if r.verdicts.get(who) is Verdict.LOSS]
                for who in columns(options)
            },
        },
        indent=1,
    )


def _as_dict(result: Result) -> dict[str, object]:
    scenario = result.scenario
    return {
        "id": scenario.id,
        "title": scenario.title,
        "topic": scenario.topic.value,
        "extension": scenario.extension or None,
        "verdicts": {who.value: verdict.text for who, verdict in result.verdicts.items()},
        "found": [
            {
                "kind": found.oddity.name.lower(),
                "text": found.oddity.text,
                "detail": found.detail,
                "topic": found.oddity.topic.value,
                "verdicts": {who.value: found.verdict(who).text for who in result.verdicts},
            }
            for found in result.founds
        ],
        "remarks": list(result.remarks),
        "talk": [[note.at_ms, note.mark, note.text] for note in result.talk],
        "seconds": result.seconds,
    }
