"""The pictures of the product on pages for visitors."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import get_language

NAMES = ("choose", "desk", "phone", "card", "ranking", "championship")
#: `make pictures` takes them in these languages
LANGUAGES = ("en", "de")


def picture_files() -> dict[str, str]:
    """Return the static files of the help's pictures in the reader's language, or in English, by name."""
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    folder = language if language in LANGUAGES else "en"
    return {name: f"images/{folder}/{name}.png" for name in NAMES}
