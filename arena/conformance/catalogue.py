"""All scenarios, in playing order."""

from . import extensions, informing, judging, leaving, positions, starting, timing
from .scenario import Scenario

__all__ = ["SCENARIOS"]

SCENARIOS: tuple[Scenario, ...] = tuple(
    scenario
    for module in (starting, informing, positions, judging, timing, leaving, extensions)
    for scenario in module.SCENARIOS
)
