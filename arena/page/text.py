"""Text for HTML: what has a meaning there, and what nobody can see, is escaped."""

import html

from ..util.output import shown

__all__ = ["escape"]


def escape(text: str) -> str:
    """Returns a text of one line for HTML; a control character is spelled, as \\x1b."""
    return html.escape(shown(text))
