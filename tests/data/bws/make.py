"""Write evening.bws: the tables of a Bridgemate file, appended to an empty Access 2003 database.

    pip install msaccessdb==1.0.0        # Apache-2.0: an empty database that Access itself has made
    python tests/data/bws/make.py        # reads evening.json, writes evening.bws

Access 2003 is what the programs that start the terminals write (Jet 4). The new tables have no indexes, which
readers do not need; Access itself would want them.
"""

import json
import struct
from datetime import date, datetime
from pathlib import Path

from msaccessdb.create import create

HERE = Path(__file__).parent
PAGE = 4096
CATALOGUE, CATALOGUE_ROWS = 2, 17  # pages of the empty database
BOOL, INTEGER, LONG, TIME, TEXT = 1, 3, 4, 8, 10
SIZES = {BOOL: 0, INTEGER: 2, LONG: 4, TIME: 8}
PACKED = {INTEGER: "<h", LONG: "<i", TIME: "<d"}
EPOCH = datetime(1899, 12, 30)


def row(columns, values):
    """Return a row's bytes: fixed columns, variable columns, and the mask of columns with a value."""
    fixed, var, offsets, known = b"", b"", [], 0
    for place, (column, value) in enumerate(zip(columns, values, strict=True)):
        kind = column[1]
        if value is not None and (kind != BOOL or value):
            known |= 1 << place
        if kind == TEXT:
            offsets.append(len(var))
            var += (value or "").encode("utf-16-le")
        elif kind != BOOL:
            fixed += struct.pack(PACKED[kind], value or 0)
    start = 2 + len(fixed)
    ends = [start + offset for offset in (*offsets, len(var))]
    return (
        struct.pack("<H", len(columns))
        + fixed
        + var
        + b"".join(struct.pack("<H", item) for item in reversed(ends))
        + struct.pack("<H", len(offsets))
        + known.to_bytes((len(columns) + 7) // 8, "little")
    )


def data_page(owner, rows):
    """Return a page of rows: they fill it from its end."""
    page, end, offsets = bytearray(PAGE), PAGE, []
    for item in rows:
        end -= len(item)
        page[end : end + len(item)] = item
        offsets.append(end)
    free = end - 14 - 2 * len(rows)
    assert free >= 0
    struct.pack_into("<BBHIIH", page, 0, 1, 1, free, owner, 0, len(rows))
    for place, offset in enumerate(offsets):
        struct.pack_into("<H", page, 14 + 2 * place, offset)
    return bytes(page)


def pages_of(owner, rows):
    """Return as many pages as the rows need."""
    pages, waiting, size = [], [], 14
    for item in rows:
        if size + len(item) + 2 > PAGE:
            pages.append(data_page(owner, waiting))
            waiting, size = [], 14
        waiting.append(item)
        size += len(item) + 2
    return [*pages, data_page(owner, waiting)]


def definition(columns, count, maps):
    """Return the page that defines a table's columns."""
    texts = sum(kind == TEXT for _, kind, _ in columns)
    body, names, fixed, var = b"", b"", 0, 0
    for place, (name, kind, size) in enumerate(columns):
        is_text = kind == TEXT
        body += struct.pack(
            "<BIHHHHHBBIHH",
            kind,
            0x659,
            place,
            var if is_text else 0,
            place,
            0x409,
            0,
            0x02 if is_text else 0x03,
            0,
            0,
            0 if is_text else fixed,
            2 * size if is_text else SIZES[kind],
        )
        letters = name.encode("utf-16-le")
        names += struct.pack("<H", len(letters)) + letters
        var += is_text
        fixed += SIZES.get(kind, 0)
    head = struct.pack("<IIIB3xI8x", 0x659, count, 0, 1, 0)
    head += struct.pack("<BHHHII", 0x4E, len(columns), texts, len(columns), 0, 0)
    head += struct.pack("<II", maps << 8, maps << 8 | 1)
    content = head + body + names + b"\xff\xff"
    page = struct.pack("<BBHII", 2, 1, PAGE - 12 - len(content), 0, 12 + len(content)) + content
    assert len(page) <= PAGE
    return page.ljust(PAGE, b"\0")


def map_of(first, pages):
    """Return which pages are a table's."""
    bits = sum(1 << page - first for page in pages)
    return struct.pack("<BI", 0, first) + bits.to_bytes(64, "little")


def add_table(file, name, columns, rows):
    """Append a table, and name it in the catalogue."""
    owner = len(file) // PAGE
    packed = pages_of(owner, [row(columns, item) for item in rows])
    first = owner + 2
    used = map_of(first, range(first, first + len(packed)))
    file += definition(columns, len(rows), owner + 1)
    file += data_page(0, [used, map_of(first, [])])
    file += b"".join(packed)
    named(file, owner, name)


def named(file, owner, name):
    """Add a row to the catalogue: like that of its own last table, with another name and number."""
    start = CATALOGUE_ROWS * PAGE
    (count,) = struct.unpack_from("<H", file, start + 12)
    (last,) = struct.unpack_from("<H", file, start + 14 + 2 * (count - 1))
    (parent,) = struct.unpack_from("<i", file, start + last + 6)
    letters, stamp = name.encode("utf-16-le"), (datetime(2024, 3, 12) - EPOCH).days
    fixed = struct.pack("<iihddi", owner, parent, 1, stamp, stamp, 0)
    ends = [2 + len(fixed), *[2 + len(fixed) + len(letters)] * 11]
    made = struct.pack("<H", 17) + fixed + letters
    made += b"".join(struct.pack("<H", item) for item in reversed(ends))
    made += struct.pack("<H", 11) + (0b10111111).to_bytes(3, "little")
    end = last - len(made)
    file[start + end : start + last] = made
    struct.pack_into("<H", file, start + 14 + 2 * count, end)
    struct.pack_into("<H", file, start + 12, count + 1)
    struct.pack_into("<H", file, start + 2, end - 14 - 2 * (count + 1))
    tables = CATALOGUE * PAGE + 16
    struct.pack_into("<I", file, tables, struct.unpack_from("<I", file, tables)[0] + 1)


RECEIVED = [
    ("ID", LONG, 0),
    *((name, INTEGER, 0) for name in ("Section", "Table", "Round", "Board", "PairNS", "PairEW")),
    ("Declarer", INTEGER, 0),
    ("NS/EW", TEXT, 2),
    ("Contract", TEXT, 10),
    ("Result", TEXT, 10),
    ("LeadCard", TEXT, 10),
    ("Remarks", TEXT, 255),
    ("DateLog", TIME, 0),
    ("TimeLog", TIME, 0),
    *(
        (name, BOOL, 0)
        for name in ("Processed", "Processed1", "Processed2", "Processed3", "Processed4")
    ),
    ("Erased", BOOL, 0),
    ("ExternalUpdate", BOOL, 0),
]
SECTION = [
    ("ID", INTEGER, 0),
    ("Letter", TEXT, 2),
    ("Tables", INTEGER, 0),
    ("MissingPair", INTEGER, 0),
]


def received(place, one, day):
    """Return a result as the table of results has it: from a line of evening.json."""
    section, table, round, board, ns, ew, declarer, contract, result, lead, remarks, erased = one
    pair = 0 if not declarer else ns if declarer in "NS" else ew
    minutes = 30 * (round - 1) + 7 * board + table
    return [
        place, section, table, round, board, ns, ew, pair, declarer, contract, result, lead, remarks,
        (day - EPOCH.date()).days, 0.8 + minutes / 1440,
        False, False, False, False, False, erased, False,
    ]  # fmt: skip


def main():
    told = json.loads((HERE / "evening.json").read_text())
    create(str(HERE / "evening.bws"))  # msaccessdb goes by the end of the name: this is Access 2003
    file = bytearray((HERE / "evening.bws").read_bytes())
    add_table(file, "Section", SECTION, [[1, "A", 5, 0], [2, "B", 5, 0]])
    day = date.fromisoformat(told["date"])
    rows = [received(place, item, day) for place, item in enumerate(told["results"], 1)]
    add_table(file, "ReceivedData", RECEIVED, rows)
    (HERE / "evening.bws").write_bytes(file)


if __name__ == "__main__":
    main()
