"""A club's movement chart: the movement for each number of pairs, and its alternatives.

"Some clubs have a chart for the guidance of directors": decisions under pressure are hard, so they
are made before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.reading import DocumentNode, first_repeated_value, load_document
from movements.engine import catalogue
from movements.engine.errors import MovementError
from movements.engine.laws import find_errors
from movements.engine.model import Movement
from movements.engine.offers import movement_for

FEWEST, MOST = 3, 60
MOST_BOARDS_A_ROUND, LONGEST_REASON = 20, 200
SIDES = ("", "ns", "ew")
USUAL = Path(__file__).parent / "usual_chart.json"


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """A movement as a chart lists it: family, rounds, boards a round, and the side that sits out at a half table."""

    family: str
    tables: int
    rounds: int
    boards: int
    missing: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line of a movement chart: number of pairs, the movement, its reason, and alternatives."""

    pairs: int
    choice: MovementChoice
    reason: str = ""
    others: tuple[MovementChoice, ...] = ()


Chart = tuple[ChartLine, ...]


class BadChart(ValueError):
    """Error: the chart cannot be played. `path` is the place in the file, `what` the reason."""

    def __init__(self, path: str, problem: str) -> None:
        self.path, self.what = path, problem
        super().__init__(f"{path}: {problem}")


def build_movement(pairs: int, choice: MovementChoice) -> Movement:
    """Build the movement that a line of a chart lists, for `pairs` pairs.

    Raises a `MovementError` if the number of pairs cannot play it.
    """
    return movement_for(choice.family, pairs, choice.rounds, choice.missing or "ew", choice.options)


def read_chart(text: str) -> Chart:
    """Return the movement chart in a JSON text, after building every line. Raises `BadChart`.

    Raises `BadChart`.
    """
    try:
        root = load_document(text).keys("lines")
        lines = tuple(_read_line(node_line) for node_line in root["lines"])
    except ScoringError as error:
        raise BadChart(error.path or "chart", error.what) from error
    if (twice := first_repeated_value([line.pairs for line in lines])) is not None:
        place = len(lines) - 1 - [line.pairs for line in lines][::-1].index(twice)
        raise BadChart(f"lines[{place}].pairs", f"{twice} twice")
    return tuple(sorted(lines, key=lambda line: line.pairs))


def _read_line(node: DocumentNode) -> ChartLine:
    """Return a chart line from its JSON."""
    node.keys(
        *("pairs", "family", "tables", "rounds", "boards"),
        *("missing", "options", "reason", "others"),
    )
    pairs = node["pairs"].whole(minimum=FEWEST)
    if pairs > MOST:
        node["pairs"].raise_error(f"{pairs} is more than {MOST}")
    reason = node["reason"].text("")
    if len(reason) > LONGEST_REASON:
        node["reason"].raise_error(f"is longer than {LONGEST_REASON} letters")
    choice = _read_choice(node, pairs, usual_choice=None)
    return ChartLine(
        pairs,
        choice,
        reason,
        tuple(_read_other_choice(other_node, pairs, choice) for other_node in node["others"]),
    )


def _read_other_choice(
    node: DocumentNode, pairs: int, usual_choice: MovementChoice
) -> MovementChoice:
    """Return an alternative movement of a chart line from its JSON.

    Missing values come from the line's first choice, if its family has them.
    """
    node.keys("family", "tables", "rounds", "boards", "missing", "options")
    return _read_choice(node, pairs, usual_choice)


def _read_choice(
    node: DocumentNode, pairs: int, usual_choice: MovementChoice | None
) -> MovementChoice:
    """Return the movement of a chart line from its JSON."""
    name = node["family"].label()
    families = {family.name for family in catalogue.FAMILIES}
    if name not in families:
        node["family"].raise_error(f"{name!r} is no movement known here")
    options = _read_options(node["options"], name)
    says_who = "missing" in node.value
    missing = node["missing"].text("" if says_who or usual_choice is None else usual_choice.missing)
    if missing not in SIDES:
        node["missing"].raise_error(f"{missing!r} is not ns or ew")
    rounds = node["rounds"].optional_whole_number(minimum=1)
    try:
        movement = movement_for(name, pairs, rounds, missing or "ew", options)
    except MovementError as error:
        node["family"].raise_error(catalogue.explain_refusal(error))
    if broken := find_errors(movement):
        node["family"].raise_error(f"breaks a law: {broken[0].law}")
    boards = node["boards"].whole(usual_choice.boards if usual_choice else None, minimum=1)
    if boards > MOST_BOARDS_A_ROUND:
        node["boards"].raise_error(f"{boards} is more than {MOST_BOARDS_A_ROUND}")
    tables = node["tables"].optional_whole_number(minimum=1)
    if tables not in (None, movement.tables):
        node["tables"].raise_error(f"{tables} is not {movement.tables}")
    return MovementChoice(name, movement.tables, movement.rounds, boards, missing, options)


def _read_options(node: DocumentNode, family: str) -> dict[str, Any]:
    """Return the options of a movement family from JSON, read as on a command line."""
    if node.is_absent:
        return {}
    options = {option.name: option for option in catalogue.find_family(family).options}
    node.keys(*options)
    values = {}
    for name, value in node.value.items():
        written = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        try:
            values[name] = options[name].read(written)
        except ValueError:
            node[name].raise_error(f"{value!r} is not what it may be")
    return values


def chart_data(chart: Iterable[ChartLine]) -> dict[str, Any]:
    """Return a movement chart as JSON data, in the form of its file."""
    return {
        "lines": [
            {"pairs": chart_line.pairs}
            | _choice_dict(chart_line.choice)
            | {
                "reason": chart_line.reason,
                "others": [_choice_dict(other) for other in chart_line.others],
            }
            for chart_line in chart
        ]
    }


def _choice_dict(choice: MovementChoice) -> dict[str, Any]:
    """Return a movement as JSON data, in the form of a chart file."""
    return {
        "family": choice.family,
        "tables": choice.tables,
        "rounds": choice.rounds,
        "boards": choice.boards,
        "missing": choice.missing or None,
        "options": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in choice.options.items()
        },
    }


@cache
def usual_chart() -> Chart:
    """Return the default movement chart: the adviser's first suggestions for 24 to 28 boards."""
    return read_chart(USUAL.read_text(encoding="utf-8"))


@cache
def usual_line(pairs: int) -> ChartLine | None:
    """Return the default chart's line for `pairs` pairs, without building other lines."""
    node = load_document(USUAL.read_text(encoding="utf-8"))
    return next(
        (_read_line(node_line) for node_line in node["lines"] if node_line["pairs"].value == pairs),
        None,
    )


def chart_text(chart: Chart) -> str:
    """Return a movement chart as the text of its JSON file, with one line for each number of pairs."""
    lines = ",\n".join(
        " " + json.dumps(data_line, ensure_ascii=False) for data_line in chart_data(chart)["lines"]
    )
    return f'{{"lines": [\n{lines}\n]}}\n' if chart else '{"lines": []}\n'


def chart_line_for(chart: Chart, pairs: int) -> ChartLine | None:
    """Return the line of a chart for a number of pairs, or None."""
    return next((chart_line for chart_line in chart if chart_line.pairs == pairs), None)
