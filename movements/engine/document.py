"""The movement's JSON: the form in which movements are exchanged, printed and kept.

Rows carry round, table, ns and ew (n, s, e, w in an individual) and the board sets, and `half`
where a table plays its round in parts. Two-winner pairs are numbered within their direction,
one-winner pairs 1…n. What a document says *about* a movement (name, source, errata, notes, claims
to be checked) travels beside it and comes back unchanged.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from .errors import BadMovementFile
from .model import (
    Contest,
    Exemption,
    Field,
    Movement,
    Seating,
    Share,
    Side,
    Stand,
    Triangle,
    players_of,
)

#: keys of a document that describe the movement rather than being it
ABOUT = (  # fmt: skip
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

INDIVIDUAL_SEATS = ("n", "s", "e", "w")
MOST_ROWS = 20_000


@dataclass(frozen=True)
class Document:
    """A movement and what is said about it."""

    movement: Movement
    about: Mapping[str, Any] = field(default_factory=dict)


def read_json(text: str) -> Document:
    """Read a movement from JSON text.

    Raises `BadMovementFile` with the place and the problem when it is not of this form. The laws
    are not checked here: see `laws.check`.
    """
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadMovementFile("file", where="file", problem=f"this is no JSON ({error})") from None
    return from_dict(data)


def from_dict(data: object) -> Document:
    """Read a movement from a JSON object.

    Raises `BadMovementFile` with the place and the problem when it is not of this form.
    """
    if not isinstance(data, dict):
        raise BadMovementFile("file", where="file", problem="a movement is a JSON object")
    for key in ("family", "contest", "tables", "rounds", "field", "boards", "rows"):
        if key not in data:
            raise BadMovementFile("file", where="file", problem=f"key {key!r} is missing")
    try:
        movement = _Reader(data).movement()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, BadMovementFile):
            raise
        raise BadMovementFile("file", where="file", problem=f"not of this form ({error})") from None
    about = {key: data[key] for key in ABOUT if key in data}
    derived = [index for index, row in enumerate(data["rows"]) if row.get("derived")]
    if derived:
        about["derived_rows"] = derived
    return Document(movement, about)


class _Reader:
    """Turns a JSON object into values, naming the place of whatever is wrong."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        fields = data["field"]
        if not isinstance(fields, dict) or not all(
            isinstance(labels, list) and all(isinstance(label, str) for label in labels)
            for labels in fields.values()
        ):
            raise BadMovementFile("file", where="field", problem="a field is a list of labels")
        self.fields = tuple(Field(name, tuple(labels)) for name, labels in fields.items())
        self.numbers: dict[tuple[str, str], int] = {}
        for one in self.fields:
            for label in one.labels:
                self.numbers[one.name, label] = len(self.numbers) + 1

    def movement(self) -> Movement:
        data = self.data
        if data["contest"] not in ("pairs", "individual", "teams"):
            raise BadMovementFile("file", where="contest", problem="pairs, individual or teams")
        if not isinstance(data["rows"], list) or len(data["rows"]) > MOST_ROWS:
            raise BadMovementFile("file", where="rows", problem=f"up to {MOST_ROWS} rows")
        return Movement(
            family=self.text("family"),
            contest=cast(Contest, data["contest"]),
            tables=self.count("tables"),
            rounds=self.count("rounds"),
            fields=self.fields,
            sets=self.sets(data["boards"], "boards"),
            seatings=self.seatings(),
            copies=data.get("copies", 1),
            shared=tuple(
                Share(
                    0 if share["round"] == "all" else share["round"],
                    tuple(share["tables"]),
                    self.sets(share.get("boards", []), "shared"),
                )
                for share in data.get("shared", [])
            ),
            stands=tuple(
                Stand(stand["round"], stand["after_table"], self.sets(stand["boards"], "stands"))
                for stand in data.get("stands", [])
            ),
            triangles=tuple(
                Triangle(
                    tuple(triangle["rounds"]),
                    cast(
                        tuple[int, int, int],
                        tuple(self.name(team, "", "triangles") for team in triangle["teams"]),
                    ),
                )
                for triangle in data.get("triangles", [])
            ),
            exemptions=tuple(self.exemption(item) for item in data.get("exceptions", [])),
        )

    def text(self, key: str) -> str:
        if not isinstance(self.data[key], str):
            raise BadMovementFile("file", where=key, problem="this should be text")
        return cast(str, self.data[key])

    def count(self, key: str) -> int:
        value = self.data[key]
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 999:
            raise BadMovementFile(
                "file", where=key, problem="this should be a number from 1 to 999"
            )
        return value

    def sets(self, names: object, where: str) -> tuple[str, ...]:
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadMovementFile("file", where=where, problem="board sets are a list of names")
        return tuple(names)

    def seatings(self) -> tuple[Seating, ...]:
        found = []
        for index, row in enumerate(self.data["rows"], start=1):
            where = f"row {index}"
            if not isinstance(row, dict):
                raise BadMovementFile("file", where=where, problem="a row is a JSON object")
            for key in ("round", "table"):
                if not isinstance(row.get(key), int):
                    raise BadMovementFile("file", where=where, problem=f"{key} should be a number")
            found.append(
                (
                    row.get("half", 0),
                    Seating(
                        row["round"],
                        row["table"],
                        self.side(row, "ns", where),
                        self.side(row, "ew", where),
                        self.sets(row.get("boards", []), where),
                    ),
                )
            )
        # the parts of a table's round stand in the order in which they are played
        places: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for index, (_, seating) in enumerate(found):
            places[seating.round, seating.table].append(index)
        result = [seating for _, seating in found]
        for indexes in places.values():
            by_half = sorted(indexes, key=lambda index: found[index][0])
            for index, source in zip(indexes, by_half, strict=True):
                result[index] = found[source][1]
        return tuple(result)

    def side(self, row: Mapping[str, Any], side: str, where: str) -> Side:
        if self.data["contest"] == "individual" and side not in row:
            seats = (side[0], side[1])
            players = tuple(self.name(row.get(seat), seat, where) for seat in seats)
            return cast(tuple[int, int], players)
        if side not in row:
            raise BadMovementFile("file", where=where, problem=f"{side} is missing")
        return None if row[side] is None else self.name(row[side], side, where)

    def name(self, label: object, seat: str, where: str) -> int:
        """Return the number of a label, which counts within its direction where lines are ranked."""
        label = str(label)
        for one in self.fields:
            if (one.name == seat or not one.prefix) and (one.name, label) in self.numbers:
                return self.numbers[one.name, label]
        # an arrow-switched pair of a two-winner movement carries its own direction: "EW3"
        for one in self.fields:
            bare = label.upper().replace(" ", "").removeprefix(one.prefix)
            is_prefixed = one.prefix and label.upper().startswith(one.prefix)
            if is_prefixed and (one.name, bare) in self.numbers:
                return self.numbers[one.name, bare]
        raise BadMovementFile("file", where=where, problem=f"{label!r} is not in the field")

    def exemption(self, item: Mapping[str, Any]) -> Exemption:
        contestants = item.get("contestants", "all")
        return Exemption(
            item["law"],
            item["max"],
            item["why"],
            ()
            if contestants == "all"
            else tuple(self.name(label, "", "exceptions") for label in contestants),
            tuple(item.get("rounds", ())),
        )


def to_dict(document: Document) -> dict[str, Any]:
    """Return the JSON object of a movement: the inverse of `from_dict`."""
    movement = document.movement
    about = {
        "name": f"{movement.family}, {movement.tables} tables, {movement.rounds} rounds",
        "source": {"document": "BridgeBuddy", "section": movement.family},
        "errata": [],
        "notes": "",
        **document.about,
    }
    derived = set(about.pop("derived_rows", ()))
    rows = [_row(movement, seating) for seating in movement.seatings]
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
        "field": {one.name: list(one.labels) for one in movement.fields},
        "boards": list(movement.sets),
        "copies": movement.copies,
        "shared": [_share(share) for share in movement.shared],
        "rows": rows,
        "stands": [
            {"round": s.round, "after_table": s.after_table, "boards": list(s.sets)}
            for s in movement.stands
        ],
        "sitouts": sit_outs(movement),
        "exceptions": [_exception(movement, item) for item in movement.exemptions],
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


def write_json(document: Document) -> str:
    """Return a movement as JSON text, one row a line."""
    data = to_dict(document)
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n".join("  " + json.dumps(item, ensure_ascii=False) for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_csv(movement: Movement) -> str:
    """Return the rows of a movement as CSV: round, table, half, sides (n, s, e, w in an individual), boards."""
    seats = INDIVIDUAL_SEATS if movement.contest == "individual" else ("ns", "ew")
    out = io.StringIO()
    writer = csv.DictWriter(out, ["round", "table", "half", *seats, "boards"], lineterminator="\n")
    writer.writeheader()
    for seating in movement.seatings:
        row = _row(movement, seating)
        writer.writerow({**row, "boards": " ".join(row["boards"])})
    return out.getvalue()


def sit_outs(movement: Movement) -> list[dict[str, Any]]:
    """Return who sits out as JSON entries: round, half (where it is only one), contestant."""
    entries = []
    for round in range(1, movement.rounds + 1):
        shares = dict(movement.sit_outs(round))
        entries += [
            {"round": round, "contestant": _compact(movement, contestant)}
            for contestant, share in shares.items()
            if share == 1
        ]
        for half in (1, 2):
            begins, ends = Fraction(half - 1, 2), Fraction(half, 2)
            playing = {
                contestant
                for part in movement.parts(round)
                if part.seating.is_played and part.begins <= begins and ends <= part.ends
                for contestant in part.seating.contestants
            }
            entries += [
                {"round": round, "half": half, "contestant": _compact(movement, contestant)}
                for contestant, share in shares.items()
                if share < 1 and contestant not in playing
            ]
    return entries


def _compact(movement: Movement, contestant: int) -> str:
    return movement.label(contestant).replace(" ", "")


def _row(movement: Movement, seating: Seating) -> dict[str, Any]:
    row: dict[str, Any] = {"round": seating.round, "table": seating.table}
    parts = movement.at_table(seating.round, seating.table)
    if len(parts) > 1:
        row["half"] = next(i for i, part in enumerate(parts, start=1) if part is seating)
    if movement.contest == "individual":
        for seats, side in (("ns", seating.ns), ("ew", seating.ew)):
            for seat, player in zip(seats, players_of(side) or (None, None), strict=True):
                row[seat] = None if player is None else movement.number(player)
        row = {key: row[key] for key in ("round", "table", "half", *INDIVIDUAL_SEATS) if key in row}
    else:
        for name, side in (("ns", seating.ns), ("ew", seating.ew)):
            row[name] = _side(movement, name, side)
    row["boards"] = list(seating.sets)
    return row


def _side(movement: Movement, name: str, side: Side) -> str | None:
    if side is None:
        return None
    assert isinstance(side, int)
    prefix = movement.field_of(side).prefix
    at_home = not prefix or movement.field_of(side).name == name
    return movement.number(side) if at_home else _compact(movement, side)


def _share(share: Share) -> dict[str, Any]:
    entry: dict[str, Any] = {"round": share.round or "all", "tables": list(share.tables)}
    if share.sets:
        entry["boards"] = list(share.sets)
    return entry


def _exception(movement: Movement, item: Exemption) -> dict[str, Any]:
    entry: dict[str, Any] = {"law": item.law, "max": item.limit, "why": item.why}
    if item.contestants:
        entry["contestants"] = [_compact(movement, c) for c in item.contestants]
    if item.rounds:
        entry["rounds"] = list(item.rounds)
    if not item.contestants and not item.rounds:
        entry["contestants"] = "all"
    return entry
