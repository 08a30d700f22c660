"""Club logos: the allowed uploads and their stored form."""

from __future__ import annotations

import ctypes
import io
import threading
from contextlib import suppress

MOST_BYTES = 500_000
LARGEST = (800, 400)  # pixels: enough for paper, and small enough to print on sixty cards
MOST_PIXELS = 12_000_000  # a file of 500 kB may unpack to more than memory holds
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}


ONE_AT_A_TIME = threading.Lock()


class NotALogo(ValueError):
    """Error: the uploaded file is not a PNG or JPEG picture, or it is damaged."""


class TooManyPixels(NotALogo):
    """Error: the uploaded picture has so many pixels that it would take too much memory."""


def prepared_logo(data: bytes) -> tuple[bytes, str]:
    """Return an uploaded logo in its stored form, and its content type: reduced to card size, without metadata.

    The picture is redrawn, so that all other content of the file is dropped. Raises `NotALogo`, `TooManyPixels`. Only
    one picture is drawn at a time, because each thread keeps the memory of its largest picture.
    """
    with ONE_AT_A_TIME:
        try:
            return _redrawn_logo(data)
        finally:
            _return_free_memory_to_system()


def _redrawn_logo(data: bytes) -> tuple[bytes, str]:
    """Return an uploaded logo decoded and encoded again at the size that pages need, and its content type."""
    from PIL import Image, ImageOps  # imported here only: other pages do not need it

    try:
        with Image.open(io.BytesIO(data), formats=tuple(TYPES)) as picture:
            kind = picture.format or ""
            if picture.width * picture.height > MOST_PIXELS:
                raise TooManyPixels(picture.size)
            picture.draft("RGB", LARGEST)  # a large JPEG is read at reduced size
            ImageOps.exif_transpose(picture, in_place=True)
            drawn = picture.convert("RGBA" if kind == "PNG" else "RGB")
    except NotALogo:
        raise
    except Exception as error:  # decoders may raise any error on broken pictures
        raise NotALogo() from error
    drawn.thumbnail(LARGEST)
    out = io.BytesIO()
    drawn.save(out, kind, optimize=True)
    return out.getvalue(), TYPES[kind]


def _return_free_memory_to_system() -> None:
    """Return the memory of a decoded picture to the system, if the C library supports it."""
    with suppress(AttributeError, OSError, TypeError):  # TypeError: it has another name on Windows
        ctypes.CDLL(None).malloc_trim(0)
