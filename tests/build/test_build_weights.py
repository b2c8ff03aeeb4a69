"""The command `python -m build_weights FILE...`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FREESTYLE = ROOT / "csrc" / "assets" / "freestyle.tgw"


def command(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """Runs the command."""
    words = [sys.executable, "-m", "build_weights", *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_help_names_the_arguments() -> None:
    done = command("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "FILE" in done.stdout and "weights file" in done.stdout


def test_without_a_file_it_fails() -> None:
    done = command()
    assert done.returncode == 2 and "FILE" in done.stderr


def test_a_damaged_file_is_named_and_the_others_are_printed(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tgw"
    damaged.write_bytes(FREESTYLE.read_bytes()[:-1])
    done = command(damaged, FREESTYLE)
    assert done.returncode == 1
    assert done.stderr.startswith(f"build_weights: {damaged}: ")
    assert done.stdout.startswith(f"{FREESTYLE}: freestyle, {FREESTYLE.stat().st_size} bytes, 0x")
