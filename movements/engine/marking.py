"""The engine's English that is shown to readers, marked for the translators where it stands.

The engine knows no languages: nothing happens here. `manage.py check_translations` collects what is
marked, and `movements.words` says it in the reader's language.
"""


def marked(text: str) -> str:
    """Return the text: directors read it."""
    return text


def marked_for_players(text: str) -> str:
    """Return the text: players read it too, so a language with the players' pages alone has it."""
    return text


def marked_in(context: str, text: str) -> str:
    """Return the text, which needs other words elsewhere."""
    return text
