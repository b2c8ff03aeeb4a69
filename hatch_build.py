"""The engine's build hook.

A wheel gets the package under its installed names, the compiled core and its stamp; an sdist gets
the commit that it is made from.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CoreHook(BuildHookInterface[Any]):
    """Adds package, library and declarations; the wheel serves every Python 3 of one platform."""

    _folder: Path

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds outside the tree, with $CC for $TENGEN_PLATFORM_TAG if they are set.

        $TENGEN_OBJECTS, a folder under build/ of this tree, keeps the objects for the next build.
        """
        self._folder = Path(tempfile.mkdtemp(prefix="tengen-build-"))
        try:
            self._build(version, build_data)
        except BaseException:  # hatchling calls finalize() after a complete build only
            self._remove()
            raise

    def _build(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        import build_core
        import build_stamp
        import build_toolchain
        import installed_names

        if self.target_name == "sdist":
            commit = self._folder / build_stamp.COMMIT_FILE
            commit.write_text(build_stamp.find_commit(Path(self.root)) + "\n", encoding="ascii")
            build_data["force_include"][str(commit)] = commit.name
            return
        if version == "editable":
            raise build_toolchain.BuildError(
                "an editable installation is not supported: in the source tree, "
                "run `make core` and use `python -m protocol` and `import pyengine`"
            )
        build_data["pure_python"] = False
        tag = os.environ.get("TENGEN_PLATFORM_TAG") or build_core.platform_tag()
        build_data["tag"] = f"py3-none-{tag}"
        made = installed_names.copy_packages(
            Path(self.root), installed_names.ENGINE, self._folder / "site"
        )
        for file in made:
            inside = file.relative_to(self._folder / "site")
            build_data["force_include"][str(file)] = inside.as_posix()
        for file in self._compile(self._folder / "pyengine"):
            build_data["force_include"][str(file)] = f"pyengine/{file.name}"
        stamp = build_stamp.write_stamp(Path(self.root), self._folder)
        build_data["force_include"][str(stamp)] = f"pyengine/{stamp.name}"
        if tag.startswith("win"):
            licence = Path(self.root, "packaging", "licences", "mingw-w64.txt")
            metadata = f"{self.build_config.builder.project_id}.dist-info"
            build_data["force_include"][str(licence)] = f"{metadata}/licenses/{licence.name}"

    def _compile(self, target: Path) -> list[Path]:
        """Builds the libraries and declarations into a folder."""
        import build_core
        import build_toolchain
        from build_lock import one_build

        toolchain = build_toolchain.find_toolchain()
        kept = os.environ.get("TENGEN_OBJECTS")
        if not kept:
            builder = build_core.Builder("release", toolchain, self._folder)
            return build_core.build_package_files(target, builder)
        folder = Path(self.root, kept).resolve()
        if not folder.is_relative_to(build_core.BUILD):  # objects of other sources look the same
            raise build_toolchain.BuildError(
                f"TENGEN_OBJECTS is {folder}, not under {build_core.BUILD}"
            )
        with one_build():
            builder = build_core.Builder("release", toolchain, folder)
            return build_core.build_package_files(target, builder)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the build."""
        self._remove()

    def _remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
