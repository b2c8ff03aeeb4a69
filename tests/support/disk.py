"""A disk that is nearly full."""

import contextlib
from collections.abc import Iterator

LIMIT = 1000


@contextlib.contextmanager
def small_files() -> Iterator[None]:
    """Refuses bytes of files beyond LIMIT; as a full disk, this has no name of a file."""
    import resource  # not on Windows

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
