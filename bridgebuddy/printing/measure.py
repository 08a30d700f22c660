"""The width of text on paper, measured with the printing fonts, so that no text is cut off."""

from __future__ import annotations

from functools import lru_cache
from html import unescape
from pathlib import Path

from django.conf import settings
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

POINT = 25.4 / 72  # mm
SMALLEST_TYPE = 10.5  # pt: the smallest type on paper
#: the width of characters in none of these fonts, in thousandths of the type size
STRANGE = 700


def plain_text(text: str) -> str:
    """Return the visible characters of a text that may be HTML."""
    return unescape(strip_tags(text)) if isinstance(text, SafeString) else text


def text_width(text: str, points: float, weight: int = 400) -> float:
    """Return the width of a text in mm, at a type size in points and a font weight."""
    text = plain_text(text)
    widths = _character_widths(weight)
    return sum(widths.get(letter, STRANGE) for letter in text) * points * POINT / 1000


def fits_width(text: str, space: float, points: float = SMALLEST_TYPE, weight: int = 400) -> bool:
    """Return whether a text fits into a width of `space` mm."""
    return text_width(text, points, weight) <= space


def line_count(text: str, space: float, points: float = SMALLEST_TYPE, weight: int = 400) -> int:
    """Return the number of lines of a text in a width of `space` mm, broken as WeasyPrint breaks it.

    Lines break at a space or after a hyphen; a word wider than a line breaks anywhere.
    """
    lines, used = 1, 0.0
    for word in plain_text(text).replace("-", "- ").split(" "):
        gap = 0.0 if word.endswith("-") else text_width(" ", points, weight)
        here = text_width(word, points, weight)
        if used and used + here > space:
            lines, used = lines + 1, 0.0
        while here > space:
            lines, here = lines + 1, here - space
        used += here + gap
    return lines


@lru_cache(maxsize=4)
def _character_widths(weight: int) -> dict[str, int]:
    """Return the widths of a font's characters in thousandths of the type size.

    Characters that the font lacks have the width of a wider font.
    """
    folder = Path(settings.STATICFILES_DIRS[0]) / "fonts"
    return {
        **_load_widths(folder / "atkinson-hyperlegible-next-latin-ext-wght-normal.woff2"),
        **_load_widths(folder / f"atkinson-hyperlegible-next-latin-{weight}-normal.woff2"),
    }


def _load_widths(path: Path) -> dict[str, int]:
    """Return the width of each character in a font file, in thousandths of the size."""
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True) as font:
        em, widths = font["head"].unitsPerEm, font["hmtx"]
        return {
            chr(code): widths[name][0] * 1000 // em for code, name in font.getBestCmap().items()
        }
