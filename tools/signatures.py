"""Compares the bench signature of every build: `python -m tools.signatures`, or `make signatures`.

The bench must search the same tree with every installed compiler (with ziglang's only where clang
is missing), in the release and the plain build, for the baseline processor and for AVX2 if this
processor has it. The expected signature is in tests/data/bench_signature.txt. The exit code is 1 if
a build fails or differs.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from build_toolchain import zig_command

ROOT: Final = Path(__file__).resolve().parent.parent
EXPECTED: Final = ROOT / "tests" / "data" / "bench_signature.txt"
CPU_INFO: Final = Path("/proc/cpuinfo")
_BEGIN: Final = "signature "


@dataclass(frozen=True)
class Build:
    """One way to compile the bench."""

    variant: str
    compiler: str
    cpu: str

    def __str__(self) -> str:
        """Returns the build as text."""
        return f"{self.variant}, {self.compiler}, {self.cpu}"


class SignatureError(Exception):
    """A build failed or printed no signature; the text is its output."""


def builds() -> Iterator[Build]:
    """Yields the builds that this machine can make and run."""
    yield Build("plain", "cc", "baseline")
    has_avx2 = CPU_INFO.is_file() and "avx2" in CPU_INFO.read_text(encoding="ascii").split()
    compilers = [name for name in ("cc", "clang") if shutil.which(name)]
    if "clang" not in compilers and (zig := zig_command()):
        compilers.append(shlex.join(zig))
    for compiler in compilers:
        for cpu in ("baseline", "avx2") if has_avx2 else ("baseline",):
            yield Build("release", compiler, cpu)


def signature_of(build: Build) -> str:
    """Builds the bench, runs it, and returns the signature. Raises SignatureError."""
    words = ["--variant", build.variant, "--cc", build.compiler, "--cpu", build.cpu]
    done = subprocess.run(
        [sys.executable, ROOT / "build_core.py", *words, "--run", "bench_main"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    found = [line for line in done.stdout.splitlines() if line.startswith(_BEGIN)]
    if done.returncode != 0 or len(found) != 1:
        raise SignatureError(f"{build}: no signature, exit code {done.returncode}\n{done.stdout}")
    return found[0].removeprefix(_BEGIN)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each build; returns 1 if one differs."""
    parser = argparse.ArgumentParser(prog="python -m tools.signatures", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.parse_args(arguments)
    expected = EXPECTED.read_text(encoding="ascii").strip()
    made = list(builds())
    status = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for build, signature in zip(made, pool.map(signature_of, made), strict=True):
                print(f"signature {signature}  {build}", flush=True)
                if signature != expected:
                    print(f"{build}: expected {expected}, as in {EXPECTED.name}", file=sys.stderr)
                    status = 1
        except SignatureError as error:
            print(error, file=sys.stderr)
            return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
