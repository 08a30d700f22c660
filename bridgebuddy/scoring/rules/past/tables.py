"""CSV tables: of BridgeWebs, our own, and spreadsheets whose heading names the columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from .model import (
    ImportedLine,
    ImportedPlayer,
    ImportedRanking,
    NotRead,
    PastSession,
    board_count_in_cell,
    cell_text,
    date_in,
    is_nobody,
    joined_rankings,
    missing_pair_names,
    number_in_cell,
    place_in_cell,
    present_players,
)

MOST_ROWS, MOST_COLUMNS = 65_000, 60
#: headings of columns, as patterns of the whole cell in lower case without signs
COLUMNS = (
    ("place", r"(place|position|pos|rank|rang|platz|pl)"),
    ("percent", r"(percent(age)?|per cent|prozent|pct|%|mp %|score %|ergebnis %|% score|result %)"),
    ("vp", r"(vps?|victory points?|sp|siegpunkte)"),
    ("imp", r"(imps?|x ?imps?|cross ?imps?|butler)"),
    (
        "masterpoints",
        r"(master ?points?|mps awarded|cp|club ?punkte|masterpunkte|lp|local ?points?)",
    ),
    ("total", r"(total|score|mps?|match ?points?|match ?punkte|punkte|points|ergebnis|result)"),
    ("boards", r"(boards?( played)?|anzahl boards)"),
    (
        "national",
        r"(number|id|dbv|ebu|sbu|wbu|acbl|öbv|nbb|federation|national|member ?id)( ?(n[or]|number|id))?",
    ),
    ("forename", r"((vor|ruf)name|(first|fore|given) ?name)"),
    ("surname", r"((nach|zu|familien)name|(last|sur|family) ?name)"),
    ("player", r"(name|player|spieler(in)?|partner(in)?)"),
    ("names", r"(names|namen|pair names?|players|paar ?namen|die spieler|spieler ?paar|paarung)"),
    ("team", r"(team( ?name)?|mannschaft)"),
    (
        "label",
        r"(pair|paar|label|pair (n[or]|number)|paar ?n[or]|start ?n[or]|n[or]|team (n[or]|id))",
    ),
    ("section", r"(section|sektion|abteilung|gruppe)"),
    ("field", r"(list|direction|line|linie|achse|richtung|ns ew|n s e w)"),
    ("date", r"(date|datum|tag|day)"),
    ("event", r"(event|title|turnier|session|veranstaltung)"),
)
PATTERNS = [(role, re.compile(pattern)) for role, pattern in COLUMNS]
#: "Name1", "Spieler 2": the people of a line
NUMBERED = re.compile(r"(.*?) ?([1-8])")
#: words in every heading, and in few lines: a quick test before all cells of a long table are read
NAMES = re.compile(r"name|player|spieler|partner|paarung|team|mannschaft", re.IGNORECASE)
OF_PEOPLE = ("player", "forename", "surname", "national")
FIELDS = {
    "NS": "NS",
    "N S": "NS",
    "N/S": "NS",
    "N-S": "NS",
    "EW": "EW",
    "E/W": "EW",
    "E-W": "EW",
    "O/W": "EW",
}
BRIDGEWEBS = re.compile(r'^[ \t]*"?#(SCORES|TITLE|VERSION|DATE)\b', re.IGNORECASE | re.MULTILINE)

Columns = tuple[tuple[str, int], ...]


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of a delimited text, row by row; the first line may name the delimiter ("sep=;")."""
    separator = re.match(r'\ufeff?"?sep=(.)"?\r?\n', text, re.IGNORECASE)
    if separator:
        text = text[separator.end() :]
    beginning = text[:4000]
    delimiter = separator[1] if separator else max("\t;,|", key=beginning.count)
    if delimiter not in "\t;,|":
        raise NotRead("unknown")
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        rows = [row[:MOST_COLUMNS] for _, row in zip(range(MOST_ROWS + 1), reader, strict=False)]
    except csv.Error as wrong:
        raise NotRead("broken") from wrong
    if len(rows) > MOST_ROWS:
        raise NotRead("large")
    return rows


def read_tables(text: str) -> list[PastSession]:
    """Return the sessions in a spreadsheet saved as text. Raises `NotRead`."""
    rows = rows_of(text)
    return _sessions_of_bridgewebs(rows) if BRIDGEWEBS.search(text) else _sessions_by_heading(rows)


# ── BridgeWebs: lines with "#" introduce a part ──


def _sessions_of_bridgewebs(rows: Sequence[Sequence[str]]) -> list[PastSession]:
    """Return the sessions of a BridgeWebs file."""
    facts: dict[str, str] = {}
    lists: list[list[Sequence[str]]] = []
    is_inside = False
    for row in rows:
        first = row[0].strip() if row else ""
        if first.startswith("#"):
            name = first[1:].upper()
            facts.setdefault(name, cell_text(row[1]) if len(row) > 1 else "")
            is_inside = name == "SCORES"
            if is_inside:
                lists.append([])
        elif is_inside and any(row):
            lists[-1].append(row)
    rankings = []
    unit, contest = "", "pairs"
    names: list[str] = []
    for number, table_rows in enumerate(lists):
        columns = heading_columns(table_rows[0]) if table_rows else ()
        values = [_values_by_role(columns, row) for row in table_rows[1:]] if columns else []
        lines = [_imported_line(row_values) for row_values in values]
        names += [name for row_values in values for name in _written_names(row_values)]
        unit, contest = unit or _unit_of_columns(columns), _contest_of_columns(columns, contest)
        field = ("NS", "EW")[number] if len(lists) == 2 and facts.get("WINNERS") == "2" else ""
        present = tuple(line for line in lines if line is not None)
        rankings.append(ImportedRanking(present, field, "" if field else str(number or "")))
    session = PastSession(
        facts.get("TITLE", ""),
        date_in(facts.get("DATE", "")),
        joined_rankings(rankings),
        contest,
        unit,
        "BridgeWebs",
        facts.get("CLUB", ""),
        facts.get("VERSION", ""),
        left_out=missing_pair_names(names),
    )
    return [session] if session.rankings else []


# ── a heading, and a line for each ──


@dataclass
class _FoundTable:
    """A results table found in a spreadsheet: its columns, and its rows by ranking."""

    lines: dict[tuple[str, str], list[ImportedLine]]
    columns: Columns
    #: every name as written in the table
    names: list[str] = field(default_factory=list)


def _sessions_by_heading(rows: Sequence[Sequence[str]]) -> list[PastSession]:
    """Return the sessions of a table with headings, one for each day and event if it has such columns."""
    columns: Columns = ()
    found_tables: dict[tuple[str, date | None], _FoundTable] = {}
    title, day, group = "", None, None
    for row in rows:
        if not any(cell.strip() for cell in row):
            if columns and found_tables:
                break  # the following lines are another table: in our own files, the boards
            continue
        heading = heading_columns(row) if NAMES.search(" ".join(row)) else ()
        if _is_heading(heading):
            columns, group = heading, row.index("group") if "group" in row else None
            continue
        if not columns:  # before the heading: the title, and the date
            text = " ".join(filter(None, map(cell_text, row)))
            day = day or date_in(text)
            title = title or text
            continue
        values = _values_by_role(columns, row)
        line = _imported_line(values)
        if _is_of_group(row, group):
            continue
        key = cell_text(values.get("event", "")) or title, date_in(values.get("date", "")) or day
        session = found_tables.setdefault(key, _FoundTable({}, columns))
        session.names += _written_names(values)
        if line is not None:
            section, direction = cell_text(values.get("section", ""), 12), values.get("field", "")
            of_list = FIELDS.get(direction.strip().upper(), ""), section
            session.lines.setdefault(of_list, []).append(line)
    sessions = (
        _session_of_table(name, at, column_values)
        for (name, at), column_values in found_tables.items()
    )
    return [session for session in sessions if session.rankings]


def _is_of_group(row: Sequence[str], group: int | None) -> bool:
    """Return whether a row belongs to the ranking of a stratum, a category or a handicap."""
    return group is not None and len(row) > group and bool(row[group].strip())


def _session_of_table(name: str, day: date | None, table: _FoundTable) -> PastSession:
    """Return the session with this name and day from a results table."""
    rankings = joined_rankings(
        ImportedRanking(tuple(lines), field, section)
        for (field, section), lines in table.lines.items()
    )
    contest, every = (
        _contest_of_columns(table.columns, "pairs"),
        [line for r in rankings for line in r.lines],
    )
    if contest == "pairs" and every and not any(_has_several_names(line) for line in every):
        contest = "individual" if any(line.percent for line in every) else "teams"
    if contest == "teams":
        rankings = tuple(
            replace(each, lines=tuple(_team_line(line) for line in each.lines)) for each in rankings
        )
    left_out = missing_pair_names(table.names)
    unit = _unit_of_columns(table.columns)
    return PastSession(name, day, rankings, contest, unit, "CSV", left_out=left_out)


def _has_several_names(line: ImportedLine) -> bool:
    """Return whether a row names more than one player."""
    return len(line.players) > 1 or bool(re.search(r"[&/;+]|\b(und|and)\b|[-–] ", line.joined))


def _team_line(line: ImportedLine) -> ImportedLine:
    """Return a row that gives only a team name as a team's row."""
    return replace(line, team=line.joined, joined="") if line.joined and not line.team else line


def heading_columns(row: Sequence[str]) -> Columns:
    """Return what each column of a heading row contains, with the player's number in the row (0: all).

    >>> heading_columns(["Pos", "Name1", "Name 2", "Score%"])
    (('place', 0), ('player', 1), ('player', 2), ('percent', 0))
    """
    return tuple(map(_column_role, row))


def _column_role(cell: str) -> tuple[str, int]:
    """Return what a column contains by its heading; empty if unknown."""
    plain = " ".join(re.sub(r"[^\w%]+|_", " ", cell.casefold()).replace("%", " % ").split())
    numbered = NUMBERED.fullmatch(plain)
    for role, pattern in PATTERNS:
        if pattern.fullmatch(plain):
            return role, 1 if role in ("forename", "surname") else 0
        if numbered and role in OF_PEOPLE and pattern.fullmatch(numbered[1]):
            return role, int(numbered[2])
    return "", 0


def _is_heading(columns: Columns) -> bool:
    """Return whether these columns are those of a results table."""
    roles = {role for role, _ in columns}
    has_names = roles & {"player", "names", "surname", "team"}
    return bool(has_names) and bool(
        roles & {"place", "percent", "total", "vp", "imp", "masterpoints"}
    )


def _values_by_role(columns: Columns, row: Sequence[str]) -> Mapping[str, str]:
    """Return a row's cells by what their columns contain; of several equal columns the first."""
    values: dict[str, str] = {}
    for (role, number), cell in zip(columns, row, strict=False):
        if role:
            values.setdefault(f"{role}{number or ''}", cell)
    return values


def _imported_line(values: Mapping[str, str]) -> ImportedLine | None:
    """Return a contestant's row of a ranking from a table's row; None for a missing pair or without names."""
    joined = cell_text(values.get("names") or values.get("player", ""), 200)
    people = list(_players_of_values(values))
    team = cell_text(values.get("team", ""))
    place = place_in_cell(values.get("place", ""))
    if (
        is_nobody(joined)
        and not team
        and all(is_nobody(person.name) for person in people)
        and not place
    ):
        return None
    if all(is_nobody(person.name) for person in people) and joined and is_nobody(joined):
        return None
    total = next(
        (number_in_cell(values[column]) for column in ("vp", "imp", "total") if column in values),
        "",
    )
    percent = number_in_cell(values.get("percent", ""))
    if not percent and values.get("total", "").strip().endswith("%"):
        percent, total = number_in_cell(values["total"]), ""
    return ImportedLine(
        place,
        cell_text(values.get("label", ""), 12),
        present_players(people),
        "" if people else joined,
        team,
        total,
        percent,
        number_in_cell(values.get("masterpoints", "")),
        board_count_in_cell(values.get("boards", "")),
    )


def _written_names(values: Mapping[str, str]) -> Iterator[str]:
    """Yield the names in a row as they are written, also placeholders for a missing pair."""
    people = [player.name for player in _players_of_values(values)]
    joined = cell_text(values.get("names", ""), 200)
    yield from people
    yield from [joined] if is_nobody(joined) else re.split(r"[&/;+]", joined)


def _players_of_values(values: Mapping[str, str]) -> Iterator[ImportedPlayer]:
    """Yield the players in a table's row."""
    for number in range(1, 9):
        parts = (values.get(f"forename{number}", ""), values.get(f"surname{number}", ""))
        name = values.get(f"player{number}") or " ".join(filter(None, parts))
        if name.strip():
            yield ImportedPlayer(name, cell_text(values.get(f"national{number}", ""), 20))


def _unit_of_columns(columns: Columns) -> str:
    """Return the unit of the totals that the columns name: "vps" or "imps"; empty if none."""
    roles = {role for role, _ in columns}
    return next((column for column in ("vp", "imp") if column in roles), "")


def _contest_of_columns(columns: Columns, otherwise: str) -> str:
    """Return "teams" if there is a column of teams, else `otherwise`."""
    return "teams" if "team" in {role for role, _ in columns} else otherwise
