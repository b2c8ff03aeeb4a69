"""Checks the files that other machines read: workflows of GitHub, and the container file."""
