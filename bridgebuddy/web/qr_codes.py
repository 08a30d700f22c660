"""QR codes as inline SVG."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe

QUIET = 2  # modules of white around the code; the sheet adds more


@lru_cache(maxsize=512)
def qr_svg(address: str, title: str = "") -> SafeString:
    """Return a QR code with `address` as SVG; `title` describes it to screen readers.

    Level M survives a coffee stain; a bigger code would be harder to read from a table.
    """
    code = segno.make(address, error="m", micro=False, boost_error=False)
    return mark_safe(
        code.svg_inline(border=QUIET, omitsize=True, svgclass="qr", lineclass=None, title=title)
    )
