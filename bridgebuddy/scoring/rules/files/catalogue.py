"""All file formats, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import bridgewebs, csv, pbn, text, usebio
from .exported import ExportedSession, NotInThisFormat

__all__ = ["FORMATS", "FileFormat", "NotInThisFormat"]


@dataclass(frozen=True)
class FileFormat:
    """A file format for results: its function that writes a session, and its file suffix."""

    written: Callable[[ExportedSession], str]
    suffix: str
    content_type: str
    encoding: str = "utf-8"
    #: True if the file is for the public, with only the public names
    is_public: bool = False

    def file(self, exported: ExportedSession) -> bytes:
        """Return a session's results as a file of this format. Raises `NotInThisFormat`."""
        return self.written(exported).encode(self.encoding)


FORMATS = {
    "usebio": FileFormat(usebio.usebio_file, "xml", "application/xml"),
    "pbn": FileFormat(
        pbn.pbn_file, "pbn", "application/octet-stream", pbn.ENCODING, is_public=True
    ),
    "bridgewebs": FileFormat(bridgewebs.bridgewebs_file, "csv", "text/csv", is_public=True),
    "csv": FileFormat(csv.csv_file, "csv", "text/csv"),
    "ranking": FileFormat(csv.ranking_rows, "csv", "text/csv"),
    "text": FileFormat(text.text_file, "txt", "text/plain", is_public=True),
    "lines": FileFormat(csv.result_rows, "csv", "text/csv"),
}
