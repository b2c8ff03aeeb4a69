"""The page of a tournament: one HTML file that needs nothing but a browser."""

from .render import Report, framed, page_style, render_page, write_page

__all__ = ["Report", "framed", "page_style", "render_page", "write_page"]
