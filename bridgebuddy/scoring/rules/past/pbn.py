"""PBN files: their tables of totals. Games without such a table have no ranking, and none is calculated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from bridgebuddy.deals.rules.reading import tagged_tables

from .model import (
    MOST_LINES,
    ImportedLine,
    ImportedPlayer,
    ImportedRanking,
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

#: a cell in quotes, a comment, any other cell
CELL = re.compile(r'"((?:\\.|[^"\\])*)"|(\{[^}]{0,80}\}|;[^\n]*|(?m:^%[^\n]*))|([^\s"{;]\S*)')
#: width and alignment of a column: "Score\8R"
WIDTH = re.compile(r"\\\d*[LR]?$", re.IGNORECASE)
TOTALS = {
    "totalmp": "mp",
    "totalscoremp": "mp",
    "totalimp": "imp",
    "totalscoreimp": "imp",
    "totalvp": "vp",
    "totalscorevp": "vp",
    "totalbam": "",
    "totalscore": "",
}
#: between the names of a line: the standard's sign, or replacements of some programs
BETWEEN = re.compile(r"\s*;\s*|\s+[-–—&/+]\s+")
MASTERPOINTS = ("mp", "masterpoints", "awardmp")


def read_pbn(text: str) -> list[PastSession]:
    """Return the sessions of a PBN file: one for each event and day with a total score table."""
    facts: dict[str, str] = {}
    parts_of_session: dict[
        tuple[str, str], list[tuple[dict[str, str], list[Mapping[str, str]]]]
    ] = {}
    for name, value, rows in tagged_tables(text):
        if name.lower() == "totalscoretable":
            key = facts.get("event", ""), facts.get("date", "")
            parts_of_session.setdefault(key, []).append(
                (dict(facts), list(_rows_of_table(value, rows)))
            )
        elif value not in ("", "#", "##"):
            facts[name.lower()] = value.lstrip("#")
    sessions = (_session_of_games(parts) for parts in parts_of_session.values())
    return [session for session in sessions if session.rankings]


def _rows_of_table(columns: str, rows: str) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a PBN table as dictionaries by column."""
    names = [WIDTH.sub("", column.strip().lstrip("+-")).lower() for column in columns.split(";")]
    width = len(names)
    cells = [
        re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[3]
        for match in islice(CELL.finditer(rows), (MOST_LINES + 1) * (width + 1))
        if match[2] is None
    ]
    for start in range(0, len(cells) - width + 1, width):
        yield dict(zip(names, cells[start : start + width], strict=True))


def _session_of_games(games: list[tuple[dict[str, str], list[Mapping[str, str]]]]) -> PastSession:
    """Return the session to which consecutive boards of a PBN file belong."""
    facts = games[0][0]
    everything = [row for _, rows in games for row in rows]
    columns = set(everything[0]) if everything else set()
    contest = _contest_of_rows(columns, everything)
    unit = next((TOTALS[total] for total in TOTALS if total in columns), "")
    rankings = [ranking for _, rows in games for ranking in _rankings_of_rows(rows, contest)]
    return PastSession(
        cell_text(facts.get("event", "")),
        date_in(facts.get("eventdate") or facts.get("date", "")),
        joined_rankings(rankings),
        contest,
        unit,
        "PBN",
        cell_text(facts.get("site", "")),
        cell_text(facts.get("generator", "")),
        left_out=missing_pair_names(
            name
            for row in everything
            for name in BETWEEN.split(_names_of_row(row) or row.get("team", ""))
        ),
    )


def _names_of_row(row: Mapping[str, str]) -> str:
    """Return the players' names in a row of a PBN total score table."""
    return row.get("names") or row.get("name") or row.get("player") or ""


def _contest_of_rows(columns: set[str], rows: list[Mapping[str, str]]) -> str:
    """Return the kind of contest by what the rows name: teams, single players or pairs."""
    if columns & {"teamid", "team"}:
        return "teams"
    if "playerid" in columns or not any(BETWEEN.search(row.get("names", ";")) for row in rows):
        return "individual"
    return "pairs"


def _rankings_of_rows(rows: list[Mapping[str, str]], contest: str) -> Iterator[ImportedRanking]:
    """Yield the rankings that the rows of a PBN total score table form."""
    lines_of_list: dict[tuple[str, str], list[ImportedLine]] = {}
    for row in rows:
        names = _names_of_row(row)
        team = row.get("team", "")
        if is_nobody(names or team) or len(lines_of_list) > 50:
            continue
        section, field = _section_and_direction(row)
        lines_of_list.setdefault((section, field), []).append(
            _imported_line(row, names, team, contest)
        )
    for (section, field), lines in lines_of_list.items():
        yield ImportedRanking(tuple(lines), field, section)


def _section_and_direction(row: Mapping[str, str]) -> tuple[str, str]:
    """Return a row's section and direction, from columns or from the prefix of its number."""
    label = row.get("pairid") or row.get("playerid") or row.get("teamid") or ""
    field = row.get("direction", "").upper().replace("-", "")
    before = re.match(r"([A-Z]?)[ -]?(N/?S|E/?W|O/?W)?(?=[ -]?\d)", label.upper())
    if before and not field:
        field = (before[2] or "").replace("/", "").replace("OW", "EW")
    section = cell_text(row.get("section", ""), 12) or (
        before[1] if before and "pairid" in row else ""
    )
    return section or "", field if field in ("NS", "EW") else ""


def _imported_line(row: Mapping[str, str], names: str, team: str, contest: str) -> ImportedLine:
    """Return a contestant's row of a ranking from a row of a PBN table."""
    ids = [row.get(f"memberid{number}", "") for number in range(1, 9)]
    people = [names.strip()] if contest == "individual" else BETWEEN.split(names.strip())
    members = [*ids, *[""] * len(people)]
    return ImportedLine(
        place_in_cell(row.get("rank", "")),
        cell_text(row.get("pairid") or row.get("playerid") or row.get("teamid") or "", 12),
        present_players(
            ImportedPlayer(name, cell_text(number, 20))
            for name, number in zip(people, members, strict=False)
        ),
        team=cell_text(team) if contest == "teams" else "",
        total=next((number_in_cell(row[total]) for total in TOTALS if total in row), ""),
        percent=number_in_cell(row.get("totalpercentage") or row.get("percentage") or ""),
        masterpoints=next(
            (
                number_in_cell(row[masterpoint])
                for masterpoint in MASTERPOINTS
                if masterpoint in row
            ),
            "",
        ),
        boards=board_count_in_cell(row.get("nrboards", "")),
    )
