"""The files of a release: `python -m tools.release`, or `make release`."""
