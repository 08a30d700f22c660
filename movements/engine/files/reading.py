"""Conversion of a JSON object to a movement, with the position of every error.

The result can be checked, measured and printed: names are short and printable, counts are small integers, and all
contestants named are in the field. Whether the movement is lawful is a different question: see `laws`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from movements.engine.declarations import EXEMPTIONS, Exemption, Share, Stand, Triangle

from ..contest import Contest
from ..errors import BadMovementFile
from ..model import Field, Movement, Seating, Side, field_order

MOST_ROWS = 20_000
MOST_CONTESTANTS = 1_000
MOST_PARTS = 24  # of a table's round
LONGEST_NAME = 40
LONGEST_TEXT = 400


def file_error(place: str, problem: str, **facts: object) -> BadMovementFile:
    """Return the error for a movement's file, with its place and the problem (one of `FILE_PROBLEMS`)."""
    return BadMovementFile("file", where=place, problem=problem, facts=facts)


def quoted_value(value: object) -> str:
    """Return a value as quoted in an error, shortened if it is long."""
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


class MovementReader:
    """Reads a movement from the JSON object that `document` describes, and checks it.

    `row_numbers` are the row numbers used in errors, by default 1, 2, …
    """

    def __init__(self, data: Mapping[str, Any], row_numbers: Sequence[int] | None = None) -> None:
        self.data = data
        self.row_numbers = row_numbers
        self.fields = self._read_fields()
        self.numbers: dict[tuple[str, str], int] = {}
        for field in self.fields:
            for label in field.labels:
                self.numbers[field.name, label] = len(self.numbers) + 1

    @cached_property
    def contest(self) -> Contest:
        """Return the kind of contest that the file names. Raises `BadMovementFile`."""
        if self.data["contest"] not in [*Contest]:
            raise file_error("contest", "contest")
        return Contest(self.data["contest"])

    def movement(self) -> Movement:
        """Return the movement that the file describes. Raises `BadMovementFile`."""
        data, contest = self.data, self.contest
        return Movement(
            family=read_text(data["family"], "family"),
            contest=contest,
            tables=read_integer(data["tables"], "tables"),
            rounds=read_integer(data["rounds"], "rounds"),
            fields=self.fields,
            sets=set_list(data["boards"], "boards"),
            seatings=self._read_seatings(),
            copies=read_integer(data.get("copies", 1), "copies"),
            shared=tuple(self._read_share(*item) for item in self._objects_of_list("shared")),
            stands=tuple(self._read_stand(*item) for item in self._objects_of_list("stands")),
            triangles=tuple(
                self._read_triangle(*item) for item in self._objects_of_list("triangles")
            ),
            exemptions=tuple(
                self._read_exemption(*item) for item in self._objects_of_list("exceptions")
            ),
        )

    def _read_fields(self) -> tuple[Field, ...]:
        """Return the fields with their labels."""
        fields = self.data["field"]
        if not isinstance(fields, dict) or not fields:
            raise file_error("field", "no-fields")
        declared = tuple(
            Field(read_text(name, "field"), read_names(fields[name], "field"))
            for name in sorted(fields, key=field_order)
        )
        for field in declared:
            if len(set(field.labels)) != len(field.labels):
                raise file_error("field", "label-twice", field=field.name)
        count = sum(len(field.labels) for field in declared)
        if not 1 <= count <= MOST_CONTESTANTS:
            raise file_error("field", "contestants", most=MOST_CONTESTANTS)
        return declared

    def _objects_of_list(self, key: str) -> list[tuple[dict[str, Any], str]]:
        """Return the objects of an optional list, each with its position."""
        entries = read_list(self.data.get(key, []), key)
        if len(entries) > MOST_ROWS:
            raise file_error(key, "entries", most=MOST_ROWS)
        for index, entry in enumerate(entries, start=1):
            if not isinstance(entry, dict):
                raise file_error(f"{key} {index}", "no-object")
        return [(entry, f"{key} {index}") for index, entry in enumerate(entries, start=1)]

    def _read_seatings(self) -> tuple[Seating, ...]:
        """Return the seatings in the rows of the file."""
        rows = read_list(self.data["rows"], "rows")
        if len(rows) > MOST_ROWS:
            raise file_error("rows", "rows", most=MOST_ROWS)
        seatings: list[Seating] = []
        halves: list[int] = []
        places: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for index, row in enumerate(rows):
            number = self.row_numbers[index] if self.row_numbers else index + 1
            where = f"row {number}"
            if not isinstance(row, dict):
                raise file_error(where, "no-row")
            seating = Seating(
                read_integer(row.get("round"), f"{where}, round", minimum=0),
                read_integer(row.get("table"), f"{where}, table", minimum=0),
                self._read_side(row, "ns", where),
                self._read_side(row, "ew", where),
                set_list(row.get("boards", []), f"{where}, boards"),
            )
            places[seating.round, seating.table].append(len(seatings))
            seatings.append(seating)
            halves.append(read_integer(row["half"], f"{where}, half") if "half" in row else 0)
        # the parts of a table's round stand in the order in which they are played
        result = list(seatings)
        for (round, table), indexes in places.items():
            if len(indexes) > MOST_PARTS:
                raise file_error("rows", "parts", round=round, table=table, most=MOST_PARTS)
            by_half = sorted(indexes, key=lambda index: halves[index])
            for index, source in zip(indexes, by_half, strict=True):
                result[index] = seatings[source]
        return tuple(result)

    def _read_side(self, row: Mapping[str, Any], side: str, place: str) -> Side:
        """Return the contestants of a side in a row of the file."""
        if self.contest.plays_alone and side not in row:
            players = [
                None
                if row.get(seat) is None
                else self._number_of_label(row[seat], seat, f"{place}, {seat}")
                for seat in side
            ]
            if None in players and players != [None, None]:
                raise file_error(f"{place}, {side}", "partners")
            return None if None in players else cast(tuple[int, int], tuple(players))
        if side not in row:
            raise file_error(f"{place}, {side}", "missing")
        return (
            None
            if row[side] is None
            else self._number_of_label(row[side], side, f"{place}, {side}")
        )

    def _number_of_label(self, label: object, seat: str, place: str) -> int:
        """Return the contestant with a label, which without a prefix belongs to its direction."""
        name = str(label) if isinstance(label, str | int) else None
        for field in self.fields:
            if (
                name
                and (field.name == seat or not field.prefix)
                and (field.name, name) in self.numbers
            ):
                return self.numbers[field.name, name]
        # an arrow-switched pair of a two-winner movement carries its own direction: "EW3"
        for field in self.fields:
            compact = name.upper().replace(" ", "") if name else ""
            key = (field.name, compact.removeprefix(field.prefix))
            if field.prefix and compact.startswith(field.prefix) and key in self.numbers:
                return self.numbers[key]
        raise file_error(place, "stranger", value=quoted_value(label))

    def _read_share(self, entry: Mapping[str, Any], place: str) -> Share:
        """Return the declaration of shared boards in an entry of the file."""
        round = entry.get("round")
        return Share(
            0 if round == "all" else read_integer(round, f"{place}, round"),
            read_integers(entry.get("tables"), f"{place}, tables"),
            set_list(entry.get("boards", []), f"{place}, boards"),
        )

    def _read_stand(self, entry: Mapping[str, Any], place: str) -> Stand:
        """Return the board stand in an entry of the file."""
        return Stand(
            read_integer(entry.get("round"), f"{place}, round"),
            read_integer(entry.get("after_table"), f"{place}, after_table"),
            set_list(entry.get("boards"), f"{place}, boards"),
        )

    def _read_triangle(self, entry: Mapping[str, Any], place: str) -> Triangle:
        """Return the three-way match in an entry of the file."""
        teams = [
            self._number_of_label(team, "", f"{place}, teams")
            for team in read_list(entry.get("teams"), f"{place}, teams")
        ]
        if len(teams) != 3:
            raise file_error(f"{place}, teams", "triangle")
        return Triangle(
            read_integers(entry.get("rounds"), f"{place}, rounds"),
            cast(tuple[int, int, int], tuple(teams)),
        )

    def _read_exemption(self, entry: Mapping[str, Any], place: str) -> Exemption:
        """Return the exemption in an entry of the file."""
        contestants = entry.get("contestants", "all")
        law = read_text(entry.get("law"), f"{place}, law")
        if law not in EXEMPTIONS:
            raise file_error(
                f"{place}, law", "law", value=quoted_value(law), laws=", ".join(EXEMPTIONS)
            )
        return Exemption(
            law,
            read_integer(entry.get("max"), f"{place}, max", minimum=0),
            read_text(entry.get("why"), f"{place}, why"),
            ()
            if contestants == "all"
            else tuple(
                self._number_of_label(label, "", f"{place}, contestants")
                for label in read_list(contestants, f"{place}, contestants")
            ),
            read_integers(entry.get("rounds", []), f"{place}, rounds"),
        )


def read_integer(value: object, place: str, *, minimum: int = 1, maximum: int = 999) -> int:
    """Return the integer at a place in a file. Raises `BadMovementFile` for other values."""
    if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
        raise file_error(
            place, "no-whole-number", least=minimum, most=maximum, value=quoted_value(value)
        )
    return value


def read_integers(values: object, place: str) -> tuple[int, ...]:
    """Return the list of integers at a place in a file. Raises `BadMovementFile` for other values."""
    return tuple(read_integer(value, place) for value in read_list(values, place))


def read_list(value: object, place: str) -> list[Any]:
    """Return the list at a place in a file. Raises `BadMovementFile` for other values."""
    if not isinstance(value, list):
        raise file_error(place, "no-list", value=quoted_value(value))
    return value


def read_text(value: object, place: str, longest: int = LONGEST_TEXT) -> str:
    """Return the printable text at a place in a file. Raises `BadMovementFile` for other values."""
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise file_error(place, "no-text", most=longest, value=quoted_value(value))
    return value


def read_names(values: object, place: str) -> tuple[str, ...]:
    """Return the list of names at a place in a file. Raises `BadMovementFile` for other values."""
    names = tuple(read_text(value, place, LONGEST_NAME) for value in read_list(values, place))
    if not all(names) or len(names) > MOST_CONTESTANTS:
        raise file_error(place, "no-names", most=MOST_CONTESTANTS)
    return names


def set_list(values: object, place: str) -> tuple[str, ...]:
    """Return the list of board sets at a place in a file. Raises `BadMovementFile` for other values."""
    set_names = read_names(values, place)
    if any(" " in name for name in set_names):
        raise file_error(place, "spaces")
    return set_names
