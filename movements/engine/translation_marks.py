"""Markers for the engine's English texts that translators need.

The engine knows no languages, so the markers do nothing. `manage.py check_translations` collects the marked texts,
and `movements.words` translates them.
"""


def marked(text: str) -> str:
    """Return the text unchanged; the call marks a text for directors for translation."""
    return text


def marked_for_players(text: str) -> str:
    """Return the text unchanged; the call marks it for translation, also where only players' pages have one."""
    return text


def marked_in(context: str, text: str) -> str:
    """Return the text unchanged; the call marks it for translation in a context."""
    return text
