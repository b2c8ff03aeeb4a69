"""Checks the documents: links, examples, commands, numbers."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build_weights
from arena.util.exits import EXIT_TEXTS
from protocol.commands import Unknown, parse
from pyengine import Engine
from tests.support.paths import ROOT

PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")],
    key=lambda page: page.relative_to(ROOT).as_posix(),
)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    """Returns the fenced blocks of a page in one language."""
    return [text for kind, text in FENCE.findall(page.read_text("utf-8")) if kind == language]


def rows(page: Path, heading: str) -> list[list[str]]:
    """Returns the cells of the first table below a heading."""
    text = page.read_text("utf-8").split(f"\n## {heading}\n", 1)[1]
    lines = []
    for line in text.splitlines():
        if line.startswith("|"):
            lines.append([cell.strip() for cell in line.strip("|").split("|")])
        elif lines:
            break
    return lines[2:]


def anchors(page: Path) -> set[str]:
    """Returns the anchors of a page's headings, as on GitHub."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M):
        plain = re.sub(r"[`*\[\]]|\(.*?\)", "", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)}: {link}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{name(page)}: {link}"


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name != "decisions" and page.name != "CHANGELOG.md"],
    ids=name,
)
def test_every_path_in_the_text_exists(page: Path) -> None:
    """A file or folder of the tree that a page names exists; decisions may name old files."""
    rooms = "csrc|pyengine|protocol|arena|records|tests|tools|training|web|docs|packaging"
    for path in re.findall(rf"`((?:{rooms})/[\w./-]+)`", page.read_text("utf-8")):
        is_pattern = re.search(r"\bname\b|test_name|[A-Z]{4,}|name_", path) is not None
        assert is_pattern or (ROOT / path).exists(), f"{name(page)}: {path}"


def test_every_page_is_linked() -> None:
    linked = set()
    for page in PAGES:
        for link in LINK.findall(page.read_text("utf-8")):
            if not link.startswith("http"):
                linked.add((page.parent / link.partition("#")[0]).resolve())
    alone = [name(p) for p in PAGES if p not in linked and name(p) not in ("README.md",)]
    assert alone in ([], ["CHANGELOG.md"])


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 150


@pytest.mark.parametrize(
    ("page", "number", "example"),
    [
        (page, number, example)
        for page in PAGES
        if page.name != "scripts.md"  # they need files and engines: test_scripts.py has them
        for number, example in enumerate(blocks(page, "python"))
    ],
    ids=lambda value: name(value) if isinstance(value, Path) else None,
)
def test_python_examples_run(page: Path, number: int, example: str, tmp_path: Path) -> None:
    # the folder in the examples of docs/weights.md
    shutil.copytree(build_weights.ASSETS, tmp_path / "candidate")
    done = subprocess.run(
        [sys.executable, "-c", example],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{name(page)}, example {number + 1}: {done.stderr}"
    for line, shown in re.findall(r"^(\s*print\(.*\))\s+# (.+)$", example, re.M):
        assert shown in done.stdout, f"{name(page)}: {line}"


def test_every_make_target_of_the_documents_exists() -> None:
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue
        for target in re.findall(r"`make ([a-z-]+)[^`]*`|^make ([a-z-]+)", page.read_text(), re.M):
            word = "".join(target)
            done = subprocess.run(
                ["make", "-n", word], cwd=ROOT, capture_output=True, timeout=120, check=False
            )
            assert done.returncode == 0, f"{name(page)}: make {word}"


def test_every_module_of_the_documents_exists() -> None:
    for page in PAGES:
        if page.name == "CHANGELOG.md":
            continue
        for module in re.findall(r"python -m ([a-z_.]+)", page.read_text("utf-8")):
            if module.split(".")[0] in ("pip", "venv", "PyInstaller", "pytest"):
                continue
            path = ROOT.joinpath(*module.split("."))
            runs = path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
            assert runs, f"{name(page)}: python -m {module}"


def test_every_command_of_the_protocol_page_is_understood() -> None:
    words = {
        word
        for row in rows(ROOT / "docs" / "protocol.md", "Commands")
        for text in re.findall(r"`([A-Z0-9]+)", row[0])
        for word in [text]
    }
    assert len(words) > 15
    for word in sorted(words - {"DONE"}):
        assert not isinstance(parse(word), Unknown), word


def test_the_exit_codes_are_those_of_the_arena() -> None:
    text = (ROOT / "docs" / "arena.md").read_text("utf-8")
    table = text.split("\n## Exit codes\n", 1)[1].split("\n## ", 1)[0]
    told = {int(code) for line in table.splitlines()[3:] for code in re.findall(r"\d+", line[:20])}
    assert told == {int(code) for code in EXIT_TEXTS}


def test_the_rules_are_those_of_the_protocol_page() -> None:
    from pyengine import Rule

    table = rows(ROOT / "docs" / "protocol.md", "Rules")
    assert {int(row[0]) for row in table} == {int(rule.value) for rule in Rule}


def test_switches_named_in_the_documents_exist() -> None:
    with Engine() as engine:
        known = {option.name for option in engine.options()}
    for page in PAGES:
        if page.name in ("CHANGELOG.md", "ablation.md"):
            continue
        # The last table of options.md lists the old names.
        text = page.read_text("utf-8").partition("<!-- aliases -->")[0]
        for switch in re.findall(r"`prune\.([a-z_]+)", text):
            assert f"prune.{switch}" in known, f"{name(page)}: prune.{switch}"
