"""Rows of the club's documents (`tests/data/checklist.toml`), each with its part."""

import tomllib
from pathlib import Path

import pytest

from movements.engine import catalogue

ROWS = tomllib.loads(
    (Path(__file__).parent / "data" / "checklist.toml").read_text(encoding="utf-8")
)
MOVEMENTS, ADVICE, BOARDS = ROWS["movements"], ROWS["advice"], ROWS["boards"]
WISHES, LIVE, SHOWN = ROWS["wishes"], ROWS["live"], ROWS["shown"]
#: rows that nobody can see before there are results, whatever else is shown of them
RESULTS = frozenset(ROWS["results"])


def named(rows):
    """Rows as parameters, called by their numbers."""
    return [pytest.param(row, id=str(row["number"])) for row in rows]


def options_of(row):
    """The family's options as they are typed."""
    return {f"option-{name}": text for name, text in row.get("options", {}).items()}


def build(row):
    """Build the movement of a row."""
    family = catalogue.find_family(row["family"])
    known = {option.name: option for option in family.options}
    options = {name: known[name].read(text) for name, text in row.get("options", {}).items()}
    return catalogue.build_movement(
        family.name, row["tables"], row.get("rounds"), row.get("missing"), options
    )


def parts():
    """The numbers of the rows by the parts that show them."""
    played = [row for row in MOVEMENTS if row["number"] not in RESULTS]
    by_part = {
        "engine": [*MOVEMENTS, *ADVICE],
        "library page": MOVEMENTS,
        "browser": [*played, *ADVICE, *BOARDS, *WISHES],
        "live change": LIVE,
        "a test of its own": SHOWN,
    }
    return {part: {row["number"] for row in rows} for part, rows in by_part.items()}
