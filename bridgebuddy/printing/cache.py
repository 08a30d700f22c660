"""Sheets that were printed before are not printed again.

The key is the sheet's HTML itself: whatever a sheet says (movement and version, names, language,
paper, the club's word for a stand, its logo, the address on the QR codes) is in it, so that nothing
has to be remembered and nothing can be forgotten. Filling a template takes a tenth of the time that
the PDF does.
"""

from __future__ import annotations

import hashlib

from django.core.cache import caches

from .pdf import stylesheet_path
from .press import render_pdf

#: an evening with its changes; after it nobody prints the same sheet again
KEPT = 6 * 3600
#: larger ones (a hundred score cards) are rare, and would crowd out the others
MOST_BYTES = 2_000_000


def cached_pdf(html: str, *more: str) -> bytes:
    """Return the PDF of a sheet's HTML, or of several, made now or a while ago."""
    cache, key = caches["sheets"], _key("\n".join((html, *more)))
    pdf: bytes | None = cache.get(key)
    if pdf is None:
        pdf = render_pdf(html, *more)
        if len(pdf) <= MOST_BYTES:
            cache.set(key, pdf, KEPT)
    return pdf


def _key(html: str) -> str:
    style = str(stylesheet_path().stat().st_mtime_ns)
    return hashlib.sha256(f"{style}\n{html}".encode()).hexdigest()
