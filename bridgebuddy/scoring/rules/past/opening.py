"""Opening of files of past sessions: the type is found from the content; oversized files are not read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from struct import error as StructError
from zlib import error as BadPacking

from bridgebuddy.deals.rules.reading import decoded_text

from . import archive, pbn, tables, usebio
from . import packed as packed_tables
from .model import MOST_LINES, NotRead, PastSession, date_in

#: bytes of a file, of all together, and number of files: twenty years of two evenings a week
MOST_BYTES, MOST_IN_ALL, MOST_FILES = 5_000_000, 60_000_000, 2_500
#: most tags of PBN in all files together: reading them takes about three seconds
MOST_TAGS = 400_000
#: the start of a tag, with one byte per character or two
TAG = re.compile(rb"\[\0?\w")
MOST_SESSIONS, MOST_LINES_IN_ALL = 2_500, 60_000
ZIP = b"PK\x03\x04"
#: first bytes of spreadsheets, pictures and pages of paper
OTHERS = (
    b"\xd0\xcf\x11\xe0",
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
)


#: errors while reading an invalid ZIP
DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError),
    *(LookupError, StructError, BadPacking),
)


@dataclass(frozen=True)
class OpenedFile:
    """An imported file: its name, its sessions, and the reason if none could be read."""

    name: str
    digest: str
    sessions: tuple[PastSession, ...] = ()
    why: str = ""


def open_files(files: Iterable[tuple[str, bytes]]) -> list[OpenedFile]:
    """Return the sessions in uploaded files, those of a ZIP file by file. Raises `NotRead` if there are too many."""
    opened_files = []
    sessions = size = lines = tags = 0
    for name, data in _unpack_files(files):
        size += len(data or b"")
        tags += _most_tags(data or b"")
        if tags > MOST_TAGS:  # checked before reading: a small ZIP holds many
            raise NotRead("many")
        opened_file = _open_file(name, data)
        sessions += len(opened_file.sessions)
        opened_files.append(opened_file)
        lines += sum(len(r.lines) for session in opened_file.sessions for r in session.rankings)
        if len(opened_files) > MOST_FILES or sessions > MOST_SESSIONS or lines > MOST_LINES_IN_ALL:
            raise NotRead("many")
        if size > MOST_IN_ALL:
            raise NotRead("large")
    return opened_files


def _most_tags(data: bytes) -> int:
    """Return an upper limit for the number of PBN tags in a file; 0 for XML and JSON."""
    is_document = data[:400].lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"<", b"{"))
    return 0 if is_document else sum(1 for _tag in TAG.finditer(data))


def _unpack_files(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes | None]]:
    """Yield each uploaded or zipped file with its content; None if it is too large for results."""
    for name, data in files:
        if data[:4] != ZIP:
            yield name, data
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                inside = [
                    packed_file
                    for packed_file in packed.infolist()
                    if not _is_left_out(packed_file.filename)
                ]
                if any(packed_file.filename == "[Content_Types].xml" for packed_file in inside):
                    yield name, b"\xd0\xcf\x11\xe0"  # a spreadsheet file
                    continue
                if len(inside) > MOST_FILES:
                    raise NotRead("many")
                if packed_tables.is_archive([packed_file.filename for packed_file in inside]):
                    yield name, _archive_tables(packed, inside)
                    continue
                for packed_file in inside:
                    yield (
                        packed_file.filename.rpartition("/")[2] or name,
                        _read_packed_file(packed, packed_file),
                    )
        except NotRead:
            raise
        except DAMAGED as wrong:
            raise NotRead("packed") from wrong


def _is_left_out(name: str) -> bool:
    """Return whether a name in a ZIP is a folder, or a file that an operating system added."""
    return (
        name.endswith("/")
        or name.startswith("__MACOSX/")
        or name.rpartition("/")[2].startswith(".")
    )


def _archive_tables(packed: zipfile.ZipFile, inside: Iterable[zipfile.ZipInfo]) -> bytes | None:
    """Return a club archive from its zipped tables, without large ones that are not needed."""
    files = {}
    for packed_file in inside:
        if (name := packed_tables.table_file_name(packed_file.filename)) in packed_tables.FILES:
            data = _read_packed_file(packed, packed_file)
            if data is None:
                return None
            files[name] = data
    return packed_tables.archive_document(files)


def _read_packed_file(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | None:
    """Return a zipped file's content; None if it exceeds the size limit, whatever size the ZIP states."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotRead("packed")
    with packed.open(info) as file:
        data = file.read(MOST_BYTES + 1)
    return data if len(data) <= MOST_BYTES else None


def _open_file(name: str, data: bytes | None) -> OpenedFile:
    """Return an uploaded file with its sessions, or with the reason why it cannot be read."""
    name = "".join(character for character in name if character.isprintable())[-120:]
    if data is None or len(data) > MOST_BYTES:
        return OpenedFile(name, "", why="large")
    digest = sha256(data).hexdigest()
    try:
        sessions = read_sessions(data)
    except NotRead as refused:
        return OpenedFile(name, digest, why=refused.why)
    return OpenedFile(
        name,
        digest,
        tuple(_with_date_and_name(past_session, name) for past_session in sessions),
        "" if sessions else "no list",
    )


def _with_date_and_name(session: PastSession, name: str) -> PastSession:
    """Return a session with date and name taken from its file's name, if its content lacks them."""
    stem = re.sub(r"\.\w{1,5}$", "", name)
    plain = " ".join(re.sub(r"[_\W\d]+", " ", stem).split())
    return replace(session, date=session.date or date_in(stem), name=(session.name or plain)[:80])


def read_sessions(data: bytes) -> list[PastSession]:
    """Return the sessions in a file of any known format. Raises `NotRead`."""
    if not data.strip(b"\0 \r\n\t"):
        raise NotRead("empty")
    if data[:4] == ZIP or data.startswith(OTHERS):
        raise NotRead("unknown")
    text = decoded_text(data)
    beginning = text.lstrip("\ufeff \r\n\t")[:400].lower()
    if beginning.startswith("<"):
        written = data.lstrip(b" \r\n\t")
        if "<usebio" not in text[:20_000].lower():
            usebio.parse_elements(written)
            raise NotRead("unknown")
        past_sessions = usebio.read_usebio(written)
    elif archive.is_archive(text):
        past_sessions = archive.read_archive(text)
    elif re.search(r"^[ \t]*\[\w+ +\"", text, re.MULTILINE):
        past_sessions = pbn.read_pbn(text)
    else:
        past_sessions = tables.read_tables(text.replace("\0", ""))
    if any(
        len(ranking.lines) > MOST_LINES for session in past_sessions for ranking in session.rankings
    ):
        raise NotRead("large")
    return past_sessions
