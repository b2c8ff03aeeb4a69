"""A disk that is nearly full."""

import contextlib
from collections.abc import Iterator

LIMIT = 1000


@contextlib.contextmanager
def small_files() -> Iterator[None]:
    """Fails writes beyond LIMIT bytes. As on a full disk, the OSError names no file."""
    import resource  # not on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
