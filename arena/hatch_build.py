"""The arena's build hook: `arena/` and `records/` as the one package `tengen_arena`, and the board.

The project's root is this folder. In the source tree, `records/` and `installed_names.py` lie one
level above it; the sdist holds copies, and this folder as `arena/`.
"""

import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "tengen-board.html"
"""The board in one file, which `make board` writes to dist/ of the tree."""


class ArenaHook(BuildHookInterface[Any]):
    """Adds the package under its installed name; the wheel is pure Python."""

    _folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the page of the board; to a wheel, the package with its imports rewritten."""
        here = Path(self.root)
        tree = here if (here / "installed_names.py").is_file() else here.parent
        page = tree / "dist" / PAGE
        if not page.is_file():
            self.app.display_warning(
                f"{self.target_name}: {page} is missing, so `tengen-arena board` will need --page; "
                "run `make board` first"
            )
        if self.target_name == "sdist":
            if page.is_file():
                build_data["force_include"][str(page)] = f"dist/{PAGE}"
            return
        sys.path.insert(0, str(tree))
        import installed_names

        if version == "editable":
            raise ValueError(
                "an editable installation is not supported: in the source tree, "
                "use `python -m arena`"
            )
        self._folder = Path(tempfile.mkdtemp(prefix="tengen-arena-wheel-"))
        for file in installed_names.copy_packages(tree, installed_names.ARENA, self._folder):
            inside = file.relative_to(self._folder)
            build_data["force_include"][str(file)] = inside.as_posix()
        if page.is_file():
            build_data["force_include"][str(page)] = f"tengen_arena/board/{PAGE}"
        board = runpy.run_path(str(tree / "arena" / "page" / "modules.py"))
        for name in board["FILES"]:
            source = tree / "web" / "src" / name
            build_data["force_include"][str(source)] = f"tengen_arena/page/board/{name}"
        build_data["force_include"][str(tree / "LICENSE")] = "tengen_arena/LICENSE"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the copies."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
