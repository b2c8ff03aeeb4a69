"""The table and the picture of the value networks."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tools import networks
from tools.networks import BEGIN, END, DataError, Network, draw, filled, read

HEAD = "rule,commit,date,network,positions,loss,speed,elo,error,yardstick,yardstick_error\n"
FIRST = "renju,abc1234,2026-11-25,first,,,,,,0.2500,0.0050\n"
SECOND = "renju,def5678,2026-11-26,second,2.0 million,0.56 -> 0.55,0.9,-10.5,20.0,0.2400,0.0050\n"


def test_the_table_and_the_picture_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert networks.main(["--check"]) == 0, capsys.readouterr().err


def rows_of(tmp_path: Path, *lines: str, head: str = HEAD) -> list[Network]:
    path = tmp_path / "networks.csv"
    path.write_text(head + "".join(lines))
    return read(path)


def test_a_network_has_a_row_in_the_table_and_in_the_picture(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, FIRST, SECOND)
    page = filled(f"before\n{BEGIN}\nold\n{END}\nafter\n", rows)
    assert page.startswith("before\n") and page.endswith("\nafter\n") and "old" not in page
    assert "| renju | first | abc1234 | 2026-11-25 |  |  |  | 0.2500 ± 0.0050 |  |" in page
    assert "| 2.0 million | 0.56 -> 0.55 | 0.9 | 0.2400 ± 0.0050 | -10.5 ± 20.0 |" in page
    shown = [text.text for text in ElementTree.fromstring(draw(rows)).iter() if text.text]
    assert {"renju: first", "renju: second", "0.2500", "0.2400", "-10"} <= set(shown)


@pytest.mark.parametrize(
    ("lines", "head", "why"),
    [
        ([FIRST], HEAD.replace("loss", "los"), "line 1: the columns are not rule,commit"),
        ([FIRST, "renju,abc\n"], HEAD, "line 3: 2 columns"),
        ([], HEAD, "has no rows"),
        ([FIRST.replace("0.2500", "nan")], HEAD, "line 2: yardstick 'nan' is not a number"),
        ([FIRST, SECOND.replace("-10.5", "1_0")], HEAD, "line 3: elo '1_0' is not a number"),
        ([FIRST, SECOND.replace("-10.5", "")], HEAD, "elo and error are not a number and its"),
        ([FIRST, SECOND.replace("20.0", "-20")], HEAD, "elo and error are not a number and its"),
        ([FIRST.replace("0.0050", "")], HEAD, "yardstick and yardstick_error are not"),
        ([FIRST, SECOND.replace("0.9", "fast")], HEAD, "speed 'fast' is not a number"),
        ([SECOND], HEAD, "the first row of renju has no row before"),
        ([FIRST.replace("renju", "renyu")], HEAD, "rule 'renyu' is unknown"),
        ([FIRST, FIRST.replace("renju", "caro"), SECOND], HEAD, "of renju are not together"),
        ([FIRST.replace("first", "a|b")], HEAD, "network has a sign of the page"),
        ([FIRST.replace("first", "<!-- end networks -->")], HEAD, "network has a sign of the page"),
    ],
)
def test_wrong_data_are_named(tmp_path: Path, lines: list[str], head: str, why: str) -> None:
    with pytest.raises(DataError, match=why):
        rows_of(tmp_path, *lines, head=head)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "networks.csv"
    path.write_bytes(HEAD.encode() + b"renju,\xff\n")
    with pytest.raises(DataError, match=r"networks\.csv, line "):
        read(path)


def test_a_page_without_marks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="0 times <!-- networks -->"):
        filled("no marks\n", rows_of(tmp_path, FIRST))


def test_a_file_that_is_not_up_to_date_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, drawn = tmp_path / "page.md", tmp_path / "networks.svg"
    page.write_text(f"{BEGIN}\n{END}\n")
    for name, path in (("PAGE", page), ("PICTURE", drawn)):
        monkeypatch.setattr(networks, name, path)
    assert networks.main(["--check"]) == 1 and not drawn.exists()
    said = capsys.readouterr().err
    assert f"{page} is not up to date" in said and f"{drawn} is not up to date" in said
    assert networks.main([]) == 0 and networks.main(["--check"]) == 0
