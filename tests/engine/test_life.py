"""The life of an engine: threads, closing, memory, and finding its library."""

import ctypes
import gc
import platform
import shutil
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import build_core
import build_toolchain
from pyengine import (
    ClosedError,
    Color,
    Engine,
    EngineError,
    Limits,
    OutOfRangeError,
    SearchResult,
    fill_cache,
    resident_bytes,
    trim_heap,
)

MIB = 2**20


class Searching:
    """Runs a search without limits in a thread."""

    def __init__(self, e: Engine) -> None:
        self.results: list[SearchResult | EngineError] = []
        self._thread = threading.Thread(target=self._search, args=(e,), daemon=True)
        e.set_position(black=[(7, 7)], white=[(8, 9)], to_move=Color.BLACK)
        self._thread.start()
        deadline = time.monotonic() + 60
        while not e.progress() and time.monotonic() < deadline:
            time.sleep(0.001)

    def _search(self, e: Engine) -> None:
        try:
            self.results.append(e.search(Limits()))
        except EngineError as error:
            self.results.append(error)

    def join(self) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive(), "the search does not end"


FIRST = """
import sys, threading
from pyengine import Engine
sys.setswitchinterval(1e-6)
together, made = threading.Barrier(8), []
def make():
    together.wait()
    with Engine(memory_mib=1) as engine:
        made.append(engine.rule)
threads = [threading.Thread(target=make) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(made))
"""


def test_the_first_engines_are_made_in_several_threads_at_once(root: Path) -> None:
    """The first one loads the library and its weights."""
    done = subprocess.run([sys.executable, "-c", FIRST], cwd=root, capture_output=True, check=False)
    assert done.stdout.strip() == b"8", done.stderr.decode()


def test_stop_from_another_thread() -> None:
    with Engine(memory_mib=4) as e:
        searching = Searching(e)
        e.stop()
        searching.join()
        assert isinstance(searching.results[0], SearchResult)


def test_a_stop_between_arming_and_searching_is_not_lost() -> None:
    with Engine(memory_mib=4) as e:
        e.arm()
        e.stop()
        e.search(Limits(), armed=True)  # would otherwise never end
        started = time.monotonic()
        e.stop()
        e.search(Limits(time_ms=50, lines=1))  # arms itself, so the old stop is cleared
        assert time.monotonic() - started >= 0.02 or e.progress()


def test_an_old_stop_does_not_hide_a_win() -> None:
    with Engine(memory_mib=1) as e:
        e.set_position(black=[(x, 7) for x in range(5, 9)], white=[(0, 0), (2, 0), (4, 0), (0, 14)])
        e.stop()
        assert e.vcf() is not None
        for bad in (0, -1, 2**63):
            with pytest.raises(OutOfRangeError):
                e.vcf(max_nodes=bad)


def test_other_threads_run_while_the_engine_thinks() -> None:
    with Engine(memory_mib=4) as e:
        searching = Searching(e)
        count = sum(1 for _ in range(100_000))
        assert count == 100_000 and not searching.results
        e.stop()
        searching.join()


def test_a_call_from_another_thread_waits_for_the_search() -> None:
    with Engine(memory_mib=4) as e:
        searching = Searching(e)
        threading.Timer(0.05, e.stop).start()
        assert e.legal((0, 0))  # only possible after the search
        searching.join()


def test_close_stops_a_search_and_waits_for_it() -> None:
    for _ in range(5):
        e = Engine(memory_mib=4)
        searching = Searching(e)
        e.close()
        searching.join()
        assert isinstance(searching.results[0], SearchResult | ClosedError)


def test_close_and_stop_from_many_threads() -> None:
    for _ in range(20):
        e = Engine(memory_mib=1)

        def pester(e: Engine = e) -> None:
            try:
                while True:
                    e.stop()
                    e.arm()
                    e.progress()
            except ClosedError:
                pass

        def think(e: Engine = e) -> None:
            try:
                while True:
                    e.search(Limits(time_ms=1))
            except ClosedError:
                pass

        threads = [threading.Thread(target=work) for work in (pester, think, think)]
        for thread in threads:
            thread.start()
        time.sleep(0.005)
        e.close()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()


def test_freed_with_the_object_without_the_collector() -> None:
    gc.disable()
    try:
        e = Engine(size=5, memory_mib=1)
        e.search(Limits(time_ms=5))
        seen: list[weakref.ref[Any]] = [weakref.ref(e), weakref.ref(e._guard.open())]
        del e
        assert [ref() for ref in seen] == [None, None]
    finally:
        gc.enable()


def test_memory_goes_back() -> None:
    gc.disable()
    try:
        for round_ in range(40):
            e = Engine(memory_mib=32)
            e.search(Limits(time_ms=5))
            if round_ == 2:
                before = resident_bytes()
        assert resident_bytes() - before < 80 * MIB
    finally:
        gc.enable()


def test_the_table_is_allocated_on_first_use() -> None:
    with Engine(memory_mib=1):  # what every engine needs once is there after this
        pass
    before = resident_bytes()
    with Engine(memory_mib=1024) as e:
        e.play((7, 7))
        assert before > 0
        assert resident_bytes() - before < 64 * MIB
        e.resize_table(0.5)
        assert e.legal(e.search(Limits(time_ms=20)).move)
        for bad in (0, -1.0, float("nan")):
            with pytest.raises(OutOfRangeError):
                e.resize_table(bad)


@pytest.mark.linux
@pytest.mark.parametrize("threads", [1, 2])
def test_a_reset_keeps_the_memory_of_a_filled_table(threads: int) -> None:
    """A filled table keeps its pages, because new ones would cost the next first move time."""
    with Engine(size=15, memory_mib=16, threads=threads) as e:
        start = resident_bytes()
        e.search(Limits(nodes=1000))
        e.reset()
        assert resident_bytes() - start < 10 * MIB
        for _ in range(2):
            e.play((7, 7))
            e.search(Limits(nodes=50_000))
            e.reset()
            assert resident_bytes() - start > 16 * MIB
        e.clear_table()
        assert resident_bytes() - start < 4 * MIB


@pytest.mark.linux
def test_what_is_free_in_the_heap_goes_back() -> None:
    """Free memory returns to the system, also below blocks in use."""
    blocks = [bytearray(2_000) for _ in range(20_000)]
    held = blocks[::1000]
    before = resident_bytes()
    del blocks
    assert before - resident_bytes() < 10 * MIB
    trim_heap()
    assert before - resident_bytes() > 25 * MIB
    assert all(len(block) == 2_000 for block in held)


class _MallInfo(ctypes.Structure):
    """The statistics of glibc's heaps, in bytes."""

    _fields_ = [(f"field_{i}", ctypes.c_size_t) for i in range(7)] + [
        (name, ctypes.c_size_t) for name in ("used", "free", "top")
    ]


def heap_kept(prepare: Callable[[], None]) -> int:
    """Returns the bytes that the heap keeps after a thread has allocated and freed."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _MallInfo
    kept: list[int] = []

    def work() -> None:
        prepare()
        before = mallinfo().used
        blocks = [bytearray(size) for size in range(520, 1024, 16) for _ in range(7)]
        del blocks
        kept.append(mallinfo().used - before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return kept[0]


@pytest.mark.linux
def test_a_filled_cache_keeps_no_more_of_what_is_freed() -> None:
    assert heap_kept(lambda: None) > 100_000
    assert heap_kept(fill_cache) < 10_000


def copy_package(target: Path) -> Path:
    """Copies the binding's sources without built files, and the modules that it imports."""
    built = shutil.ignore_patterns("_ffi.py", "*.so", "*.dll", "*.dylib", "__pycache__")
    shutil.copytree(build_core.PACKAGE, target / "pyengine", ignore=built)
    shutil.copytree(build_core.ROOT / "records", target / "records", ignore=built)
    return target / "pyengine"


def start_engine(folder: Path) -> str:
    """Starts an engine with a folder as path and working directory; returns the output."""
    code = (
        "from pyengine import Engine, LibraryError\n"
        "try: Engine()\n"
        "except LibraryError as e: assert isinstance(e, OSError); print(e)\n"
        "else: print('started')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_core_that_is_missing_or_strange_is_told_of(tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    library = package / build_toolchain.library_name(sys.platform)
    assert "run `make`" in start_engine(tmp_path)

    build_core.write_declarations(package / "_ffi.py")
    built = build_core.PACKAGE / library.name
    shutil.copy(built, tmp_path)  # beside the package is not in it
    assert "run `make`" in start_engine(tmp_path)

    library.write_bytes(b"no library")
    assert "cannot be loaded" in start_engine(tmp_path)

    source = tmp_path / "old.c"
    source.write_text("int tg_abi_version(void);\nint tg_abi_version(void) { return 99; }\n")
    toolchain = build_toolchain.find_toolchain()
    command = [*toolchain.command, "-shared", "-fPIC", str(source), "-o", str(library)]
    subprocess.run(command, check=True)
    assert "ABI version 99" in start_engine(tmp_path)

    shutil.copy(built, library)
    for name in build_toolchain.library_names(sys.platform, platform.machine()):
        shutil.copy(build_core.PACKAGE / name, package)
    assert start_engine(tmp_path) == "started\n"
