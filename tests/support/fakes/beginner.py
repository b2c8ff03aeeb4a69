"""A brain that plays as people do after their first lesson: `beginner.py [blind]`.

It makes a five, else stops one, else makes an open three a four, else stops such a three, else puts
a stone where its own line becomes the longest, by chance among equals. With `blind` it does not
know of threes yet. It sees one line at a time and nothing ahead. Speaks as much of the protocol as
the arena needs; docs/levels.md has what it scores against the lowest level.
"""

import random
import sys

Square = tuple[int, int]
_DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
_OPEN_FOUR = (4, 2)  # stones, open ends


class Beginner:
    """A board and its habits."""

    def __init__(self, size: int, *, blind: bool) -> None:
        self._size = size
        self._blind = blind
        self._stones: dict[Square, int] = {}
        self._chance = random.Random(1)

    def put(self, square: Square, side: int) -> None:
        """A stone: 1 own, 2 the opponent's."""
        self._stones[square] = side

    def move(self) -> Square:
        """Plays its best square, as it sees them."""
        squares = [(x, y) for x in range(self._size) for y in range(self._size)]
        free = [square for square in squares if square not in self._stones]
        best = max(free, key=lambda square: (self._worth(square), self._chance.random()))
        self.put(best, 1)
        return best

    def _worth(self, square: Square) -> tuple[int, int]:
        own = max(self._line(square, 1, way) for way in _DIRECTIONS)
        theirs = max(self._line(square, 2, way) for way in _DIRECTIONS)
        if own[0] >= 5:
            return 4, 0
        if theirs[0] >= 5:
            return 3, 0
        if not self._blind and _OPEN_FOUR in (own, theirs):
            return 2 if own == _OPEN_FOUR else 1, 0
        return 0, own[0] if own[1] else 0

    def _line(self, square: Square, side: int, way: Square) -> tuple[int, int]:
        """Returns the length of the line that a stone makes here, and its number of open ends."""
        length, ends = 1, 0
        for sign in (1, -1):
            x, y = square[0] + sign * way[0], square[1] + sign * way[1]
            while self._stones.get((x, y)) == side:
                length, x, y = length + 1, x + sign * way[0], y + sign * way[1]
            inside = 0 <= x < self._size and 0 <= y < self._size
            ends += inside and (x, y) not in self._stones
        return length, ends


def main() -> None:
    """Speaks the protocol until END or the end of the input."""
    blind = "blind" in sys.argv[1:]
    brain = Beginner(15, blind=blind)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "START":
            brain = Beginner(int(rest), blind=blind)
            print("OK", flush=True)
            continue
        if word == "END":
            return
        if word == "BOARD":
            for stone in iter(lambda: sys.stdin.readline().strip(), "DONE"):
                x, y, side = map(int, stone.split(","))
                brain.put((x, y), side)
        elif word == "TURN":
            x, y = map(int, rest.split(","))
            brain.put((x, y), 2)
        elif word == "ABOUT":
            print('name="Beginner", version="1"', flush=True)
            continue
        elif word != "BEGIN":
            continue
        print("{},{}".format(*brain.move()), flush=True)


if __name__ == "__main__":
    main()
