"""Builds the board: dist/tengen-board.html, one file that needs no server and no network.

    python web/build.py                the page
    python web/build.py --core         build/web/core.wasm alone
    python web/build.py --types        only checks the types of the scripts

The core is compiled to WebAssembly by `ziglang` from PyPI, in an environment of its own under
build/web/. The scripts are bundled by esbuild from npm. Everything is put into one HTML file:
scripts, style, the compiled core. Its content security policy allows nothing from outside.
"""

import argparse
import ast
import base64
import gzip
import hashlib
import html
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
WEB: Final = ROOT / "web"
BUILD: Final = ROOT / "build" / "web"
CORE: Final = BUILD / "core.wasm"
PAGE: Final = ROOT / "dist" / "tengen-board.html"
SOURCES: Final = ROOT / "csrc"
# Programs of their own, and the source for a library whose weights lie elsewhere.
LEFT_OUT: Final = {"bench_main.c", "bench_make.c", "bench_smp.c", "embedded_none.c"}
FLAGS: Final = [
    "-target",
    "wasm32-wasi",
    "-mexec-model=reactor",
    "-O3",
    "-msimd128",
    "-DNDEBUG",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-s",
    "-Wl,--export-memory",
]


class BoardError(Exception):
    """The page cannot be built; the text is for the user."""


def run(command: Sequence[str | Path], **environment: str) -> str:
    """Runs a command in web/ and returns what it printed.

    Raises BoardError with the command's output when it fails or cannot be found.
    """
    try:
        done = subprocess.run(
            [str(word) for word in command],
            cwd=WEB,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise BoardError(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise BoardError(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def stamp(paths: Sequence[Path]) -> str:
    """Returns a hash over files and their names."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def is_current(made: Path, mark: str) -> bool:
    """Whether a file was made from what the mark says."""
    noted = made.with_name(made.name + ".stamp")
    return made.is_file() and noted.is_file() and noted.read_text() == mark


def note(made: Path, mark: str) -> None:
    """Remembers what a file was made from."""
    made.with_name(made.name + ".stamp").write_text(mark)


def zig() -> list[str]:
    """Returns the command of the compiler, installed on first use."""
    home = BUILD / "venv"
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    requirements = WEB / "requirements.txt"
    mark = requirements.read_text()
    if not is_current(home / "pyvenv.cfg", mark):
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        install = ["-m", "pip", "install", "--disable-pip-version-check", "-q", "-r"]
        run([python, *install, requirements])
        note(home / "pyvenv.cfg", mark)
    return [str(python), "-m", "ziglang"]


def build_core() -> Path:
    """Compiles the core to WebAssembly where a source has changed."""
    BUILD.mkdir(parents=True, exist_ok=True)
    every = [p for p in SOURCES.rglob("*") if p.is_file()] + [WEB / "core" / "web.c"]
    mark = stamp([*every, Path(__file__).resolve()])
    if is_current(CORE, mark):
        return CORE
    sources = [p for p in sorted(SOURCES.rglob("*.c")) if p.name not in LEFT_OUT]
    print("compiling the core to WebAssembly", flush=True)
    inputs: list[str | Path] = [WEB / "core" / "web.c", *sources]
    run(
        [*zig(), "cc", *FLAGS, f"-I{SOURCES}", *inputs, "-o", CORE],
        ZIG_GLOBAL_CACHE_DIR=str(BUILD / "zig"),
        ZIG_LOCAL_CACHE_DIR=str(BUILD / "zig"),
    )
    note(CORE, mark)
    return CORE


def node_modules() -> Path:
    """Installs the pinned npm packages where they are missing, and returns their folder."""
    lock = WEB / "package-lock.json"
    folder = WEB / "node_modules"
    mark = lock.read_text()
    if not is_current(folder / ".package-lock.json", mark):
        if shutil.which("npm") is None:
            raise BoardError("npm is missing. On Debian, as root:\n    apt-get install nodejs npm")
        run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        note(folder / ".package-lock.json", mark)
    return folder


def bundle(entry: str) -> str:
    """Returns a script of web/src/ with everything that it imports, as one plain script."""
    esbuild = node_modules() / ".bin" / "esbuild"
    return run(
        [
            esbuild,
            f"src/{entry}",
            "--bundle",
            "--format=iife",
            "--target=es2022",
            "--charset=utf8",
            "--minify",
            "--legal-comments=none",
        ]
    )


def script_text(text: str) -> str:
    """Returns a script as it may stand between script tags."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def policy(scripts: Sequence[str]) -> str:
    """Returns the content security policy: the page's own scripts by their hashes, and no more."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'"
        for s in scripts
    )
    return (
        "default-src 'none'; "
        f"script-src {hashes} 'wasm-unsafe-eval' blob:; worker-src blob:; "
        "style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )


def swap2_openings() -> str:
    """Returns the swap2 openings of the protocol as JSON: the page offers the same ones."""
    source = (ROOT / "protocol" / "swap2.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if (
            isinstance(node, ast.AnnAssign)
            and ast.unparse(node.target) == "_OPENINGS"
            and node.value
        ):
            return json.dumps(ast.literal_eval(node.value), separators=(",", ":"))
    raise BoardError("protocol/swap2.py has no _OPENINGS")


def licenses() -> str:
    """Returns the licence of the page, and those of the libraries in it."""
    texts = [f"Tengen\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8').strip()}"]
    for name in json.loads((WEB / "package.json").read_text(encoding="utf-8"))["dependencies"]:
        folder = node_modules() / name
        files = sorted(folder.glob("LICEN[CS]E*"))
        if not files:
            raise BoardError(f"{name} has no licence in {folder}")
        texts.append(f"{name}\n\n{files[0].read_text(encoding='utf-8').strip()}")
    return "\n\n\n".join(texts)


def check_types() -> None:
    """Checks the JSDoc types of the scripts with tsc."""
    run([node_modules() / ".bin" / "tsc", "--noEmit", "-p", "."])


def build_page() -> Path:
    """Writes the page and returns its path."""
    wasm = build_core().read_bytes()
    app, worker = script_text(bundle("main.js")), bundle("worker.js")
    styles = (WEB / "src" / name for name in ("board.css", "style.css"))
    style = "".join(path.read_text(encoding="utf-8") for path in styles)
    version = re.search(r'__version__ = "(.+)"', (ROOT / "pyengine/__init__.py").read_text())
    # gzip -9 without a time, so that equal input gives equal bytes
    packed = base64.b64encode(gzip.compress(wasm, 9, mtime=0)).decode()
    page = (WEB / "index.html").read_text(encoding="utf-8")
    parts = {
        "POLICY": policy([app]),
        "LICENSES": html.escape(licenses(), quote=False),
        "STYLE": style,
        "WORKER": script_text(worker),
        "OPENINGS": swap2_openings(),
        "WASM": packed,
        "APP": app,
        "VERSION": version[1] if version else "",
    }
    for name, text in parts.items():
        marker = f"@@{name}@@"
        if marker not in page:
            raise BoardError(f"web/index.html has no {marker}")
        page = page.replace(marker, text)
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page, encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {PAGE.stat().st_size / 1e6:.2f} MB")
    return PAGE


def main() -> int:
    """Builds what was asked for; 1 with the reason when that fails."""
    parser = argparse.ArgumentParser(prog="web/build.py", description="Builds the board.")
    parser.add_argument("--core", action="store_true", help="only the core")
    parser.add_argument("--types", action="store_true", help="only check the types of the scripts")
    asked = parser.parse_args()
    try:
        if asked.types:
            check_types()
        elif asked.core:
            build_core()
        else:
            build_page()
    except BoardError as error:
        print(f"board: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
