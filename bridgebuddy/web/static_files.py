"""Static files in compact form: minified scripts and styles, compressed for each browser.

Our own files are minified with the first request, and kept by the process. Constant files with slow
compression have compressed copies beside them (`static/vendor`).
"""

from __future__ import annotations

import gzip
import re
from functools import cache
from hashlib import blake2b
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any
from wsgiref.headers import Headers

from rcssmin import cssmin
from rjsmin import jsmin
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import Response, StaticFile

#: compressed files; pictures and fonts would not get smaller
TEXTS = (".css", ".js", ".svg", ".txt", ".md")
#: the minifiers by suffix; names with ".min." are already minified
LEANER = {".css": cssmin, ".js": jsmin}
#: the encodings of browsers, the smallest first (brotli over HTTPS alone), with their suffixes
ENCODINGS = {"br": ".br", "gzip": ".gz"}
#: an imported sheet in the same folder, inserted to save a second request
IMPORT = re.compile(rb'@import "([\w-]+\.css)";')


def inline_imports(path: str) -> bytes:
    """Return the text of a style sheet with the style sheets that it imports in place of the imports."""
    file, content = Path(path), Path(path).read_bytes()
    return IMPORT.sub(lambda found: inline_imports(str(file.with_name(found[1].decode()))), content)


def minify(name: str, content: bytes) -> bytes:
    """Return the content of a script or style sheet without comments and needless spaces."""
    make = LEANER.get(Path(name).suffix) if ".min." not in name else None
    return make(content.decode()).encode() if make else content


@cache
def compress_file(path: str, encoding: str) -> bytes | None:
    """Return a static file compressed with `encoding`, or None; the process keeps it in memory."""
    if not encoding:
        return minify(path, inline_imports(path))
    beside = Path(path + ENCODINGS[encoding])
    if beside.exists():
        return beside.read_bytes()
    return gzip.compress(compress_file(path, "") or b"", mtime=0) if encoding == "gzip" else None


class MinifiedFile(StaticFile):  # type: ignore[misc]
    """Whitenoise's static file with minified content, in several encodings."""

    def get_headers(self, headers_list: list[tuple[str, str]], files: dict[Any, Any]) -> Headers:
        """Return the response headers of the file, with an ETag of its content."""
        self.path = files[None].path
        headers: Headers = super().get_headers(headers_list, files)
        del headers["Last-Modified"]  # its tag is enough
        if self.path.endswith(".css"):  # of its imports too
            headers["ETag"] = self.etag = (
                f'"{blake2b(inline_imports(self.path), digest_size=8).hexdigest()}"'
            )
        headers["Vary"] = "Accept-Encoding"
        self.headers = headers
        return headers

    def get_response(self, method: str, request_headers: dict[str, str]) -> Response:
        """Return the response with the smallest encoding that the browser accepts."""
        if method not in ("GET", "HEAD") or self.is_not_modified(request_headers):
            return super().get_response(method, request_headers)
        encoding, content = self._smallest_encoding(request_headers.get("HTTP_ACCEPT_ENCODING", ""))
        headers = [*self.headers.items(), ("Content-Length", str(len(content)))]
        headers += [("Content-Encoding", encoding)] if encoding else []
        return Response(HTTPStatus.OK, headers, BytesIO(content) if method == "GET" else None)

    def _smallest_encoding(self, accepted: str) -> tuple[str, bytes]:
        """Return the smallest encoding that the browser accepts, with the encoded content."""
        taken = accepted.replace(" ", "").split(",")
        for encoding in ENCODINGS:
            if encoding in taken and (content := compress_file(self.path, encoding)):
                return encoding, content
        return "", compress_file(self.path, "") or b""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Whitenoise's middleware with minified scripts and style sheets; with `DEBUG` files stay unchanged."""

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        """Return the static file at `path`; scripts and style sheets are minified."""
        static_file = super().get_static_file(path, url, stat_cache=stat_cache)
        if self.autorefresh or Path(path).suffix not in TEXTS:
            return static_file
        headers = [
            header for header in static_file.alternatives[-1][2] if header[0] != "Content-Length"
        ]
        return MinifiedFile(path, headers, stat_cache=stat_cache)

    def add_cache_headers(self, headers: Headers, path: str, url: str) -> None:
        """Add caching headers, and one that forbids browsers to guess content types."""
        super().add_cache_headers(headers, path, url)
        headers["X-Content-Type-Options"] = "nosniff"
