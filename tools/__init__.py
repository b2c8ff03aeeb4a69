"""Programs for those who work on the project; nothing of them is installed."""
