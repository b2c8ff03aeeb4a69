"""The pages of the site that are not in docs/: top-level documents, the API, a page with the board.

MkDocs calls these functions by their names.
"""

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).resolve().parents[2]
TOP: Final = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
BOARD: Final = ROOT / "dist" / "tengen-board.html"
# A page that is opened from a folder may not start a worker, so the search needs this library.
# Material would load it from the network, but the site works without one.
IFRAME_WORKER: Final = ROOT / "web" / "node_modules" / "iframe-worker"
SHIM: Final = "assets/javascripts/iframe-worker.js"
API: Final = """# API

The package `pyengine` is the engine for scripts. [Analysis in Python](analysis.md) introduces it.

::: pyengine
    options:
      heading_level: 2
      show_root_toc_entry: false
"""
HERE: Final = f"""---
hide: [navigation, toc]
---

# Play here

The board needs no server and no network ([what it can do](board.md)). You can also
[open it in a window of its own]({BOARD.name}).

<iframe src="{BOARD.name}" title="Tengen's board" height="860"
style="border: 0; margin: 0 -0.8rem; width: calc(100% + 1.6rem)"></iframe>
"""


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that do not stand in docs/."""
    for name in TOP:
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=_inside(text)))
    files.append(File.generated(config, "api.md", content=API))
    files.append(File.generated(config, "here.md", content=HERE))
    files.append(File.generated(config, BOARD.name, content=BOARD.read_bytes()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Turns the links to documents of the top level into links within the site."""
    markdown = re.sub(r"\]\(\.\./README\.md\)", "](index.md)", markdown)
    names = "|".join(map(re.escape, TOP))
    return re.sub(rf"\]\(\.\./({names})", r"](\1", markdown)


def on_post_build(config: Any) -> None:
    """Writes the library of the search into the site."""
    licence = (IFRAME_WORKER / "LICENSE").read_text(encoding="utf-8")
    code = (IFRAME_WORKER / "shim" / "index.js").read_text(encoding="utf-8")
    shim = Path(config["site_dir"]) / SHIM
    shim.write_text(f"/*!\n{licence}*/\n{code}", encoding="utf-8")


def _inside(text: str) -> str:
    """A document of the top level, whose links begin there, as a page of the site."""
    return text.replace("](docs/", "](").replace("](README.md)", "](index.md)")
