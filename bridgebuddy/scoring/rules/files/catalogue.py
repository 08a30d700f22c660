"""All file formats, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import bridgewebs, csv, pbn, text, usebio
from .exported import Exported, NotInThisFormat

__all__ = ["FORMATS", "Format", "NotInThisFormat"]


@dataclass(frozen=True)
class Format:
    """A format's writer, and its file suffix."""

    written: Callable[[Exported], str]
    suffix: str
    content_type: str
    encoding: str = "utf-8"
    #: whether it is made to be read by everybody, with the names that people let be seen
    is_public: bool = False

    def file(self, exported: Exported) -> bytes:
        """Return the file. Raises `NotInThisFormat`."""
        return self.written(exported).encode(self.encoding)


FORMATS = {
    "usebio": Format(usebio.written, "xml", "application/xml"),
    "pbn": Format(pbn.written, "pbn", "application/octet-stream", pbn.ENCODING, is_public=True),
    "bridgewebs": Format(bridgewebs.written, "csv", "text/csv", is_public=True),
    "csv": Format(csv.written, "csv", "text/csv"),
    "ranking": Format(csv.ranking, "csv", "text/csv"),
    "text": Format(text.written, "txt", "text/plain", is_public=True),
    "lines": Format(csv.lines, "csv", "text/csv"),
}
