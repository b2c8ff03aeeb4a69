"""`tengen-arena board`: the board in the browser, with native engines and any Piskvork brain."""

import argparse
import asyncio
import os
import threading
import webbrowser
from pathlib import Path

from ..board.keeping import Keeper
from ..engines.arguments import file_path, whole_number
from ..engines.brain import CommandError
from ..engines.spec import EngineSpec, distinct, with_options
from ..match.arguments import engine_argument, info_argument
from ..play.engine import default_engine
from ..run.store import StoreError, read_store
from ..util.exits import Exit, exit_lines
from ..util.output import complain, say
from ..util.paths import is_file

__all__ = ["DESCRIPTION", "HELP", "add_arguments", "run"]

HELP = "serve the board in the browser, with native engines"
DESCRIPTION = f"""\
Serves the board page on 127.0.0.1 and opens it in the browser. Native engines play at the page:
Tengen, and every BRAIN of the command line. Two engines play each other, or one plays you. The
clocks, memory limits and referee are those of a match. Analysis at the page runs in the native
Tengen. Ctrl-C ends the server and every engine.

  tengen-arena board                           you and Tengen
  tengen-arena board ./pbrain-one TWO="./pbrain-two --fast"
  tengen-arena board ./pbrain-one --no-browser --port 8000

The address contains a random token. Only this machine can connect, and only with the token.
Finished games are written to --out: games.jsonl, psq/ and sgf/. The server needs aiohttp:
pip install 'tengen-arena[board]'. In the source tree, `make board` builds the page.

{exit_lines(Exit.USAGE, Exit.STOPPED)}
"""

ROOT = Path(__file__).resolve().parents[2]
PAGE = "tengen-board.html"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    add = parser.add_argument
    add(
        "brains",
        type=engine_argument,
        nargs="*",
        metavar="BRAIN",
        help='engine: a path, or a command line in quotes; may have a name: NEW="./brain"',
    )
    add("--port", type=whole_number(0, 65535), default=0, help="port (default: any free one)")
    add("--no-browser", action="store_true", help="print the address; do not open it")
    add(
        "--out",
        type=file_path,
        metavar="FOLDER",
        help="folder of the games (default: arena-games/board-NNN)",
    )
    add(
        "--threads",
        type=whole_number(1, 256),
        default=os.cpu_count() or 1,
        metavar="N",
        help="search threads of Tengen (default: one for each processor)",
    )
    add(
        "--info",
        type=info_argument,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="send INFO KEY VALUE to every BRAIN; may be repeated",
    )
    add("--page", type=file_path, metavar="FILE", help="file of the page (default: the built one)")


def run(args: argparse.Namespace) -> int:
    """Serves until Ctrl-C; returns the exit code where that cannot be."""
    try:
        from ..board import server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "aiohttp":
            raise
        return _wrong(f"needs {error.name}: pip install 'tengen-arena[board]'")
    page = args.page or _built_page()
    if page is None or not is_file(page):
        named = f"{page}: there is no such file" if page else "this installation has no page"
        return _wrong(
            f"{named}; name one with --page: tengen-board-VERSION.html of the release, "
            f"or dist/{PAGE} after `make board` in the source tree"
        )
    brains, own = _brains(args)
    try:
        if args.out is not None:
            read_store(args.out / "games.jsonl")
        asyncio.run(
            server.serve(
                page,
                brains,
                Keeper(args.out),
                own=own,
                port=args.port,
                on_address=lambda address: _tell(address, open_it=not args.no_browser),
            )
        )
    except (OSError, StoreError, ValueError) as error:
        return _wrong(str(error))
    except asyncio.CancelledError:  # by SIGTERM; Ctrl-C comes as KeyboardInterrupt
        return Exit.TERMINATED
    return Exit.DONE


def _brains(args: argparse.Namespace) -> tuple[list[EngineSpec], str | None]:
    """Returns Tengen, where it is installed, and the brains that are named; and Tengen's name."""
    named = [with_options(brain, info=args.info) for brain in args.brains]
    try:
        tengen = default_engine()
    except CommandError:
        return distinct(named), None
    tengen = with_options(tengen, info=[("thread_num", str(args.threads))])
    return distinct([tengen, *named]), tengen.name


def _built_page() -> Path | None:
    """Returns the page beside this package, else the one that `make board` has written."""
    places = (ROOT / "arena" / "board" / PAGE, ROOT / "dist" / PAGE)
    return next((place for place in places if is_file(place)), None)


def _tell(address: str, *, open_it: bool) -> None:
    say(f"board     {address}", "Ctrl-C ends it and every brain")
    if open_it:
        # A browser that stays in the foreground must not hold up the server.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _wrong(text: str) -> int:
    complain(f"tengen-arena board: error: {text}")
    return Exit.USAGE
