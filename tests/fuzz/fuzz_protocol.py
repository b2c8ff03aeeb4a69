"""Fuzzes the protocol session, led by coverage: `make fuzz`, or with libFuzzer's arguments

python -m tests.fuzz.fuzz_protocol [FOLDER ...] [-max_total_time=60]
"""

import sys

import atheris

with atheris.instrument_imports(include=["protocol", "pyengine"]):
    from tests.fuzz.session import play


def main() -> None:
    """Plays inputs until one goes wrong or the time is up."""
    atheris.Setup(sys.argv, play)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
