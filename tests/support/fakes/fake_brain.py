"""A brain that misbehaves on purpose: `fake_brain.py FAULT [key=value ...]`.

It plays the moves it is given, else the first free square, and commits its fault at a certain
move. Only the standard library is used, nothing of the project. Keys:

  moves   its moves, as 7,7/8,8
  at      the number of its move at which the fault happens, from 1 (default 2)
  text    what it writes where the fault is to write something (Python escapes)
  ms      how long it waits where the fault is to wait
  swap2   its answers to SWAP2BOARD, as 7,7_8,8_9,9/SWAP; without it the word is UNKNOWN
  scores  what it reports before its moves, as 10/-20/+M3; the last holds for all later moves

Faults: see FAULTS below; `none` is a good brain.
"""

import os
import signal
import subprocess
import sys
import time


def write(text: str) -> None:
    """Writes bytes of Latin-1 text at once."""
    os.write(1, text.encode("latin-1"))


class Fake:
    """Plays one game; `fault` names what it does wrong."""

    def __init__(self, fault: str, keys: dict[str, str]) -> None:
        self.fault = fault
        self.at = int(keys.get("at", "2"))
        self.text = keys.get("text", "").encode("latin-1").decode("unicode_escape")
        self.ms = int(keys.get("ms", "300"))
        listed = [move for move in keys.get("moves", "").split("/") if move]
        self.script = [(int(x), int(y)) for x, y in (move.split(",") for move in listed)]
        self.scores = [score for score in keys.get("scores", "").split("/") if score]
        self.swaps = [answer for answer in keys.get("swap2", "").split("/") if answer]
        self.count = 0
        self.size = 0
        self.taken: set[tuple[int, int]] = set()
        self.hoard: list[bytes] = []

    def run(self) -> None:
        """Reads commands until END or the end of the input."""
        while line := sys.stdin.readline():
            words = line.split()
            name, rest = words[0], words[1:]
            if name == "START":
                self.start(int(rest[0]))
            elif name == "ABOUT":
                write('name="Fake", version="1"\n')
            elif name == "INFO":
                if self.fault == "answers-info":
                    write("UNKNOWN\n")
            elif name == "BEGIN":
                self.move()
            elif name == "TURN":
                self.take(rest[0])
                self.move()
            elif name == "BOARD":
                while (stone := sys.stdin.readline().strip()) != "DONE":
                    self.take(stone)
                self.move()
            elif name == "SWAP2BOARD":
                self.swap2()
            elif name == "PLAY":
                write(f"{rest[0]}\n")
            elif name == "END":
                self.end()
        if self.fault == "ignores-end":
            time.sleep(600)

    def swap2(self) -> None:
        """Answers SWAP2BOARD: by the script, else as a brain that does not know the word."""
        if not self.swaps:
            write("UNKNOWN SWAP2BOARD\n")
            return
        while sys.stdin.readline().strip() != "DONE":
            pass
        write(self.swaps.pop(0).replace("_", " ") + "\n")

    def take(self, text: str) -> None:
        """Notes a stone of somebody."""
        x, y = text.split(",")[:2]
        self.taken.add((int(x), int(y)))

    def start(self, size: int) -> None:
        """Answers START."""
        self.size = size
        if self.fault == "start-crash":
            sys.exit(3)
        if self.fault == "start-stall":
            time.sleep(600)
        if self.fault == "start-slow":
            time.sleep(self.ms / 1000)
        if self.fault == "start-orphan":
            self.leave_orphan()
        if self.fault == "ticks":
            self.tick()
        write(self.text if self.fault == "start-text" else "OK\n")

    def move(self) -> None:
        """Answers with a move, committing the fault where it is due."""
        self.count += 1
        x, y = self.choose()
        answer = f"{x},{y}\n"
        if self.scores:
            score = self.scores[min(self.count, len(self.scores)) - 1]
            write(f"MESSAGE depth 3 ev {score}\n")
        if self.count == self.at and self.fault in FAULTS:
            FAULTS[self.fault](self, answer)
        else:
            write(answer)
        self.taken.add((x, y))

    def choose(self) -> tuple[int, int]:
        """Returns the next move of the script, else the first free square."""
        if self.script:
            return self.script.pop(0)
        free = ((x, y) for y in range(self.size) for x in range(self.size))
        return next(square for square in free if square not in self.taken)

    def end(self) -> None:
        """Answers END, which is: leaves."""
        if self.fault == "ignores-end":
            return
        if self.fault == "talks-after-end":
            write("MESSAGE good bye\n")
        sys.exit(5 if self.fault == "bad-exit-code" else 0)

    def leave_orphan(self) -> None:
        """Starts a daemon: a process of another session, whose parent is gone."""
        sleeper = "import time; time.sleep(600)"
        child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {sleeper!r}])"
        subprocess.run([sys.executable, "-S", "-c", child], start_new_session=True, check=True)

    def tick(self) -> None:
        """Starts a child that writes to a file without end."""
        loop = (
            "import sys, time\nwhile True:\n open(sys.argv[1], 'a').write('x')\n time.sleep(.005)"
        )
        subprocess.Popen([sys.executable, "-S", "-E", "-c", loop, self.text])

    def crash(self, answer: str) -> None:
        sys.exit(3)

    def segfault(self, answer: str) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def traceback(self, answer: str) -> None:
        raise RuntimeError("the search fell over")

    def half_a_line(self, answer: str) -> None:
        write(answer.rstrip())
        sys.exit(0)

    def stall(self, answer: str) -> None:
        time.sleep(600)

    def late(self, answer: str) -> None:
        time.sleep(self.ms / 1000)
        write(answer)

    def mute(self, answer: str) -> None:
        os.close(1)
        time.sleep(600)

    def unended(self, answer: str) -> None:
        write(answer.rstrip())
        time.sleep(600)

    def occupied(self, answer: str) -> None:
        x, y = min(self.taken)
        write(f"{x},{y}\n")

    def says(self, answer: str) -> None:
        write(self.text)

    def says_first(self, answer: str) -> None:
        write(self.text + answer)

    def twice(self, answer: str) -> None:
        write(answer + answer)

    def on_stderr(self, answer: str) -> None:
        os.write(2, b"warning: something is odd\n")
        time.sleep(self.ms / 1000)
        write(answer)

    def flood(self, answer: str) -> None:
        while True:
            write("MESSAGE still thinking\n" * 50)

    def memory(self, answer: str) -> None:
        self.hoard.append(b"\1" * (80 << 20))
        write(answer)


FAULTS = {
    "crash": Fake.crash,
    "segfault": Fake.segfault,
    "traceback": Fake.traceback,
    "half-a-line": Fake.half_a_line,
    "stall": Fake.stall,
    "late": Fake.late,
    "mute": Fake.mute,
    "unended": Fake.unended,
    "occupied": Fake.occupied,
    "says": Fake.says,
    "says-first": Fake.says_first,
    "twice": Fake.twice,
    "on-stderr": Fake.on_stderr,
    "flood": Fake.flood,
    "memory": Fake.memory,
}


if __name__ == "__main__":
    Fake(sys.argv[1], dict(key.split("=", 1) for key in sys.argv[2:])).run()
