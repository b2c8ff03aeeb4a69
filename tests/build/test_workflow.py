"""Checks the GitHub workflows without running them."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def jobs(path: Path) -> dict[str, Any]:
    """Returns the jobs of a workflow file by name."""
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"])


def commands(path: Path) -> list[str]:
    """Returns all commands in the jobs of a workflow."""
    return [step["run"] for job in jobs(path).values() for step in job["steps"] if step.get("run")]


def test_there_is_a_workflow() -> None:
    assert WORKFLOWS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_its_permissions(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"]["contents"] == "read"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_ends(path: Path) -> None:
    for name, job in jobs(path).items():
        assert 1 <= job.get("timeout-minutes", 0) <= 90, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_marker_expression_leaves_the_soak_out(path: Path) -> None:
    """`-m` on the command line replaces the default of pyproject.toml."""
    for job in jobs(path).values():
        rows = job.get("strategy", {}).get("matrix", {}).get("include", [])
        for row in rows:
            if row.get("tests"):
                assert "not soak and not web" in row["tests"], row
    for command in commands(path):
        for expression in re.findall(r"""pytest .*-m ["']([^"']+)["']""", command):
            assert "not soak and not web" in expression or "matrix.tests" in expression, command


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_make_target_exists(path: Path) -> None:
    for command in commands(path):
        for target in re.findall(r"\bmake ([a-z-]+)", command):
            done = subprocess.run(
                ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60
            )
            assert done.returncode == 0, done.stderr


def test_the_build_workflow_checks_and_runs_the_c_tests() -> None:
    text = "\n".join(commands(ROOT / ".github" / "workflows" / "build.yml"))
    assert "make check" in text
    assert "make ctest" in text
    assert "build_core.py --variant debug --run tests" in text
