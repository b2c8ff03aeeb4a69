"""Man pages and shell completion of both programs: `python -m tools.manual`, or `make manual`."""
