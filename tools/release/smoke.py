"""Runs inside the Python of a system to be tried, with nothing but a wheel: see trial.py.

    python smoke.py FOLDER SIGNATURE

FOLDER is put in front of sys.path, unless it is empty. The bench must have the SIGNATURE, and the
functions of the package must answer as they do everywhere. The last line of the output is JSON.
Keep this file free of other modules of the project.
"""

import argparse
import json
import platform
import sys


def check_api() -> list[str]:
    """Uses the package as a script does, and returns what it has checked."""
    from pyengine import Engine, EngineError, Game, Position, Rule

    checked = []
    for rule in Rule:
        with Engine(rule=rule, memory_mib=4) as engine:
            assert engine.search(nodes=300).move is not None, rule
    checked.append(f"search under {len(Rule)} rules")
    renju = Position.from_text("h8 a1 j8 a2 i7 a3 i9 a4", rule="renju")
    assert list(renju.forbidden) == ["i8"], renju.forbidden
    checked.append("forbidden moves")
    with Engine(memory_mib=4) as engine, engine.analyse(renju, lines=2, depth=4) as analysis:
        analysis.result()
        view = analysis.view()
        assert view is not None and len(view.lines) == 2, view
    checked.append("analysis")
    game = Game.from_text("h8 i9 j10")
    assert game.moves == ["h8", "i9", "j10"] and not game.is_over
    checked.append("games")
    try:
        Position.from_text("h8 z99")
    except EngineError as error:
        assert "off the board" in str(error), error
    else:
        raise AssertionError("z99 was taken as a square")
    checked.append("errors")
    return checked


def main() -> int:
    """Runs the bench and the checks; returns 1 where the signature is another one."""
    parser = argparse.ArgumentParser(prog="smoke.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("signature", metavar="SIGNATURE")
    given = parser.parse_args()
    folder, expected = given.folder, given.signature
    if folder:
        sys.path.insert(0, folder)
    from pyengine import bench, cpu_path
    from pyengine.__main__ import FNV_OFFSET, sign
    from pyengine.stamp import read_stamp

    signature, nodes, time_us = FNV_OFFSET, 0, 0
    for row in bench():
        signature = sign(signature, row)
        nodes, time_us = nodes + row.nodes, time_us + row.time_us
    said = {
        "signature": f"0x{signature:016x}",
        "nodes_per_s": nodes * 1_000_000 // max(1, time_us),
        "cpu_path": cpu_path(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "stamp": str(read_stamp()),
        "checked": check_api(),
    }
    print(json.dumps(said))
    return 0 if said["signature"] == expected else 1


if __name__ == "__main__":
    sys.exit(main())
