"""Writes the recipes of package managers for a release: `make recipes URL=...`.

    python -m tools.release.recipes URL            from dist/release/, into dist/recipes/

URL is the address of the folder that the files of the release are downloaded from. The recipes are
made from packaging/recipes/: winget manifests, a Homebrew formula and an AUR PKGBUILD. Their
checksums are those of SHA256SUMS, which is first compared with the files themselves. In a template,

    @VERSION@, @DATE@, @URL@     stand for the version and date of this tree, and for URL
    @SHA256 FILE@                stands for the checksum of a file of the release
"""

import argparse
import hashlib
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import build_stamp

from .targets import ROOT, ReleaseError

TEMPLATES: Final = ROOT / "packaging" / "recipes"
SUFFIX: Final = ".in"
SUMS: Final = "SHA256SUMS"
# Not the name of a formula, as python@3.13.
_PLACE: Final = re.compile(r"@(SHA256 [^@\n]*|[A-Z]+)@")


def main() -> int:
    """Writes the recipes; returns 1 with the reason where that fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.release.recipes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", metavar="URL", help="where the files are downloaded from")
    parser.add_argument(
        "--release", type=Path, default=ROOT / "dist" / "release", help="default: dist/release/"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist" / "recipes", help="default: dist/recipes/"
    )
    args = parser.parse_args()
    try:
        for made in write_recipes(args.url, args.release, args.out):
            print(made)
    except (ReleaseError, build_stamp.StampError) as error:
        print(f"no recipes: {error}", file=sys.stderr)
        return 1
    return 0


def write_recipes(url: str, release: Path, out: Path) -> list[Path]:
    """Writes every recipe into a new folder. Raises ReleaseError, and writes nothing then."""
    named = {
        "VERSION": build_stamp.find_version(ROOT),
        "DATE": build_stamp.find_date(ROOT),
        "URL": check_url(url),
    }
    sums = read_sums(release)
    texts = {
        path.relative_to(TEMPLATES).with_suffix(""): fill(path, named, sums)
        for path in sorted(TEMPLATES.rglob(f"*{SUFFIX}"))
    }
    shutil.rmtree(out, ignore_errors=True)
    made = []
    for name, text in texts.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        made.append(target)
    return made


def check_url(url: str) -> str:
    """Returns an address without a slash at its end. Raises ReleaseError for what is none."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.netloc or not re.fullmatch(r"[!-~]+", url):
        raise ReleaseError(f"{url!r} is no address: expected https://HOST/FOLDER")
    if {*url} & {"'", '"', "\\", "$", "`", "@"}:
        raise ReleaseError(f"{url!r} has a character with a meaning of its own in a recipe")
    return url.rstrip("/")


def read_sums(release: Path) -> dict[str, str]:
    """Returns the checksums of a release by file. Raises ReleaseError where a file differs."""
    listed = release / SUMS
    try:
        lines = listed.read_text(encoding="ascii").splitlines()
        sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
        for name, digest in sums.items():
            if hashlib.sha256((release / name).read_bytes()).hexdigest() != digest:
                raise ReleaseError(f"{release / name} is not the file that {SUMS} names")
    except OSError as error:
        raise ReleaseError(
            f"{error.filename} cannot be read ({error.strerror}): make release first"
        ) from None
    except ValueError:
        raise ReleaseError(f"{listed} is damaged: expected lines of sha256sum") from None
    return sums


def fill(template: Path, named: Mapping[str, str], sums: Mapping[str, str]) -> str:
    """Returns the text of a template. Raises ReleaseError for a place that nothing fills."""
    text = template.read_text(encoding="utf-8")
    for name, value in named.items():
        text = text.replace(f"@{name}@", value)

    def put(place: re.Match[str]) -> str:
        kind, _, file = place[1].partition(" ")
        if kind != "SHA256":
            raise ReleaseError(f"{template.name} has the place {place[0]}, which nothing fills")
        if file not in sums:
            raise ReleaseError(f"{template.name} names {file}: the release has no such file")
        return sums[file]

    return _PLACE.sub(put, text)


if __name__ == "__main__":
    sys.exit(main())
