"""Numbers have one source, the headers of the core. Other files read or copy them by a tool."""

import ast
import re
from pathlib import Path

import pytest

import build_constants
import build_weights
from pyengine import constants
from tests.support.paths import ROOT

PYTHON = ("pyengine", "protocol", "arena", "training", "tools", "tests", "web")
C = ("training", "tests/c", "web/core")


@pytest.mark.parametrize("path", build_constants.texts(), ids=lambda path: path.name)
def test_the_committed_files_are_what_the_header_says(path: Path) -> None:
    found = path.read_text(encoding="utf-8")
    assert found == build_constants.texts()[path], "run `python build_constants.py`"


def test_another_header_gives_other_numbers(tmp_path: Path) -> None:
    header = tmp_path / "tengen.h"
    text = build_constants.HEADER.read_text().replace("TG_MAX_SIZE = 22", "TG_MAX_SIZE = 24")
    header.write_text(text.replace("TG_MATE_SCORE - 512", "TG_MATE_SCORE - 500"))
    found = build_constants.constants(header)
    assert found["MAX_SIZE"] == constants.MAX_SIZE + 2
    assert found["PROVEN_SCORE"] == constants.PROVEN_SCORE + 12
    assert found["MAX_LEVEL"] == constants.MAX_LEVEL


def test_a_header_without_marks_is_refused(tmp_path: Path) -> None:
    header = tmp_path / "tengen.h"
    header.write_text("int tg_abi_version(void);\n")
    with pytest.raises(build_constants.ConstantsError, match=r"tengen\.h lacks the marks"):
        build_constants.constants(header)


def test_each_rule_has_its_traits(tmp_path: Path) -> None:
    header = tmp_path / "tengen.h"
    text = build_constants.HEADER.read_text()
    header.write_text(text.replace("TG_TRAITS_STANDARD = 0", "TG_TRAITS_STANDARD = 1"))
    found = build_constants.rules_with_traits(header)
    with_captures = {*constants.RULES_WITH_CAPTURES, constants.RULE_STANDARD}
    assert set(found["RULES_WITH_CAPTURES"]) == with_captures
    header.write_text(text.replace("TG_TRAITS_STANDARD = 0,", ""))
    with pytest.raises(build_constants.ConstantsError, match=r"TG_TRAITS_ differ in STANDARD$"):
        build_constants.rules_with_traits(header)


def test_the_core_and_the_layout_have_the_same_numbers() -> None:
    layout = build_weights.layout()
    assert layout.constant("MAX_SIZE") == constants.MAX_SIZE
    assert layout.constant("RULE_NINUKI") == constants.RULE_NINUKI
    assert layout.constant("SQUARE_CODES") + layout.constant("COLORS") == layout.constant(
        "NET_CODES"
    )


def telling() -> set[int]:
    """Numbers that mean the same thing everywhere."""
    of_layout = ("SQUARE_CODES", "NET_CODES", "NET_WEIGHT_MAX")
    return {constants.PROVEN_SCORE, *map(build_weights.layout().constant, of_layout)}


def test_no_python_has_a_copy() -> None:
    files = [p for folder in PYTHON for p in (ROOT / folder).rglob("*.py")]
    files = [p for p in files if "node_modules" not in p.parts and p.stem not in ("_ffi",)]
    files += ROOT.glob("*.py")
    home = Path(constants.__file__)
    copies = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in files
        if path != home
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value in telling()
    ]
    assert len(files) > 100
    assert not copies


def test_no_c_outside_the_core_has_a_copy() -> None:
    files = [path for folder in C for path in (ROOT / folder).glob("*.[ch]")]
    number = re.compile(rf"\b(?:{'|'.join(map(str, sorted(telling())))})\b")
    copies = [
        str(path.relative_to(ROOT)) for path in files if number.search(path.read_text("utf-8"))
    ]
    assert len(files) > 20
    assert not copies
