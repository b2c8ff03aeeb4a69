"""Files of Gomocup for tests."""

FIVE = ["8,8", "1,1", "9,8", "1,3", "10,8", "1,5", "11,8", "1,7", "12,8"]
"""Moves, Black first, that end with five in a row."""


def psq(
    moves: list[str], opening: int, last: str, *, fast: tuple[int, ...] = (), size: int = 15
) -> str:
    """Returns a file of Gomocup: moves of the opening and those at `fast` took 0 ms."""
    lines = [f"Piskvorky {size}x{size}, 11:11, 0"]
    for number, move in enumerate(moves):
        lines.append(f"{move},{0 if number < opening or number in fast else 50 + number}")
    return "\n".join([*lines, "A.zip", "B.zip", "-1", last]) + "\n"
