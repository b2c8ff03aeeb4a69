"""The claims of losers under ninuki, and that the check of them finds what it is for."""

from pathlib import Path

from arena.rules.referee import Color, Position, Rule
from tools.claims import Claim, faults_of, main, play, read_journal, surviving_move

GAMES, NODES = 3, 500


def finished() -> Position:
    """Black has closed b4-f4, which White could have stopped with its last move on f4."""
    position = Position(size=9, rule=Rule.NINUKI)
    position.set_position(
        black=[(1, 3), (2, 3), (3, 3)],
        white=[(0, 3), (1, 7), (7, 7)],
        to_move=Color.BLACK,
    )
    for m in ((4, 3), (2, 1), (5, 3)):
        position.play(m)
    return position


def lost_anyway() -> Position:
    """The same with both ends of the four open: nothing could stop it."""
    position = Position(size=9, rule=Rule.NINUKI)
    position.set_position(
        black=[(1, 3), (2, 3), (3, 3)],
        white=[(1, 7), (7, 7)],
        to_move=Color.BLACK,
    )
    for m in ((4, 3), (2, 1), (5, 3)):
        position.play(m)
    return position


def test_a_loss_that_could_be_put_off_is_a_fault() -> None:
    position = finished()
    (fault,) = faults_of(position, [Claim(0, 500, None), Claim(1, -300, None)])
    assert "lost at once by (2, 1), where (5, 3) did not" in fault
    assert position.is_over and len(position.moves) == 3


def test_a_loss_that_was_not_seen_is_a_fault() -> None:
    (fault,) = faults_of(lost_anyway(), [Claim(0, 29997, 3), Claim(1, -300, None)])
    assert "said -300, mate None" in fault
    assert faults_of(lost_anyway(), [Claim(0, 29997, 3), Claim(1, -29998, -2)]) == []


def test_a_win_claimed_by_the_loser_is_a_fault() -> None:
    position = lost_anyway()
    faults = faults_of(position, [Claim(1, 29993, 7)])
    assert faults[0] == "claimed a win in 7 at ply 1" and len(faults) == 2


def test_the_fifth_pair_is_seen() -> None:
    """White can only save its pair: by a stone on the square from which it would be taken."""
    position = Position(size=9, rule=Rule.NINUKI)
    position.set_position(
        black=[(3, 3)],
        white=[(4, 3), (5, 3), (7, 7)],
        captures=(4, 0),
        to_move=Color.WHITE,
    )
    assert surviving_move(position) == (6, 3)


def test_nobody_misjudges(tmp_path: Path) -> None:
    """A few games; `make claims` plays 500."""
    journal = tmp_path / "claims.jsonl"
    arguments = ["--games", str(GAMES), "--nodes", str(NODES), "--journal", str(journal)]
    assert main(arguments) == 0
    games = read_journal(journal)
    assert len(games) == GAMES and all(g.winner for g in games)
    assert all(g.last and (g.last[-1].mate or 0) < 0 for g in games)


def test_it_goes_on_where_the_journal_ends(tmp_path: Path) -> None:
    """A torn line is played again, a whole one is not."""
    journal = tmp_path / "claims.jsonl"
    first = play(0, 200)
    arguments = ["--games", "2", "--nodes", "200", "--journal", str(journal)]
    assert main(arguments) == 0
    whole, torn = journal.read_text("utf-8").splitlines()
    journal.write_text(whole.replace('"five"', '"kept"') + "\n" + torn[:30])
    assert main(arguments) == 0
    games = read_journal(journal)
    assert games[0].moves == first.moves and len(games) == 2
    assert games[0].reason in ("kept", "captures", "five_not_broken")
