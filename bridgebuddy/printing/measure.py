"""How wide words are on paper, measured with the fonts that print them: so that nothing is ever cut."""

from __future__ import annotations

from functools import lru_cache
from html import unescape
from pathlib import Path

from django.conf import settings
from django.utils.html import strip_tags
from django.utils.safestring import SafeString

POINT = 25.4 / 72  # mm
SMALLEST_TYPE = 10.5  # pt: nothing on paper is smaller
#: of a letter that none of these fonts has, in thousandths of the type's size
STRANGE = 700


def plain(text: str) -> str:
    """Return what people read of a line that may be marked up."""
    return unescape(strip_tags(text)) if isinstance(text, SafeString) else text


def width(text: str, points: float, weight: int = 400) -> float:
    """Return how wide a line is in a size of type (mm)."""
    text = plain(text)
    widths = _widths(weight)
    return sum(widths.get(letter, STRANGE) for letter in text) * points * POINT / 1000


def fits(text: str, space: float, points: float = SMALLEST_TYPE, weight: int = 400) -> bool:
    """Whether a line fits a width (mm)."""
    return width(text, points, weight) <= space


def wrapped(text: str, space: float, points: float = SMALLEST_TYPE, weight: int = 400) -> int:
    """Return how many lines a text takes in a width (mm), as browsers and WeasyPrint break it.

    It goes on in the next line at a space or after a hyphen; a word that is wider than a line, anywhere.
    """
    lines, used = 1, 0.0
    for word in plain(text).replace("-", "- ").split(" "):
        gap = 0.0 if word.endswith("-") else width(" ", points, weight)
        here = width(word, points, weight)
        if used and used + here > space:
            lines, used = lines + 1, 0.0
        while here > space:
            lines, here = lines + 1, here - space
        used += here + gap
    return lines


@lru_cache(maxsize=4)
def _widths(weight: int) -> dict[str, int]:
    """The widths of a font's letters, in thousandths of the type's size; what it lacks, in a wider one."""
    folder = Path(settings.STATICFILES_DIRS[0]) / "fonts"
    return {
        **_read(folder / "atkinson-hyperlegible-next-latin-ext-wght-normal.woff2"),
        **_read(folder / f"atkinson-hyperlegible-next-latin-{weight}-normal.woff2"),
    }


def _read(path: Path) -> dict[str, int]:
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True) as font:
        em, widths = font["head"].unitsPerEm, font["hmtx"]
        return {
            chr(code): widths[name][0] * 1000 // em for code, name in font.getBestCmap().items()
        }
