"""A club's logo: what may be uploaded, and what is kept of it."""

from __future__ import annotations

import io

MOST_BYTES = 500_000
LARGEST = (800, 400)  # pixels: enough for paper, and small enough to print on sixty cards
MOST_PIXELS = 12_000_000  # a file of 500 kB may unpack to far more than memory holds
TYPES = {"PNG": "image/png", "JPEG": "image/jpeg"}


class NotALogo(ValueError):
    """The file is no PNG or JPEG picture, or a broken one."""


class TooManyPixels(NotALogo):
    """The picture would take too much memory."""


def prepared_logo(data: bytes) -> tuple[bytes, str]:
    """Return a logo as it is kept, and its type: no larger than cards need, nothing hidden in it.

    The picture is drawn anew, so that whatever else was in the file stays behind. Raises `NotALogo`,
    `TooManyPixels`.
    """
    from PIL import Image, ImageOps  # only here: other pages need not carry it

    try:
        with Image.open(io.BytesIO(data), formats=tuple(TYPES)) as picture:
            kind = picture.format or ""
            if picture.width * picture.height > MOST_PIXELS:
                raise TooManyPixels(picture.size)
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
