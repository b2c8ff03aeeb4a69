"""Wine, with a Windows of its own under build/: programs of that system, run on this one."""

import contextlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from build_core import BUILD
from build_toolchain import BuildError

HOME = BUILD / "windows"
PREFIX = HOME / "wine"
PYTHON = HOME / "python" / "python.exe"
COMPILER = "x86_64-w64-mingw32-gcc"
START_S = 300.0
"""Time limit for the first start of wine, which takes some seconds on an idle machine."""
# The required programs, and their Debian packages.
NEEDED = {"wine": "wine wine64", COMPILER: "gcc-mingw-w64-x86-64-posix"}


def require(more: Mapping[str, str]) -> None:
    """Raises BuildError, naming the Debian packages, when a tool is missing.

    more: further tools, with their packages.
    """
    needed = NEEDED | dict(more)
    missing = [tool for tool in needed if shutil.which(tool) is None]
    if missing:
        packages = " ".join(needed[tool] for tool in missing)
        raise BuildError(
            f"the Windows packages are made with {', '.join(needed)}; this machine lacks "
            f"{', '.join(missing)}. On Debian, as root:\n    apt-get install {packages}"
        )


def environment() -> dict[str, str]:
    """The environment of a program under wine."""
    ours = {
        name: value
        for name, value in os.environ.items()
        # Paths of this system mean nothing there, and without a display no window can come up.
        if name not in ("DISPLAY", "PYTHONHOME", "PYTHONPATH", "WAYLAND_DISPLAY")
    }
    return ours | {
        "WINEPREFIX": str(PREFIX),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        # A new prefix would offer to install .NET and a browser.
        "WINEDLLOVERRIDES": "mscoree,mshtml=",
        "PYTHONPYCACHEPREFIX": windows_path(HOME / "pycache"),
    }


def windows_path(path: Path) -> str:
    """A path of this machine as a program under wine sees it."""
    return "Z:" + str(path.resolve()).replace("/", "\\")


def command(program: Path, *arguments: str) -> tuple[str, ...]:
    """Returns the command that starts a Windows program. It needs `environment()`."""
    return ("wine", str(program), *arguments)


def prepare() -> None:
    """Makes the Windows of our own, unless it is there. Raises BuildError."""
    if (PREFIX / "system.reg").exists():
        return
    PREFIX.mkdir(parents=True, exist_ok=True)
    try:
        _must_run("wineboot", "--init")
    except BuildError:
        shutil.rmtree(PREFIX, ignore_errors=True)  # half a Windows is none
        raise


def try_out() -> None:
    """Raises BuildError where wine is installed and runs no program, as in some containers."""
    prepare()
    _must_run("wine", "cmd", "/c", "exit")


def _must_run(*words: str) -> None:
    # Into a file: what wine has in the background holds a pipe open when the program has ended.
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                words,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=START_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError(f"wine does not run here: {error}") from None
        if done.returncode != 0:
            output.seek(0)
            said = output.read().decode(errors="replace")
            raise BuildError(f"{' '.join(words)} ended with {done.returncode}:\n{said}")


def run(program: Path, arguments: Sequence[str], *, hidden: Sequence[str] = ()) -> None:
    """Runs a program, printing what it says but the lines with a hidden text. Raises BuildError.

    Its output goes through a pipe: Python does not start there on a file of this system.
    """
    prepare()
    with subprocess.Popen(
        command(program, *arguments),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if not any(text in line for text in hidden):
                sys.stdout.write(line)
                sys.stdout.flush()
    if process.returncode != 0:
        raise BuildError(f"{program.name} under wine ended with {process.returncode}")


@contextlib.contextmanager
def kept_running() -> Iterator[None]:
    """Keeps wine's services and its desktop up meanwhile. Raises BuildError when they do not come.

    Without that they begin with the first program that needs them: who watches a program takes
    them for its children then. A one-file executable needs the desktop for a hidden window.
    """
    prepare()
    wait = "import ctypes, sys; ctypes.windll.user32.GetDesktopWindow(); "
    wait += "print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        command(PYTHON, "-c", wait),
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as keeper:
        assert keeper.stdin and keeper.stdout
        answers, _, _ = select.select([keeper.stdout], [], [], START_S)
        try:
            if not answers or not keeper.stdout.readline():
                keeper.kill()
                raise BuildError("wine does not start the Windows Python")
            yield
        finally:
            keeper.stdin.close()
            keeper.wait()
