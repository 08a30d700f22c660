"""Static files as they travel: scripts and styles without what only we read, each as small as a browser takes it.

Ours are made so when they are asked for first, and kept by the process. Of what never changes and takes long to make
small, the result lies beside it (`static/vendor`).
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

#: what travels compressed; of pictures and fonts nothing would be gained
TEXTS = (".css", ".js", ".svg", ".txt", ".md")
#: how the text of a file gets smaller; a name with ".min." says that it is so already
LEANER = {".css": cssmin, ".js": jsmin}
#: what a browser may take, the smallest first (brotli over HTTPS alone), and what a file is called that is so
ENCODINGS = {"br": ".br", "gzip": ".gz"}
#: a sheet that stands beside the one that asks for it: nobody waits for a second file
IMPORT = re.compile(rb'@import "([\w-]+\.css)";')


def whole(path: str) -> bytes:
    """Return a file as it is, with the style sheets that it imports in their places."""
    file, content = Path(path), Path(path).read_bytes()
    return IMPORT.sub(lambda found: whole(str(file.with_name(found[1].decode()))), content)


def lean(name: str, content: bytes) -> bytes:
    """Return a file's text without comments and spaces that are there for people."""
    make = LEANER.get(Path(name).suffix) if ".min." not in name else None
    return make(content.decode()).encode() if make else content


@cache
def packed(path: str, encoding: str) -> bytes | None:
    """Return a file as it travels, None where it is not in this encoding; it is another one after the next start."""
    if not encoding:
        return lean(path, whole(path))
    beside = Path(path + ENCODINGS[encoding])
    if beside.exists():
        return beside.read_bytes()
    return gzip.compress(packed(path, "") or b"", mtime=0) if encoding == "gzip" else None


class Text(StaticFile):  # type: ignore[misc]
    """A file that has been made small, in the place of one of whitenoise's."""

    def get_headers(self, headers_list: list[tuple[str, str]], files: dict[Any, Any]) -> Headers:
        self.path = files[None].path
        headers: Headers = super().get_headers(headers_list, files)
        del headers["Last-Modified"]  # its tag says as much
        if self.path.endswith(".css"):  # of what it imports too
            headers["ETag"] = self.etag = (
                f'"{blake2b(whole(self.path), digest_size=8).hexdigest()}"'
            )
        headers["Vary"] = "Accept-Encoding"
        self.headers = headers
        return headers

    def get_response(self, method: str, asked: dict[str, str]) -> Response:
        if method not in ("GET", "HEAD") or self.is_not_modified(asked):
            return super().get_response(method, asked)
        encoding, content = self._best(asked.get("HTTP_ACCEPT_ENCODING", ""))
        headers = [*self.headers.items(), ("Content-Length", str(len(content)))]
        headers += [("Content-Encoding", encoding)] if encoding else []
        return Response(HTTPStatus.OK, headers, BytesIO(content) if method == "GET" else None)

    def _best(self, accepted: str) -> tuple[str, bytes]:
        """Return the smallest of what the browser says it takes."""
        taken = accepted.replace(" ", "").split(",")
        for encoding in ENCODINGS:
            if encoding in taken and (content := packed(self.path, encoding)):
                return encoding, content
        return "", packed(self.path, "") or b""


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Whitenoise, but for texts; a developer (`DEBUG`) has the files as they are."""

    def get_static_file(self, path: str, url: str, stat_cache: Any = None) -> StaticFile:
        found = super().get_static_file(path, url, stat_cache=stat_cache)
        if self.autorefresh or Path(path).suffix not in TEXTS:
            return found
        headers = [header for header in found.alternatives[-1][2] if header[0] != "Content-Length"]
        return Text(path, headers, stat_cache=stat_cache)

    def add_cache_headers(self, headers: Headers, path: str, url: str) -> None:
        super().add_cache_headers(headers, path, url)
        headers["X-Content-Type-Options"] = "nosniff"
