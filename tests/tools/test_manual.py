"""The man pages and the shell completion: complete, and usable by man and bash."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.command_line import OPTIONS, help_text
from tests.support.paths import ROOT
from tools.manual.__main__ import write_all
from tools.manual.parsers import arena_parser, commands_of

DATE = "2026-01-02"


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual")
    write_all(folder, DATE)
    return folder


def text_of(manual: Path, page: str) -> str:
    """The text of a page without troff's commands and escapes."""
    raw = (manual / "share" / "man" / "man1" / page).read_text("utf-8")
    return re.sub(r"\\f[BIR]|\\,|\\/|\\&", "", raw).replace(r"\-", "-")


def completed(manual: Path, program: str, *words: str) -> list[str]:
    """Returns the completions that bash offers for the last word."""
    script = manual / "share" / "bash-completion" / "completions" / program
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is missing")
    code = (
        'source "$1"; name=$2; shift 2; COMP_WORDS=("$name" "$@"); COMP_CWORD=$#; COMPREPLY=()\n'
        '"$(complete -p "$name" | sed "s/.*-F \\([^ ]*\\) .*/\\1/")" "$name" "${!#}" "$name"\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "-c", code, "bash", script, program, *words], capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout.split()


def test_every_option_of_the_engine_is_read(manual: Path) -> None:
    page = text_of(manual, "tengen.1")
    for option in OPTIONS:
        assert option.flag in page and option.flag in help_text()
        if not option.value:
            continue
        done = subprocess.run(
            [sys.executable, "-m", "protocol", option.flag],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2 and done.stderr.startswith(f"{option.flag} takes"), done.stderr


def test_every_command_of_the_arena_has_a_page_with_its_options(manual: Path) -> None:
    commands = commands_of(arena_parser())
    assert len(commands) > 10 and "ladder" not in commands  # an alias has no page
    main = text_of(manual, "tengen-arena.1")
    for name, command in commands.items():
        assert f"tengen-arena-{name}(1)" in main
        page = text_of(manual, f"tengen-arena-{name}.1")
        assert page.startswith(f'.TH TENGEN-ARENA-{name.upper()} "1" "{DATE}" "Tengen ')
        assert f"\n.B tengen-arena {name}\n" in page
        options = [text for action in command._actions for text in action.option_strings]
        assert all(option in page for option in options), name


def test_man_has_no_complaint(manual: Path) -> None:
    if shutil.which("man") is None:
        pytest.skip("man is missing")
    for page in sorted((manual / "share" / "man" / "man1").iterdir()):
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page],
            capture_output=True,
            text=True,
            env={"LC_ALL": "C.UTF-8", "MANWIDTH": "110", "PATH": "/usr/bin:/bin"},
        )
        assert done.returncode == 0 and done.stderr == "", f"{page.name}: {done.stderr}"


def test_bash_completes_commands_options_and_choices(manual: Path) -> None:
    assert completed(manual, "tengen-arena", "ma") == ["match"]
    assert "--games" in completed(manual, "tengen-arena", "match", "--g")
    likes = completed(manual, "tengen-arena", "match", "--like", "")
    assert {"piskvork", "gomocup", "c-gomoku-cli"} <= set(likes)
    assert completed(manual, "tengen", "--we") == ["--weights"]


def test_two_runs_write_the_same(manual: Path, tmp_path: Path) -> None:
    for file in write_all(tmp_path, DATE):
        assert file.read_bytes() == (manual / file.relative_to(tmp_path)).read_bytes()
