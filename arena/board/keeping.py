"""Games of the page on disk, as a match keeps its own: games.jsonl, psq/ and sgf/."""

from pathlib import Path

from ..game.formats import to_psq, to_sgf
from ..game.record import GameRecord
from ..run.store import GameStore, StoredGame, StoreWriteError
from ..util.paths import next_numbered, replace_text

__all__ = ["Keeper"]

HOME = Path("arena-games")
GAMES = "games.jsonl"


class Keeper:
    """Writes finished games into a folder, which is made for the first of them."""

    def __init__(self, folder: Path | None = None) -> None:
        """Takes the folder; None is the next free `arena-games/board-NNN`."""
        self._folder = folder
        self._store: GameStore | None = None
        self._count = 0

    def keep(self, record: GameRecord) -> list[str]:
        """Writes a game and returns the paths of its files; raises StoreError."""
        store = self._opened()
        taken = {game.id for game in store.games}
        while True:
            self._count += 1
            name = f"{self._count:04}"
            if name not in taken:
                break
        store.append(StoredGame(name, self._count, record))
        event = f"{record.black.name} - {record.white.name}"
        paths = []
        for suffix, text in (("psq", to_psq(record)), ("sgf", to_sgf(record, event=event))):
            path = store.folder / suffix / f"{name}.{suffix}"
            try:
                path.parent.mkdir(exist_ok=True)
                replace_text(path, text)
            except OSError as error:
                raise StoreWriteError(f"{path}: {error.strerror}") from None
            paths.append(str(path))
        return paths

    def close(self) -> None:
        """Closes the store."""
        if self._store is not None:
            self._store.close()

    def _opened(self) -> GameStore:
        if self._store is None:
            folder = self._folder or next_numbered(HOME, "board")
            self._store = GameStore(folder / GAMES)
        return self._store
