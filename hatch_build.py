"""The wheel's build hook: compiles the core with build_core.py and puts it into the package."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CoreHook(BuildHookInterface[Any]):
    """Adds the library and the declarations; the wheel serves every Python 3 of one platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds apart from the tree; an editable install uses the tree's own build."""
        sys.path.insert(0, self.root)
        import build_core
        import build_lock

        toolchain = build_core.find_toolchain()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{build_core.platform_tag()}"
        if version == "editable":
            with build_lock.one_build():
                build_core.build_package_files(
                    build_core.PACKAGE, build_core.Builder("release", toolchain)
                )
            return
        self._folder = Path(tempfile.mkdtemp(prefix="tengen-wheel-"))
        builder = build_core.Builder("release", toolchain, self._folder)
        for file in build_core.build_package_files(self._folder / "pyengine", builder):
            build_data["force_include"][str(file)] = f"pyengine/{file.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what was built apart."""
        if version != "editable":
            shutil.rmtree(self._folder, ignore_errors=True)
