"""The threat map, and how squares are named."""

from tests.web.board_page import BoardPage, Square, named


def threats(board: BoardPage, square: Square) -> list[str]:
    """The threat marks of a square: `X4` for a four of Black's, `O3` for a three of White's."""
    listed = board.value("tengen.threats ? tengen.threats.list : []")
    return sorted(
        f"{'XO'[threat['color'] - 1]}{threat['text']}"
        for threat in listed
        if tuple(threat["square"]) == square
    )


def test_the_threat_map_shows_what_stones_would_make(board: BoardPage) -> None:
    board.new_game(0)
    board.play(named("g8 g10 h8 h10 a1 i10"))
    board.page.click("#tab-analyse")
    assert board.page.locator(".threat").count() == 0
    board.page.check("#threats")
    board.until(lambda: board.value("tengen.threats?.vcf.length > 0"))
    (i8, j10) = named("i8 j10")
    assert threats(board, i8) == ["X3"]
    assert threats(board, j10) == ["O4+"]
    drawn = board.page.locator(".threat").count()
    assert drawn == board.value("tengen.threats.list.length") > 2
    # Black is to move; White's three is a win by fours
    assert "White threatens to win by continuous fours" in board.page.inner_text("#threat-vcf")
    board.page.hover("#threat-vcf")
    assert board.page.locator(".stone.ghost.white").count() > 0
    assert board.value("tengen.shownFrom") == 2
    # a step takes the map along, and Black has no such win
    board.page.mouse.move(0, 0)
    board.page.click("#step-back")
    board.until(lambda: board.value("tengen.threats !== null"))
    assert threats(board, j10) == ["O3"]
    board.page.uncheck("#threats")
    board.until(lambda: board.page.locator(".threat").count() == 0)


def test_an_analysis_goes_on_beside_the_threat_map(board: BoardPage) -> None:
    board.new_game(16)
    board.play([(9, 9), (10, 9), (8, 8)])
    board.page.click("#tab-analyse")
    board.page.check("#threats")
    board.page.click("#analysis")
    board.until(lambda: board.value("tengen.view !== null && tengen.threats !== null"))
    depth = board.value("tengen.view.depth")
    board.until(lambda: board.value("tengen.view.depth") > depth)
    board.page.click("#analysis")
    board.until(lambda: not board.value("tengen.engine.searching"))


def test_piskvorks_counting_names_the_moves_too(board: BoardPage) -> None:
    board.new_game(0)
    board.play([(7, 7), (0, 14)])
    assert board.page.inner_text("#tree").split("\n")[0].strip().startswith("1. h8")
    board.value("tengen.set({ counting: true })")
    text = board.page.inner_text("#tree")
    assert "1. 7,7" in text
    assert "2. 0,14" in text
