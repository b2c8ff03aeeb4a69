"""The command of a brain: its program is found, or the error names the fault."""

import shlex
import sys
from pathlib import Path

import pytest

from arena.engines.brain import CommandError, resolve_command


def test_commands_are_found_or_the_error_says_what_was_wrong(tmp_path: Path) -> None:
    plain = tmp_path / "a b"
    plain.write_text("#!/bin/sh\n")
    for command, words in [
        (str(tmp_path / "nothing"), "no such file"),
        (str(tmp_path), "is a folder"),
        (str(plain), "is not executable"),
        ("no-such-command-at-all x", "no such file or command"),
        ("'", "No closing quotation"),
        ("", "empty"),
    ]:
        with pytest.raises(CommandError, match=words):
            resolve_command(command)
    plain.chmod(0o755)
    assert resolve_command(str(plain)) == (str(plain),)
    assert resolve_command(plain) == (str(plain),)
    assert resolve_command(f"{shlex.quote(sys.executable)} -S x")[1:] == ("-S", "x")


def test_a_folder_does_not_hide_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder `tengen/` with the files of a release does not hide the command tengen."""
    program = tmp_path / "bin" / "tengen"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "tengen").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CommandError, match="tengen: is a folder"):
        resolve_command("tengen")
    monkeypatch.setenv("PATH", str(program.parent))
    assert resolve_command("tengen --level 3") == (str(program), "--level", "3")
