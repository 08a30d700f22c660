"""A club's logo: what may be uploaded, and what is kept of it."""

from __future__ import annotations

import ctypes
import io
import threading
from contextlib import suppress

MOST_BYTES = 500_000
LARGEST = (800, 400)  # pixels: enough for paper, and small enough to print on sixty cards
MOST_PIXELS = 12_000_000  # a file of 500 kB may unpack to far more than memory holds
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}


ONE_AT_A_TIME = threading.Lock()


class NotALogo(ValueError):
    """The file is no PNG or JPEG picture, or a broken one."""


class TooManyPixels(NotALogo):
    """The picture would take too much memory."""


def prepared_logo(data: bytes) -> tuple[bytes, str]:
    """Return a logo as it is kept, and its type: no larger than cards need, nothing hidden in it.

    The picture is drawn anew, so that whatever else was in the file stays behind. Raises `NotALogo`,
    `TooManyPixels`.

    One at a time: each thread keeps the memory of the largest picture it has drawn.
    """
    with ONE_AT_A_TIME:
        try:
            return _drawn_anew(data)
        finally:
            _give_memory_back()


def _drawn_anew(data: bytes) -> tuple[bytes, str]:
    from PIL import Image, ImageOps  # only here: other pages need not carry it

    try:
        with Image.open(io.BytesIO(data), formats=tuple(TYPES)) as picture:
            kind = picture.format or ""
            if picture.width * picture.height > MOST_PIXELS:
                raise TooManyPixels(picture.size)
            picture.draft("RGB", LARGEST)  # a large JPEG is read in a fraction of its size
            ImageOps.exif_transpose(picture, in_place=True)
            drawn = picture.convert("RGBA" if kind == "PNG" else "RGB")
    except NotALogo:
        raise
    except Exception as error:  # a broken picture may fail in any way a decoder can
        raise NotALogo() from error
    drawn.thumbnail(LARGEST)
    out = io.BytesIO()
    drawn.save(out, kind, optimize=True)
    return out.getvalue(), TYPES[kind]


def _give_memory_back() -> None:
    """Give the system what a picture took; where the C library cannot, it is used again some time."""
    with suppress(AttributeError, OSError, TypeError):  # TypeError: on Windows it has another name
        ctypes.CDLL(None).malloc_trim(0)
