"""The cache of printed sheets.

The key is the sheet's HTML, which contains all that a sheet depends on: movement, version, names,
language, paper, logo and QR codes. So nothing can be forgotten in the key. Rendering the template
takes a tenth of the PDF's time.
"""

from __future__ import annotations

import hashlib

from django.core.cache import caches

from .pdf import stylesheet_path
from .print_process import render_pdf

#: a session with its changes; the same sheet is not printed later
KEPT = 6 * 3600
#: larger files (a hundred score cards) are rare, and would displace the others
MOST_BYTES = 2_000_000


def cached_pdf(html: str, *more: str) -> bytes:
    """Return the PDF of one or several sheets, from the cache if these HTML documents were rendered before."""
    cache, key = caches["sheets"], _sheet_key("\n".join((html, *more)))
    pdf: bytes | None = cache.get(key)
    if pdf is None:
        pdf = render_pdf(html, *more)
        if len(pdf) <= MOST_BYTES:
            cache.set(key, pdf, KEPT)
    return pdf


def _sheet_key(html: str) -> str:
    """Return the cache key of a sheet's HTML."""
    style = str(stylesheet_path().stat().st_mtime_ns)
    return hashlib.sha256(f"{style}\n{html}".encode()).hexdigest()
