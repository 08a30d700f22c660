"""Conversion of HTML to PDF, the only module that imports WeasyPrint.

The import happens with the first sheet, because other pages do not need it. Nothing is ever fetched
from the network, whatever a name or a template contains.
"""

from __future__ import annotations

import atexit
import base64
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousOperation
from django.templatetags.static import static

if TYPE_CHECKING:
    from weasyprint.urls import URLFetcher

STYLESHEET = "css/print.css"
#: stands for this server in a sheet; such a name never resolves (RFC 2606)
ORIGIN = "http://sheet.invalid"

#: one sheet at a time in a process: fonts are shared, and two threads would not be faster
_printing = Lock()


#: the first bytes of each picture type
PICTURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
NO_PICTURE = b"there is no such type"


class FetchRefused(ValueError):
    """Raised if a sheet refers to an address that is neither a static file nor an embedded picture."""


@dataclass(frozen=True)
class _SharedResources:
    """The fonts and style sheet of all PDFs, which are read once."""

    fetcher: URLFetcher
    fonts: Any
    stylesheet: Any


def render_pdf(html: str, *more: str) -> bytes:
    """Return a PDF of one or several sheets' HTML, rendered in this process."""
    from weasyprint import HTML

    press = _shared_resources(stylesheet_path().stat().st_mtime_ns)
    with _printing, _fewer_collections():
        sheets = [
            HTML(string=text, base_url=ORIGIN + "/", url_fetcher=press.fetcher).render(
                stylesheets=[press.stylesheet], font_config=press.fonts
            )
            for text in (html, *more)
        ]
        pages = [page for sheet in sheets for page in sheet.pages]
        pdf: bytes = (sheets[0].copy(pages) if more else sheets[0]).write_pdf()
        return pdf


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Run the block with fewer garbage collections, which saves a tenth of the rendering time.

    A sheet's objects live until it is finished.
    """
    usual = gc.get_threshold()
    gc.set_threshold(100_000, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def static_file(address: str) -> Path:
    """Return the path of the static file that an address of this server means.

    Raises `FetchRefused` for others.
    """
    root = ORIGIN + static("")
    if not address.startswith(root):
        raise FetchRefused(address)
    try:
        path = finders.find(address.removeprefix(root))
    except SuspiciousOperation as error:  # a path outside the folder
        raise FetchRefused(address) from error
    if not path or not Path(path).is_file():
        raise FetchRefused(address)
    return Path(path)


def embedded_picture(address: str) -> tuple[bytes, str]:
    """Return the PNG or JPEG picture in a data: address, and its type.

    Raises `FetchRefused`.
    """
    head, _comma, data = address.partition(",")
    kind = head.removeprefix("data:").removesuffix(";base64")
    try:
        picture = base64.b64decode(data, validate=True)
    except ValueError as error:
        raise FetchRefused(address[:60]) from error
    if head != f"data:{kind};base64" or not picture.startswith(PICTURES.get(kind, NO_PICTURE)):
        raise FetchRefused(address[:60])
    return picture, kind


def stylesheet_path() -> Path:
    """Return the path of the style sheet for printed sheets."""
    return static_file(ORIGIN + static(STYLESHEET))


@lru_cache(maxsize=1)
def _shared_resources(changed_at: int) -> _SharedResources:
    """Return the style sheet with its fonts, read again only if the file has changed."""
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    class StaticFiles(URLFetcher):  # type: ignore[misc]  # WeasyPrint says nothing of types
        """A fetcher of static files and embedded pictures that refuses all else."""

        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            """Return an embedded picture or a static file; nothing is loaded from elsewhere."""
            if url.startswith("data:"):
                picture, kind = embedded_picture(url)
                return URLFetcherResponse(url, picture, {"Content-Type": kind})
            return URLFetcherResponse(url, static_file(url).read_bytes())

    fetcher = StaticFiles(allowed_protocols=())
    fonts = FontConfiguration()
    stylesheet = CSS(
        url=ORIGIN + static(STYLESHEET), url_fetcher=fetcher, font_config=fonts, media_type="print"
    )
    return _SharedResources(fetcher, fonts, stylesheet)


atexit.register(_shared_resources.cache_clear)  # deletes the fonts' folder before Python ends
