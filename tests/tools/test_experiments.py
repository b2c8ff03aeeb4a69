"""The experiment log and the tables that are made from it."""

from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools import experiments
from tools.experiments import COLUMNS, Experiment, LogError, filled, read, table

GOOD = {
    "date": "2026-11-25",
    "change": "a change",
    "rule": "renju",
    "size": "15",
    "limit": "50 ms",
    "games": "10",
    "wins": "6",
    "draws": "2",
    "losses": "2",
    "elo": "147.2",
    "error": "200",
    "llr": "-0.5",
    "verdict": "H1, kept",
}


def row(**changes: str) -> Experiment:
    return Experiment(**{column: (GOOD | changes).get(column, "") for column in COLUMNS})


def log(tmp_path: Path, *rows: Experiment, head: str = ",".join(COLUMNS)) -> Path:
    path = tmp_path / "log.csv"
    lines = [head, *(",".join(f'"{getattr(r, c)}"' for c in COLUMNS) for r in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_log_can_be_read() -> None:
    assert len(read(experiments.LOG)) > 400


def test_the_tables_of_the_pages_are_those_of_the_log() -> None:
    assert experiments.main(["tables", "--check", str(ROOT / "docs" / "strength.md")]) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": "25.11.2026"}, "not YYYY-MM-DD"),
        ({"change": ""}, "change is empty"),
        ({"rule": "gomoku"}, "rule 'gomoku'"),
        ({"size": "4"}, "not 5 to 22"),
        ({"verdict": "good"}, "verdict 'good'"),
        ({"wins": "six"}, "not a number of games"),
        ({"elo": "+5"}, "elo '\\+5' is not a number"),
        ({"games": "11"}, "6-2-2 are not 11 games"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    with pytest.raises(LogError, match=rf"line 3: .*{message}"):
        read(log(tmp_path, row(), row(**change)))


def test_wrong_columns_are_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="line 1: the columns are not date,commit"):
        read(log(tmp_path, row(), head="date,change"))


def test_a_table_has_what_the_query_asks_for() -> None:
    rows = [row(elo="-3", error="9"), row(change="b", elo="12.5"), row(change="c", rule="ninuki")]
    made = table(rows, "rule=renju sort=-elo columns=change,size,result,elo,score")
    assert made.splitlines() == [
        "| change | size | W-D-L | Elo | score |",
        "|---|---|---|---|---|",
        "| b | 15x15 | 6-2-2 | +12.5 ± 200 | 70.0 ± 24.8 % |",
        "| a change | 15x15 | 6-2-2 | -3 ± 9 | 70.0 ± 24.8 % |",
    ]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("rule=caro", "no row of the log answers"),
        ("colour=white", "is not a condition"),
        ("sort=colour", "cannot sort by"),
        ("columns=date,colour", "no such columns: colour"),
    ],
)
def test_a_query_that_cannot_be_answered_says_why(query: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        table([row()], query)


def test_a_page_is_filled_again() -> None:
    page = "before\n<!-- table: columns=change -->\nold\n<!-- end -->\nafter\n"
    once = filled(page, [row()])
    assert "| a change |" in once and "old" not in once
    assert once.startswith("before\n") and once.endswith("after\n")
    assert filled(once, [row()]) == once


def test_a_stale_page_is_told_and_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- table: verdict^=H1 columns=date -->\n<!-- end -->\n", encoding="utf-8")
    assert experiments.main(["tables", "--check", str(page)]) == 1
    assert "not those of the log" in capsys.readouterr().err
    assert experiments.main(["tables", str(page)]) == 0
    assert experiments.main(["tables", "--check", str(page)]) == 0
