"""The names of rules: the board's scripts and the record library read the same ones."""

import re

from records.rules import _KNOWN, RULE_NAMES
from tests.support.paths import ROOT

SCRIPT = (ROOT / "web" / "src" / "rules.js").read_text("utf-8")


def table(name: str) -> str:
    """Returns the lines of an object of the script."""
    found = re.search(rf"^const {name} = {{\n(.*?)^}};", SCRIPT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_board_knows_the_names_of_the_record_library() -> None:
    names = {int(rule): name for rule, name in re.findall(r'(\d+): "([^"]+)"', table("NAMES"))}
    aliases = re.findall(r'^ +"?([a-z ]+?)"?: (\d+),$', table("ALIASES"), re.MULTILINE)
    assert names == RULE_NAMES
    known = {name: rule for rule, name in names.items()}
    assert {**known, **{name: int(rule) for name, rule in aliases}} == _KNOWN
