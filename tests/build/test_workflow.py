"""Checks the GitHub workflows without running them."""

import fnmatch
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.paths import ROOT

# The files of a release, one of each kind.
RELEASED = {
    "SHA256SUMS",
    "pbrain-tengen-0.2.0-linux-x86_64.zip",
    "sbom.json",
    "tengen-docs-0.2.0.zip",
    "tengen-manual-0.2.0.tar.gz",
    "tengen_arena-0.2.0-py3-none-any.whl",
    "tengen_arena-0.2.0.tar.gz",
    "tengen_gomoku-0.2.0-py3-none-win_amd64.whl",
    "tengen_gomoku-0.2.0.tar.gz",
}
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
    """`MARKERS` replaces the expression of `make test`."""
    for job in jobs(path).values():
        rows = job.get("strategy", {}).get("matrix", {}).get("include", [])
        for row in rows:
            if row.get("tests"):
                assert "not soak and not web" in row["tests"], row
    for command in commands(path):
        for expression in re.findall(r"""MARKERS=["']([^"']+)["']""", command):
            assert "not soak and not web" in expression or "matrix.tests" in expression, command


# What prepares a machine or publishes: no target can do it.
PLAIN = ("apt-get update", "git config --global", "draft=$(gh release view")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_command_is_a_make_target_that_exists(path: Path) -> None:
    for command in commands(path):
        if command.startswith(PLAIN):
            continue
        assert command.startswith("make "), command
        words = command.partition("${{")[0].split()[1:]
        goals = [word for word in words if "=" not in word]
        assert goals, command
        done = subprocess.run(
            ["make", "-n", *goals, "PY=python", "ENV="],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr


def test_the_build_workflow_checks_and_runs_all_tests() -> None:
    """`make test` also runs the C tests."""
    text = "\n".join(commands(ROOT / ".github" / "workflows" / "build.yml"))
    for goal in ("make check", "make ctest", "make test MARKERS", "scripts", "bench"):
        assert goal in text
    said = subprocess.run(
        ["make", "-n", "test", "PY=python", "ENV=", "MARKERS=some marker"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert "build_core.py --variant debug --run tests" in said
    assert '-m "some marker"' in said


def test_only_packages_go_to_the_package_index() -> None:
    """PyPI refuses a whole upload for one file that is neither a wheel nor an sdist."""
    build = jobs(ROOT / ".github" / "workflows" / "release.yml")["build"]
    (upload,) = [
        step["with"] for step in build["steps"] if step.get("with", {}).get("name") == "packages"
    ]
    patterns = [pattern.rpartition("/")[2] for pattern in upload["path"].split()]
    taken = {name for name in RELEASED if any(fnmatch.fnmatch(name, one) for one in patterns)}
    assert taken == {name for name in RELEASED if name.startswith("tengen_")}


# The state of the release on GitHub is the file `state`, and the steps that gh does are in `done`.
GH = """#!/bin/sh
echo "$2" >> done
case "$2" in
    view) [ -e state ] && cat state ;;
    download) mkdir -p published && cp sums published/SHA256SUMS ;;
    delete) rm state ;;
    create) [ ! -e state ] && echo false > state && cp release/SHA256SUMS sums ;;
esac
"""


@pytest.mark.parametrize(
    ("state", "sums", "steps"),
    [
        (None, None, ["view", "create"]),
        ("true", None, ["view", "delete", "create"]),
        ("false", "the same", ["view", "download"]),
        ("false", "another build", None),
    ],
)
def test_a_release_can_be_published_again(
    state: str | None, sums: str | None, steps: list[str] | None, tmp_path: Path
) -> None:
    """A second attempt keeps a complete release of the same files, and refuses other files."""
    publish = jobs(ROOT / ".github" / "workflows" / "release.yml")["publish"]["steps"]
    (script,) = [step["run"] for step in publish if "gh release" in step.get("run", "")]
    (tmp_path / "bin").mkdir()
    gh = tmp_path / "bin" / "gh"
    gh.write_text(GH)
    gh.chmod(0o755)
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "SHA256SUMS").write_text("the same")
    for name, text in (("state", state), ("sums", sums)):
        if text is not None:
            (tmp_path / name).write_text(text)
    ended = subprocess.run(
        ["bash", "-e", "-c", script],  # the shell of a step
        cwd=tmp_path,
        env={"PATH": f"{gh.parent}:/usr/bin:/bin", "GITHUB_REF_NAME": "v0.2.0"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if steps is None:
        assert ended.returncode == 1 and "differ" in ended.stdout + ended.stderr
    else:
        assert ended.returncode == 0, ended.stderr
        assert (tmp_path / "done").read_text().split() == steps
        assert (tmp_path / "state").read_text().strip() == "false"


def test_unknown_runner_labels_are_those_that_are_used() -> None:
    listed = yaml.safe_load((ROOT / ".github" / "actionlint.yaml").read_text(encoding="utf-8"))
    labels = set(listed["self-hosted-runner"]["labels"])
    used = set()
    for path in WORKFLOWS:
        for job in jobs(path).values():
            used.update(job.get("strategy", {}).get("matrix", {}).get("system", []))
    assert labels and labels <= used
