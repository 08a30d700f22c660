"""Documents of a club for its members: titles with the web addresses at which they lie.

The secretary types them as lines: "Rules of the club https://example.org/rules.pdf". The files stay where they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

MOST_DOCUMENTS = 12
LONGEST_TITLE = 60
_check_address = URLValidator(schemes=["http", "https"])


@dataclass(frozen=True)
class DocumentLink:
    """A link to a document on the club's public page: title and web address."""

    title: str
    address: str

    @property
    def host(self) -> str:
        """Return the server in the document's address."""
        return urlsplit(self.address).hostname or ""


class BadLine(ValueError):
    """Error: a line has no title or no web address of a document."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


class LongTitle(BadLine):
    """Error: the title of a document is too long."""


def read_documents(text: str) -> list[DocumentLink]:
    """Return the document links in a typed text with one document a line. Raises `BadLine` and `LongTitle`.

    >>> read_documents("Rules https://example.org/a.pdf")
    [DocumentLink(title='Rules', address='https://example.org/a.pdf')]
    """
    return [_read_document_line(line) for line in text.splitlines() if line.strip()]


def _read_document_line(line: str) -> DocumentLink:
    """Return the document link that a line describes; raise `BadLine` for others."""
    title, _space, address = line.strip().rpartition(" ")
    title = title.strip(" :,-–")
    try:
        _check_address(address)
    except ValidationError:
        raise BadLine(line.strip()) from None
    if not title:
        raise BadLine(line.strip())
    if len(title) > LONGEST_TITLE:
        raise LongTitle(title)
    return DocumentLink(title, address)
