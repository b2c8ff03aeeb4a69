"""Settings after INFO lines."""

from protocol.settings import Settings, changed


def with_info(*lines: str) -> Settings:
    """Returns the settings after these keys with their values."""
    settings = Settings()
    for line in lines:
        key, _, value = line.partition(" ")
        settings = changed(settings, key, value)
    return settings
