"""The recipes of package managers: what is filled in, and what is refused."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

import build_stamp
from tests.support.paths import ROOT
from tools.release import recipes
from tools.release.targets import ReleaseError

URL = "https://example.org/releases/v1"
VERSION = build_stamp.find_version(ROOT)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A release with all the files that the templates name; each holds its own name."""
    folder = tmp_path / "release"
    folder.mkdir()
    lines = []
    for template in recipes.TEMPLATES.rglob("*.in"):
        text = template.read_text(encoding="utf-8").replace("@VERSION@", VERSION)
        for name in re.findall(r"@SHA256 (.*?)@", text):
            (folder / name).write_text(name, encoding="ascii")
    for file in sorted(folder.iterdir()):
        lines.append(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n")
    (folder / recipes.SUMS).write_text("".join(lines), encoding="ascii")
    return folder


def test_every_checksum_is_that_of_the_file_it_stands_beside(release: Path, tmp_path: Path) -> None:
    made = recipes.write_recipes(f"{URL}/", release, tmp_path / "out")
    assert len(made) == 5
    text = "\n".join(path.read_text(encoding="utf-8") for path in made)
    named = {line.split("  ")[1]: line[:64] for line in (release / recipes.SUMS).open()}
    assert len(named) > 5
    assert set(re.findall(r"\b[0-9a-f]{64}\b", text)) == {*named.values()}
    for name, digest in named.items():
        if f"{URL}/{name.strip()}" in text:  # an address is followed by its own checksum
            after = text.split(f"{URL}/{name.strip()}", 1)[1]
            assert re.findall(r"[0-9a-f]{64}", after)[0] == digest
    assert not re.search(r"@[A-Z]", text)


def test_the_manifests_of_winget_name_one_executable(release: Path, tmp_path: Path) -> None:
    made = recipes.write_recipes(URL, release, tmp_path / "out")
    manifests = [yaml.safe_load(path.read_text()) for path in made if path.suffix == ".yaml"]
    assert sorted(manifest["ManifestType"] for manifest in manifests) == [
        "defaultLocale", "installer", "version"
    ]  # fmt: skip
    assert {manifest["PackageVersion"] for manifest in manifests} == {VERSION}
    (installer,) = (m["Installers"] for m in manifests if m["ManifestType"] == "installer")
    name = f"pbrain-tengen-{VERSION}-windows-x86_64.exe"
    assert installer == [
        {
            "Architecture": "x64",
            "InstallerUrl": f"{URL}/{name}",
            "InstallerSha256": hashlib.sha256(name.encode()).hexdigest(),
        }
    ]


@pytest.mark.parametrize(
    ("file", "checker"), [("PKGBUILD", ["bash", "-n"]), ("tengen.rb", ["ruby", "-c"])]
)
def test_the_language_of_a_recipe_is_right(
    release: Path, tmp_path: Path, file: str, checker: list[str]
) -> None:
    recipes.write_recipes(URL, release, tmp_path / "out")
    if shutil.which(checker[0]) is None:
        pytest.skip(f"this machine has no {checker[0]}")
    done = subprocess.run(
        [*checker, tmp_path / "out" / file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_file_that_has_changed_is_refused(release: Path, tmp_path: Path) -> None:
    name = f"tengen-manual-{VERSION}.tar.gz"
    (release / name).write_text("another")
    with pytest.raises(ReleaseError, match=rf"{re.escape(name)} is not the file"):
        recipes.write_recipes(URL, release, tmp_path / "out")
    (release / name).unlink()
    with pytest.raises(ReleaseError, match=rf"{re.escape(name)} cannot be read"):
        recipes.write_recipes(URL, release, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_damaged_list_is_refused(release: Path, tmp_path: Path) -> None:
    (release / recipes.SUMS).write_text("no checksums\n")
    with pytest.raises(ReleaseError, match="SHA256SUMS is damaged"):
        recipes.write_recipes(URL, release, tmp_path / "out")


@pytest.mark.parametrize(
    "url", ["", "example.org", "http://example.org", "https://", "https://a b/", "https://a/$(x)"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ReleaseError, match=r"address|character"):
        recipes.check_url(url)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sha256 @SHA256 no-such-file@", "names no-such-file: the release has no such file"),
        ("name @NOBODY@", "has the place @NOBODY@, which nothing fills"),
    ],
)
def test_a_place_that_nothing_fills_is_refused(tmp_path: Path, text: str, said: str) -> None:
    template = tmp_path / "recipe.in"
    template.write_text(text)
    with pytest.raises(ReleaseError, match=said):
        recipes.fill(template, {"VERSION": "1"}, {})
    template.write_text('depends_on "python@3.13", "other@2"')
    assert recipes.fill(template, {}, {}) == template.read_text()
