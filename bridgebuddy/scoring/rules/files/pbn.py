"""PBN 2.1: a game for each board, with its cards where they are known, and all its results.

The standard's letters are those of Latin-1: others lose what Latin-1 has not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from ..points import dealer, is_vulnerable
from .exported import Exported, Line, plain, players, visible

ENCODING = "latin-1"
SCORING = {
    "matchpoints": "MatchPoints;MP1",
    "cross-imps": "IMP;Cross",
    "butler": "IMP;Butler",
    "team-imps": "IMP",
    "bam": "BAM",
    "aggregate": "TotalPoints",
}
OF_MATCHPOINTS = ("MP_NS", "MP_EW", "Percentage_NS", "Percentage_EW")
OF_IMPS = ("IMP_NS", "IMP_EW")
UNKNOWN, NOTHING = "?", "-"


def written(exported: Exported) -> str:
    """Return a session as PBN."""
    games = [
        "\n".join(_game(exported, section, board, lines, place == 0))
        for place, (section, board, lines) in enumerate(
            (section, board, lines)
            for section, boards in exported.deals
            for board, lines in boards.items()
        )
    ]
    return "% PBN 2.1\n% EXPORT\n" + "\n\n".join(games) + "\n"


def _game(
    exported: Exported, section: str | None, board: int, lines: list[Line], is_first: bool
) -> Iterator[str]:
    event = exported.event if section is None else f"{exported.event}, {section}"
    deal = exported.pbn(section, board)
    tags = {
        "Event": event,
        "Site": exported.club,
        "Date": f"{exported.date:%Y.%m.%d}",
        "Board": board,
        "West": "",
        "North": "",
        "East": "",
        "South": "",
        "Dealer": dealer(board),
        "Vulnerable": _vulnerable(board),
        "Deal": deal,
        "Scoring": SCORING[exported.method],
        "Declarer": "",
        "Contract": "",
        "Result": "",
    }
    for name, value in tags.items():
        yield f"[{name} {_quoted(value)}]"
    if is_first and exported.contest != "teams":
        yield from _totals(exported)
    yield from _table(exported, lines)


def _vulnerable(board: int) -> str:
    ns, ew = is_vulnerable(board, "N"), is_vulnerable(board, "E")
    return {(True, True): "All", (True, False): "NS", (False, True): "EW"}.get((ns, ew), "None")


def _table(exported: Exported, lines: Iterable[Line]) -> Iterator[str]:
    values = OF_MATCHPOINTS if exported.method == "matchpoints" else OF_IMPS
    names = ("PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Lead", "Score_NS")
    yield f"[ScoreTable {_quoted(';'.join((*names, *values)))}]"
    for line in sorted(lines, key=lambda one: -(one.score if one.score is not None else -99999)):
        yield " ".join(_cells(exported, line, values))


def _cells(exported: Exported, line: Line, values: Iterable[str]) -> Iterator[str]:
    for name in ("ns", "ew"):
        yield "+".join(exported.name(line.section, one) for one in line.sitting(name))
    contract = line.contract
    yield "Pass" if line.is_passed else str(contract.get("contract", NOTHING)).replace("x", "X")
    yield str(contract.get("declarer") or NOTHING)
    yield str(contract.get("tricks", NOTHING))
    yield str(contract.get("lead") or NOTHING).replace("10", "T")
    yield NOTHING if line.score is None else str(line.score)
    mark = "" if line.score is not None else "^"  # an artificial score
    for name in values:
        column, _, side = name.partition("_")
        found = line.side(side.lower())["percent" if column == "Percentage" else "value"]
        yield f"{mark}{plain(found)}" if found is not None else NOTHING


def _totals(exported: Exported) -> Iterator[str]:
    is_per_cent = any(row["percent"] is not None for row in exported.rows.values())
    in_vps = exported.method == "matchpoints" and not is_per_cent
    values = (
        ("TotalMP", "TotalPercentage") if is_per_cent else ("TotalVP" if in_vps else "TotalIMP",)
    )
    yield f"[TotalScoreTable {_quoted(';'.join(('Rank', 'PairId', 'Names', *values, 'NrBoards')))}]"
    for one in exported.contestants():
        row = exported.rows.get((one["section"], one["label"]))
        if row is None:
            continue
        cells = [
            (row["place"] or NOTHING).removesuffix("="),
            exported.name(one["section"], one["label"]),
            _quoted(";".join(players(one))),
            plain(row["total"]),
            *([plain(row["percent"])] if is_per_cent else []),
            str(row["boards"]),
        ]
        yield " ".join(cell or NOTHING for cell in cells)


def _quoted(value: object) -> str:
    text = latin(visible(str(value))).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def latin(text: str) -> str:
    """Return a text in the letters of Latin-1; of others what is left without their accents.

    >>> latin("Łukasz Škvor, Jürgen")
    '?ukasz Skvor, Jürgen'
    """
    return "".join(map(_latin, text))


def _latin(letter: str) -> str:
    if letter < "\u0100":
        return letter
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if one < "\u0080")
    return bare or "?"
