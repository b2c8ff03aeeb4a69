"""What a release consists of: `python -m tools.release`, or `make release`."""
