"""A brain whose behaviour can be set: `configurable_brain.py [key=value ...]`.

It knows every command that managers send, does not search, and plays the free square nearest
to the middle. Values are Python escapes. Keys:

  banner  written before anything is read          ok      the answer to START and the like
  about   the answer to ABOUT                      info    the answer to each INFO
  before  written before each move                 form    a move, with {x} and {y}
  err     written on stderr before each move       lines   so many messages before each move
  start   ms that it takes to start                think   ms before each move
  end     ms that it takes to leave; "never"       exit    its exit code
  orphan  1: leaves a process behind               hold    MiB that it holds
"""

import os
import subprocess
import sys
import time

BLOCKS = ("BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO")


def write(text: str) -> None:
    """Writes Latin-1 text at once."""
    os.write(1, text.encode("latin-1"))


class Brain:
    """Plays as `keys` say."""

    def __init__(self, keys: dict[str, str]) -> None:
        self.keys = keys
        self.size = 0
        self.taken: list[tuple[int, int]] = []
        self.hoard = b"\1" * (int(keys.get("hold", "0")) << 20)

    def text(self, key: str, default: str = "") -> str:
        """Returns what is written on an occasion."""
        if key not in self.keys:
            return default
        return self.keys[key].encode("latin-1").decode("unicode_escape")

    def run(self) -> None:
        """Reads commands until END or the end of the input."""
        time.sleep(int(self.keys.get("start", "0")) / 1000)
        write(self.text("banner"))
        while line := sys.stdin.readline():
            words = line.split()
            if words and words[0].upper() in BLOCKS:
                self.block(words[0].upper())
            elif words:
                self.command(words[0].upper(), words[1:])
        self.leave()

    def command(self, name: str, rest: list[str]) -> None:
        """Answers one command."""
        ok = self.text("ok", "OK\n")
        if name in ("START", "RECTSTART") and rest:
            size = int(rest[0].split(",")[0])
            if 5 <= size <= 22:
                self.size, self.taken = size, []
            write(ok if 5 <= size <= 22 else "ERROR no such size\n")
        elif name in ("RESTART", "BEGIN"):
            self.taken = []
            self.move() if name == "BEGIN" else write(ok)
        elif name == "ABOUT":
            write(self.text("about", 'name="Configurable", version="1"\n'))
        elif name == "INFO":
            write(self.text("info"))
        elif name in ("TURN", "TAKEBACK") and rest:
            self.stone(name, rest[0], ok)
        elif name == "END":
            self.leave()
        elif name not in ("YXSTOP", "STOP"):
            write(f"UNKNOWN {name}\n")

    def stone(self, name: str, text: str, ok: str) -> None:
        """Puts or removes a stone, where that can be."""
        x, comma, y = text.partition(",")
        good = bool(comma) and x.isdigit() and y.isdigit()
        square = (int(x), int(y)) if good else (-1, -1)
        if not good or max(square) >= self.size or (name == "TURN") == (square in self.taken):
            write("ERROR no such square\n")
        elif name == "TURN":
            self.taken.append(square)
            self.move()
        else:
            self.taken.remove(square)
            write(ok)

    def block(self, name: str) -> None:
        """Reads lines to DONE; a BOARD is a position."""
        lines = []
        while (line := sys.stdin.readline().strip()).upper() not in ("DONE", "END", ""):
            lines.append(line)
        if line.upper() == "END":
            self.leave()
        if name != "BOARD":
            if name == "SWAP2BOARD":
                write("UNKNOWN SWAP2BOARD\n")
            return
        fields = [line.split(",") for line in lines]
        if not all(len(row) == 3 and all(part.isdigit() for part in row) for row in fields):
            write("ERROR bad line\n")
            return
        self.taken = [(int(x), int(y)) for x, y, _ in fields]
        self.move()

    def move(self) -> None:
        """Answers with a move."""
        time.sleep(int(self.keys.get("think", "0")) / 1000)
        os.write(2, self.text("err").encode())
        write(self.text("before"))
        for _ in range(int(self.keys.get("lines", "0")) // 100):
            write("MESSAGE thinking\n" * 100)
        side, middle = range(self.size), self.size // 2
        free = [(x, y) for x in side for y in side if (x, y) not in self.taken]
        x, y = min(free, key=lambda square: max(abs(part - middle) for part in square))
        self.taken.append((x, y))
        write(self.text("form", "{x},{y}\n").replace("{x}", str(x)).replace("{y}", str(y)))

    def leave(self) -> None:
        """Leaves, late or never, with or without somebody left behind."""
        if self.keys.get("orphan"):
            sleeper = "import time; time.sleep(600)"
            subprocess.Popen([sys.executable, "-S", "-c", sleeper], start_new_session=True)
        wait = self.keys.get("end", "0")
        time.sleep(600 if wait == "never" else int(wait) / 1000)
        os._exit(int(self.keys.get("exit", "0")))


if __name__ == "__main__":
    Brain(dict(key.split("=", 1) for key in sys.argv[1:])).run()
