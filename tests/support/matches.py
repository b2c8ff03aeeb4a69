"""Matches between fakes: engines, jobs and records, and the commands that play them."""

import argparse
import shlex
from types import ModuleType

from arena.cli import match
from arena.match.options import MatchPlan, plan_of
from tests.support.fakes import fake

PATIENCE_S = 300.0


def named(name: str, fault: str = "none", **keys: object) -> str:
    """Returns an engine as a command-line argument."""
    return f"{name}={shlex.join(fake(fault, **keys))}"


def run(command: ModuleType, *words: str) -> int:
    """Runs a command; returns its exit code, also for argument errors."""
    parser = argparse.ArgumentParser(prog="tengen-arena")
    command.add_arguments(parser)
    try:
        code: int = command.run(parser.parse_args(words))
    except SystemExit as exit_:
        assert isinstance(exit_.code, int)
        return exit_.code
    return code


QUICK = ("--size", "6", "--turn", "60s")


def planned(*words: str) -> MatchPlan:
    """Returns the match of a command line."""
    parser = argparse.ArgumentParser()
    match.add_arguments(parser)
    args = parser.parse_args([named("A"), named("B"), *words])
    return plan_of(args, args.games)
