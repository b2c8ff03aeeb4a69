"""A level in the name of the program: what managers that pass no arguments use."""

import shutil
import subprocess
from pathlib import Path

import pytest

from protocol.program_name import NamedLevel, level_of
from pyengine.constants import MAX_LEVEL, MIN_LEVEL

POSITION = "START 15\nBOARD\n7,7,1\n8,8,2\n8,6,1\n6,8,2\nDONE\nEND\n"


@pytest.mark.parametrize("level", range(MIN_LEVEL, MAX_LEVEL + 1))
@pytest.mark.parametrize(
    "form",
    [
        "pbrain-tengen-level{}",
        "pbrain-tengen-level{}.exe",
        "PBRAIN-TENGEN-LEVEL{}.EXE",
        "pbrain-tengen_level_{}",
        "/brains/any name level {}",
        "level{}.exe",
        "tengen{}",
        "Tengen{}.exe",
        "pbrain-tengen{}",
    ],
)
def test_a_name_has_a_level(form: str, level: int) -> None:
    assert level_of(form.format(level)) == NamedLevel(level=level)


@pytest.mark.parametrize(
    "name",
    [
        "pbrain-tengen",
        "pbrain-tengen.exe",
        "pbrain-tengen64.exe",
        "tengen32",
        "tengen0",
        "pbrain-tengen-0.3",
        "pbrain-tengen-level",
        "pbrain-tengen-level3-old",
        "sealevel3",
        "/level3/pbrain-tengen",
        "__main__.py",
        "",
    ],
)
def test_other_names_have_none(name: str) -> None:
    assert level_of(name) == NamedLevel()


@pytest.mark.parametrize("number", [0, 11, 99, 123456789])
def test_a_level_that_does_not_exist_is_named(number: int) -> None:
    found = level_of(f"pbrain-tengen-level{number}")
    assert found.level is None and found.note is not None and f"level {number}," in found.note


def said(program: Path, *arguments: str) -> list[str]:
    """Returns the answer of an engine to a position, without the measured times."""
    done = subprocess.run(
        [str(program), *arguments], input=POSITION, capture_output=True, text=True, check=True
    )
    return [line.split(" time ")[0].split(" nps ")[0] for line in done.stdout.splitlines()]


def test_a_copy_of_the_executable_plays_its_level(executable: Path, tmp_path: Path) -> None:
    def copy(name: str) -> Path:
        return Path(shutil.copy(executable, tmp_path / name))

    third = copy("pbrain-tengen-level3")
    expected = said(executable, "--level", "3")
    assert said(third) == expected != said(executable, "--level", "1")
    assert said(copy("tengen3")) == expected
    assert said(third, "--level", "1") == said(executable, "--level", "1"), "arguments win"
    strange = copy("pbrain-tengen-level11")
    assert any("LEVELS ARE 1 TO 10" in line for line in said(strange, "--set", "tune.width=1"))
