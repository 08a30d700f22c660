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
    """A document with its title and web address."""

    title: str
    address: str

    @property
    def host(self) -> str:
        """Return the server on which the document lies."""
        return urlsplit(self.address).hostname or ""


class BadLine(ValueError):
    """A line without a title or a web address."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


class LongTitle(BadLine):
    """A line whose title is too long."""


def read_documents(text: str) -> list[DocumentLink]:
    """Return the documents of a text, a line each. Raises `BadLine` and `LongTitle`.

    >>> read_documents("Rules https://example.org/a.pdf")
    [DocumentLink(title='Rules', address='https://example.org/a.pdf')]
    """
    return [_read_document_line(line) for line in text.splitlines() if line.strip()]


def _read_document_line(line: str) -> DocumentLink:
    """Return the link that a line describes; raise `BadLine` for others."""
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
