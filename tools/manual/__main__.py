"""Writes the man pages and the shell completion of both programs into a folder.

    python -m tools.manual                 into dist/manual/, or `make manual`
    python -m tools.manual --out ~/.local  where man, bash and zsh look for them

The folder gets share/man/man1/, share/bash-completion/completions/ and share/zsh/site-functions/.
"""

import argparse
import sys
from pathlib import Path

import shtab

import build_stamp

from .pages import pages_of
from .parsers import arena_parser, engine_parser

ROOT = Path(__file__).resolve().parents[2]
PURPOSES = {
    "tengen": "a Gomoku and renju engine",
    "tengen-arena": "matches, tournaments and tests of Gomoku engines",
}
COMPLETIONS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
}


def write_all(folder: Path, date: str) -> list[Path]:
    """Writes pages and completion into a folder and returns the files.

    date: of the pages, YYYY-MM-DD.
    """
    version = build_stamp.find_version(ROOT)
    texts: dict[str, str] = {}
    for parser in (engine_parser(), arena_parser()):
        for shell, path in COMPLETIONS.items():
            texts[path.format(parser.prog)] = shtab.complete(parser, shell)
        for name, text in pages_of(parser, PURPOSES[parser.prog], version, date).items():
            texts[f"share/man/man1/{name}"] = text
    made = []
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        made.append(file)
    return made


def main() -> int:
    """Writes what the command line asks for; returns 0, or 1 with the reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.manual",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = ROOT / "dist" / "manual"
    parser.add_argument("--out", type=Path, default=default, help="the folder (dist/manual/)")
    args = parser.parse_args()
    try:
        made = write_all(args.out, build_stamp.find_date(ROOT))
    except (OSError, build_stamp.StampError) as error:
        print(f"no manual: {error}", file=sys.stderr)
        return 1
    print(f"{len(made)} files in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
