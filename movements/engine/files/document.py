"""The movement's JSON: the format in which movements are exchanged, printed and stored.

Rows carry round, table, ns and ew (n, s, e, w in an individual) and the board sets, and `half` if a table plays its
round in parts. Two-winner pairs are numbered within their direction, one-winner pairs 1…n. A document's statements
*about* a movement (name, source, errata, notes, claims to be checked) are kept beside it and returned unchanged.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from movements.engine.declarations import Exemption, Share

from ..contest import Contest
from ..model import Movement, Seating, Side, players_of
from . import strict
from .reading import LONGEST_NAME, MOST_ROWS, MovementReader, file_error, quoted_value, read_list

#: keys of a document that describe the movement without being part of it
ABOUT = (
    "name",
    "source",
    "claims",
    "errata",
    "notes",
    "derived",
    "board_pools",
    "scoring_direction",
    "derived_rows",
)
NEEDED = ("family", "contest", "tables", "rounds", "field", "boards", "rows")
#: keys of a document that are not in its rows
BESIDE_ROWS = (
    "family",
    "contest",
    "tables",
    "rounds",
    "field",
    "boards",
    "copies",
    "shared",
    "stands",
    "triangles",
    "exceptions",
)
INDIVIDUAL_SEATS = ("n", "s", "e", "w")


@dataclass(frozen=True)
class MovementDocument:
    """A movement with the title, source and other statements of its file."""

    movement: Movement
    about: Mapping[str, Any] = field(default_factory=dict)


def read_json(text: str) -> MovementDocument:
    """Read a movement from JSON text.

    Raises `BadMovementFile` with the position and the problem if it is not of this form. The laws are not checked
    here: see `laws.find_violations`.
    """
    try:
        data = strict.load_json(text.removeprefix("\ufeff"))
    except strict.KeyTwice as twice:
        raise file_error("file", "key-twice", key=quoted_value(twice.key)) from None
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        raise file_error("file", "no-json", line=line, column=column) from None
    return read_movement(data)


def read_movement(data: object, row_numbers: Sequence[int] | None = None) -> MovementDocument:
    """Return the movement that a JSON object describes; `row_numbers` are those of a CSV file, for errors.

    Raises `BadMovementFile` with the position and the problem if it is not of this form.
    """
    if not isinstance(data, dict):
        raise file_error("file", "no-movement")
    for key in NEEDED:
        if key not in data:
            raise file_error("file", "key", key=key)
    movement = MovementReader(data, row_numbers).movement()
    read_list(
        data.get("sitouts", []), "sitouts"
    )  # only for comparison, see `contradicting_statements`
    about = {key: data[key] for key in ABOUT if key in data}
    derived = [index for index, row in enumerate(data["rows"]) if row.get("derived")]
    if derived:
        about["derived_rows"] = derived
    return MovementDocument(movement, about)


def movement_dict(document: MovementDocument) -> dict[str, Any]:
    """Return the JSON object of a movement: the inverse of `read_movement`."""
    movement = document.movement
    about = {
        "name": f"{movement.family}, {movement.tables} tables, {movement.rounds} rounds",
        "source": {"document": "BridgeBuddy", "section": movement.family},
        "errata": [],
        "notes": "",
        **document.about,
    }
    derived = set(about.pop("derived_rows", ()))
    rows = [_seating_row(movement, seating) for seating in movement.seatings]
    for index in derived:
        rows[index]["derived"] = True
    data: dict[str, Any] = {
        "name": about["name"],
        "family": movement.family,
        "contest": movement.contest,
        "source": about["source"],
        "tables": movement.tables,
        "rounds": movement.rounds,
        "winners": movement.winners,
        "field": {field.name: list(field.labels) for field in movement.fields},
        "boards": list(movement.sets),
        "copies": movement.copies,
        "shared": [_share_dict(share) for share in movement.shared],
        "rows": rows,
        "stands": [
            {"round": s.round, "after_table": s.after_table, "boards": list(s.sets)}
            for s in movement.stands
        ],
        "sitouts": sit_outs(movement),
        "exceptions": [_exemption_dict(movement, item) for item in movement.exemptions],
    }
    if movement.triangles:
        data["triangles"] = [
            {"rounds": list(t.rounds), "teams": [movement.number(team) for team in t.teams]}
            for t in movement.triangles
        ]
    if movement.sets and movement.copies > 1 and movement.is_barometer:
        data["barometer"] = True
    data.update({key: value for key, value in about.items() if key not in data})
    return data


def write_json(document: MovementDocument) -> str:
    """Return a movement's document as JSON text, one seating per text line."""
    data = movement_dict(document)
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join("  " + json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_csv(movement: Movement, *, is_complete: bool = False) -> str:
    """Return a movement's seatings as CSV: round, table, half, sides (n, s, e, w in an individual), boards.

    A triangle of a draw has a row in each of its rounds, with its teams in a column of their own. The rows alone lack
    names, stands, shared tables and copies. With `is_complete`, a first line that begins with # holds these as JSON,
    so that nothing is lost.
    """
    seats = INDIVIDUAL_SEATS if movement.contest.plays_alone else ("ns", "ew")
    columns = [
        "round",
        "table",
        "half",
        *seats,
        "boards",
        *(["triangle"] * bool(movement.triangles)),
    ]
    out = io.StringIO()
    if is_complete:
        data = movement_dict(MovementDocument(movement))
        header = {key: data[key] for key in BESIDE_ROWS if data.get(key)}
        out.write(f"# {json.dumps(header, ensure_ascii=False)}\n")
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    for seating in movement.seatings:
        row = _seating_row(movement, seating)
        writer.writerow({**row, "boards": " ".join(row["boards"])})
    for triangle in movement.triangles:
        teams = " ".join(movement.number(team) for team in triangle.teams)
        writer.writerows({"round": round, "triangle": teams} for round in triangle.rounds)
    return out.getvalue()


def read_csv(text: str, contest: Contest | None = None) -> MovementDocument:
    """Read a movement from CSV: the inverse of `write_csv`.

    Without the first line that begins with #, the other data is inferred: pairs unless there are columns n, s, e and
    w (or `contest` says otherwise), two fields if a number sits at two places in a round, as many copies as tables
    need a set at one time, and no stands. Raises `BadMovementFile` with the row (as a spreadsheet counts) and the
    column.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    beside: dict[str, Any] = {}
    first = 0
    if lines and lines[0].startswith("#"):
        first = 1
        try:
            beside = strict.load_json(lines[0][1:])
        except strict.KeyTwice as twice:
            raise file_error("row 1", "key-twice", key=quoted_value(twice.key)) from None
        except (ValueError, RecursionError) as error:
            raise file_error(
                "row 1", "no-comment-json", column=getattr(error, "colno", 0) + 1
            ) from None
        if not isinstance(beside, dict):
            raise file_error("row 1", "no-comment-object")
    everything = _csv_rows(lines[first:], first)
    rows = {number: row for number, row in everything.items() if "triangle" not in row}
    triangles = _csv_triangles(row for row in everything.values() if "triangle" in row)
    if not everything and not beside:
        raise file_error("file", "no-rows")
    inferred = _inferred_data([*rows.values()], triangles, contest)
    data = {**inferred, **beside, "triangles": triangles, "rows": [*rows.values()]}
    return read_movement(data, [*rows])


def _csv_rows(lines: list[str], skipped: int) -> dict[int, dict[str, Any]]:
    """Return the rows of a CSV movement as JSON objects, by their numbers in the file."""
    reader = csv.DictReader(lines, strict=True)
    rows: dict[int, dict[str, Any]] = {}
    try:
        columns = tuple(reader.fieldnames or ())
        seats = INDIVIDUAL_SEATS if "n" in columns else ("ns", "ew")
        missing = [name for name in ("round", "table", *seats) if name not in columns]
        if missing:
            raise file_error(f"row {skipped + 1}", "column", column=missing[0])
        for cells in reader:
            number = skipped + reader.line_num
            if len(rows) == MOST_ROWS:
                raise file_error(f"row {number}", "rows", most=MOST_ROWS)
            if None in cells or None in cells.values():
                raise file_error(f"row {number}", "cells", most=len(columns))
            rows[number] = _csv_row(cells, seats, number)
    except csv.Error:
        line = skipped + reader.reader.line_num
        raise file_error(f"row {line}", "no-csv") from None
    return rows


def _csv_row(cells: Mapping[str, str], seats: Sequence[str], number: int) -> dict[str, Any]:
    """Return the JSON form of a row of a CSV movement."""
    row: dict[str, Any] = {"boards": cells.get("boards", "").split()}
    if teams := cells.get("triangle", "").split():
        row["triangle"] = teams
    needed = ("round",) if teams else ("round", "table")
    for column in ("round", "table", "half"):
        cell = cells.get(column, "").strip()
        if cell.isascii() and cell.isdecimal() and len(cell) < 4:
            row[column] = int(cell)
        elif cell or column in needed:
            raise file_error(
                f"row {number}, column {column}", "no-number", value=quoted_value(cell)
            )
    for seat in seats:
        row[seat] = cells[seat].strip() or None
    return row


def _csv_triangles(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the three-way matches of a CSV movement in JSON form."""
    rounds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for row in rows:
        rounds[tuple(row["triangle"])].append(row["round"])
    return [
        {"rounds": rounds_of_teams, "teams": list(teams)}
        for teams, rounds_of_teams in rounds.items()
    ]


def _inferred_data(
    rows: Sequence[Mapping[str, Any]],
    triangles: Sequence[Mapping[str, Any]],
    contest: Contest | None,
) -> dict[str, Any]:
    """Return the JSON data of a movement that follow from its CSV rows: tables, rounds, contestants, sets."""
    is_individual = bool(rows) and "n" in rows[0]
    seats = INDIVIDUAL_SEATS if is_individual else ("ns", "ew")
    likely = Contest.TEAMS if triangles else Contest.PAIRS
    contest = contest or (Contest.INDIVIDUAL if is_individual else likely)
    tables: defaultdict[int, set[int]] = defaultdict(set)
    places: Counter[tuple[int, int, str]] = Counter()
    tables_of_set: defaultdict[tuple[int, int, str], set[int]] = defaultdict(set)
    lines: dict[str, set[str]] = {seat: set() for seat in seats}
    for row in rows:
        tables[row["round"]].add(row["table"])
        seated = [(seat, row[seat]) for seat in seats if row[seat]]
        for half in (row["half"],) if "half" in row else (1, 2):
            places.update((row["round"], half, label) for _, label in seated)
            for name in row["boards"]:
                tables_of_set[row["round"], half, name].add(row["table"])
        for seat, label in seated:
            away = re.fullmatch(r"(NS|EW) ?(.+)", label, re.IGNORECASE)
            line, bare = (away[1].lower(), away[2]) if away else (seat, label)
            lines.setdefault(line, set()).add(bare)
    everybody = set().union(*lines.values(), *(triangle["teams"] for triangle in triangles))
    if not contest.has_halves and max(places.values(), default=0) > 1:
        fields = {line: _sort_naturally(labels) for line, labels in lines.items()}
    else:
        fields = {"players" if is_individual else contest: _sort_naturally(everybody)}
    return {
        "family": "imported",
        "contest": contest,
        "tables": max(map(len, tables.values()), default=3 * len(triangles)),
        "rounds": max([0, *tables, *(r for triangle in triangles for r in triangle["rounds"])]),
        "field": fields,
        "boards": _sort_naturally({name for _, _, name in tables_of_set}),
        "copies": max(map(len, tables_of_set.values()), default=1),
    }


def _sort_naturally(names: Collection[str]) -> list[str]:
    """Sort labels naturally: 9 before 10, Z before AA."""
    return sorted(names, key=lambda name: (len(name), name))


def contradicting_statements(data: Mapping[str, Any], movement: Movement) -> tuple[str, ...]:
    """Return a document's statements (winners, sit-outs …) that contradict its seatings, in English.

    Winners, sit-outs and halves are derived from the rows. But a document states them too, and its readers may rely
    on them.
    """
    problems = []
    if data.get("winners", movement.winners) != movement.winners:
        problems.append(
            f"winners: there are {movement.winners}, not {quoted_value(data['winners'])}"
        )
    sitting_out = sit_outs(movement)
    stated = data.get("sitouts", sitting_out)
    declared_sit_outs = {_sit_out(entry) for entry in sitting_out}
    named = {_sit_out(entry) for entry in stated}
    problems += [
        f"sitouts: {entry} sits out but is not listed"
        for entry in sorted(declared_sit_outs - named)
    ]
    problems += [
        f"sitouts: {entry} is listed but does not" for entry in sorted(named - declared_sit_outs)
    ]
    played = {name for seating in movement.seatings for name in seating.sets}
    unplayed = [name for name in movement.sets if name not in played]
    if unplayed and not movement.open_rounds:
        problems.append(f"boards: nobody plays {', '.join(unplayed)}")
    halves: defaultdict[tuple[int, int], list[object]] = defaultdict(list)
    for row in data["rows"]:
        halves[row["round"], row["table"]].append(row.get("half"))
    for (round, table), stated_halves in halves.items():
        count = len(stated_halves)
        if stated_halves != [None] and set(stated_halves) != set(range(1, count + 1)):
            problems.append(
                f"rows: round {round} table {table} has {count} rows but not their halves"
            )
    return tuple(problems)


def _sit_out(entry: object) -> str:
    """Return a document's sit-out entry as text; an invalid entry is shown unchanged."""
    if not isinstance(entry, dict) or not {"round", "contestant"} <= set(entry):
        return quoted_value(entry)
    half = f" half {quoted_value(entry['half'])}" if "half" in entry else ""
    name = entry["contestant"]
    is_label = isinstance(name, str) and name.isprintable() and len(name) <= LONGEST_NAME
    return f"round {quoted_value(entry['round'])}{half}: {name if is_label else quoted_value(name)}"


def sit_outs(movement: Movement) -> list[dict[str, Any]]:
    """Return a movement's sit-outs as JSON entries: round, half (if it is only one), contestant."""
    entries = []
    for round in range(1, movement.rounds + 1):
        shares = dict(movement.sit_outs(round))
        entries += [
            {"round": round, "contestant": _compact_label(movement, contestant)}
            for contestant, share in shares.items()
            if share == 1
        ]
        if all(share == 1 for share in shares.values()):
            continue
        for half in (1, 2):
            begins, ends = Fraction(half - 1, 2), Fraction(half, 2)
            playing = {
                contestant
                for part in movement.parts(round)
                if part.seating.is_played and part.begins <= begins and ends <= part.ends
                for contestant in part.seating.contestants
            }
            entries += [
                {"round": round, "half": half, "contestant": _compact_label(movement, contestant)}
                for contestant, share in shares.items()
                if share < 1 and contestant not in playing
            ]
    return entries


def _compact_label(movement: Movement, contestant: int) -> str:
    """Return a contestant's label without spaces: "NS3"."""
    return movement.label(contestant).replace(" ", "")


def _seating_row(movement: Movement, seating: Seating) -> dict[str, Any]:
    """Return a seating as JSON data."""
    row: dict[str, Any] = {"round": seating.round, "table": seating.table}
    parts = movement.seatings_at_table(seating.round, seating.table)
    if len(parts) > 1:
        row["half"] = next(i for i, part in enumerate(parts, start=1) if part is seating)
    if movement.contest.plays_alone:
        for seats, side in (("ns", seating.ns), ("ew", seating.ew)):
            for seat, player in zip(seats, players_of(side) or (None, None), strict=True):
                row[seat] = _side_label(movement, seat, player)
        row = {key: row[key] for key in ("round", "table", "half", *INDIVIDUAL_SEATS) if key in row}
    else:
        for name, side in (("ns", seating.ns), ("ew", seating.ew)):
            row[name] = _side_label(movement, name, side)
    row["boards"] = list(seating.sets)
    return row


def _side_label(movement: Movement, name: str, side: Side) -> str | None:
    """Return the label of a seating's side, with the direction if it is not the usual one; None if it is empty."""
    if side is None:
        return None
    assert isinstance(side, int)
    prefix = movement.field_of(side).prefix
    at_home = not prefix or movement.field_of(side).name == name
    return movement.number(side) if at_home else _compact_label(movement, side)


def _share_dict(share: Share) -> dict[str, Any]:
    """Return a declaration of shared boards as JSON data."""
    entry: dict[str, Any] = {"round": share.round or "all", "tables": list(share.tables)}
    if share.sets:
        entry["boards"] = list(share.sets)
    return entry


def _exemption_dict(movement: Movement, item: Exemption) -> dict[str, Any]:
    """Return an exemption as JSON data."""
    entry: dict[str, Any] = {"law": item.law, "max": item.limit, "why": item.why}
    if item.contestants:
        entry["contestants"] = [_compact_label(movement, c) for c in item.contestants]
    if item.rounds:
        entry["rounds"] = list(item.rounds)
    if not item.contestants and not item.rounds:
        entry["contestants"] = "all"
    return entry
