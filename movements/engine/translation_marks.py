"""Markers for the engine's English texts that translators need.

The engine knows no languages, so the markers do nothing. `manage.py check_translations` collects the marked texts,
and `movements.words` translates them.
"""


def marked(text: str) -> str:
    """Return the text. The marker is for texts that directors read."""
    return text


def marked_for_players(text: str) -> str:
    """Return the text. The marker adds it to languages that cover only the players' pages."""
    return text


def marked_in(context: str, text: str) -> str:
    """Return the text. The marker gives the context for its translation."""
    return text
