"""Virtual environments for tools that are not in the developers' environment."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

__all__ = ["EnvironmentFailedError", "python_with"]


class EnvironmentFailedError(Exception):
    """Packages cannot be installed; the text is the output of pip."""


def python_with(requirements: Path, home: Path) -> Path:
    """Returns the Python of an environment with the requirements.

    The environment is made again when the requirements change. Raises EnvironmentFailedError.
    """
    python = home / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done, wanted = home / "installed.txt", requirements.read_text(encoding="utf-8")
    if not done.is_file() or done.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(home, ignore_errors=True)
        venv.create(home, with_pip=True)
        pip = ["-m", "pip", "install", "--disable-pip-version-check", "-q", "-r"]
        said = subprocess.run(
            [python, *pip, requirements], capture_output=True, text=True, check=False
        )
        if said.returncode != 0:
            raise EnvironmentFailedError(f"{requirements} cannot be installed:\n{said.stderr}")
        done.write_text(wanted, encoding="utf-8")
    return python
