"""The page of a tournament: one HTML file that needs nothing but a browser."""

from .render import Report, render_page, write_page

__all__ = ["Report", "render_page", "write_page"]
