"""A season as JSON, read strictly: errors are reported with their path (`lists[2].best: …`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import NoReturn

from bridgebuddy.scoring.rules.errors import ScoringError
from bridgebuddy.scoring.rules.reading import (
    MOST_DIGITS,
    DocumentNode,
    first_repeated_value,
    load_document,
)

from .counting import COUNTS, OF
from .model import Championship, Handicap, Season, SeasonRow, Session
from .ties import TIES
from .totals import RULES

_DECIMAL = re.compile(rf"-?\d{{1,{MOST_DIGITS}}}\.\d{{1,{MOST_DIGITS}}}", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NUMBER = re.compile(r"(\d+)")
LIST_KEYS = (
    *("name", "of", "counts", "rule", "best", "least", "each", "handicap"),
    *("ties", "then", "sessions", "only", "same"),
)
NUMBERS = ("score", "top", "boards", "vps", "imps", "masterpoints")


def read_season(text: str) -> Season:
    """Parse a season's document. Raises `ScoringError` with the position and the reason."""
    root = load_document(text).keys("sessions", "lists")
    sessions = [_read_session(session_node) for session_node in root["sessions"]]
    _require_different(root["sessions"], (session.id for session in sessions), "id")
    lists = [_read_championship(list_node) for list_node in root["lists"]]
    for index, championship in enumerate(lists):
        _check_values(root, sessions, championship, index)
    return Season(
        tuple(sorted(sessions, key=lambda session: (session.date, _natural_key(session.id)))),
        tuple(lists),
    )


def _check_values(
    root: DocumentNode, sessions: Sequence[Session], championship: Championship, index: int
) -> None:
    """Raise `ScoringError` if a championship would be empty because rows lack the kind of value it counts.

    A place orders the rows of its session, so every session needs places. Percentages, IMPs, victory points and
    masterpoints belong to some kinds of contest only, so one session with the key is enough.
    """
    key = {"places": "place", "wins": "place"}.get(championship.counts, championship.counts)
    if key == "evenings":
        return
    lacking = []
    for place, session in enumerate(sessions):
        if session.rows and (championship.sessions is None or session.id in championship.sessions):
            has_value = any(getattr(row, key) is not None for row in session.rows)
            if has_value and key != "place":
                return
            if not has_value:
                lacking.append(place)
    if lacking:
        row = root["sessions"].value[lacking[0]]["rows"][0]
        why = "is missing" if key not in row else "has no value in this session"
        DocumentNode(None, f"sessions[{lacking[0]}].rows[0].{key}").raise_error(
            f"{why}, and lists[{index}] counts it"
        )


def _natural_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key for texts by which "10" follows "9"."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _NUMBER.split(name)]


def _require_different(node: DocumentNode, names: Iterable[str], key: str) -> None:
    """Raise `ScoringError` if a name occurs twice."""
    all_names = list(names)
    if (twice := first_repeated_value(all_names)) is not None:
        last = len(all_names) - 1 - all_names[::-1].index(twice)
        DocumentNode(twice, f"{node.path}[{last}].{key}").raise_error(f"{twice!r} twice")


def _read_session(node: DocumentNode) -> Session:
    """Return a session of the season."""
    node.keys("id", "date", "name", "rows")
    rows = tuple(_read_row(row_node) for row_node in node["rows"])
    return Session(node["id"].label(), _read_date(node["date"]), rows, node["name"].text(""))


def _read_date(node: DocumentNode) -> date:
    """Return the date in a node; raise `ScoringError` for other texts."""
    written = node.label()
    try:
        if _DAY.fullmatch(written):
            return date.fromisoformat(written)
    except ValueError:
        pass
    node.raise_error(f"{written!r} is no date like 2026-01-31")


def _read_row(node: DocumentNode) -> SeasonRow:
    """Return a contestant's result in a session from its node."""
    node.keys("who", "percentage", "place", "team", *NUMBERS)
    people = node["who"].texts()
    if not people:
        node["who"].raise_error("is empty" if node["who"].value == [] else "is missing")
    if (twice := first_repeated_value(people)) is not None:
        node["who"].raise_error(f"{twice!r} twice")
    values = {name: _read_amount(node[name]) for name in NUMBERS}
    percentage = _read_amount(node["percentage"])
    score, top = values["score"], values["top"]
    if percentage is None and score is not None and top:
        percentage = 100 * score / top
    place = node["place"]
    return SeasonRow(
        people,
        percentage,
        None if place.is_absent else _positive_number(place),
        values["vps"],
        values["imps"],
        values["masterpoints"],
        node["team"].text(""),
    )


def _read_amount(node: DocumentNode) -> Fraction | None:
    """Return the exact number in a node: a fraction ("305/6") or a decimal, in quotes or not."""
    if node.is_absent:
        return None
    if isinstance(node.value, str) and _DECIMAL.fullmatch(node.value):
        return Fraction(node.value)
    return node.ratio()


def _positive_number(node: DocumentNode) -> int:
    """Return the whole number from 1 in a node; raise `ScoringError` for others."""

    def refuse_value() -> NoReturn:
        """Raise `ScoringError` with the value."""
        value = node.value
        text = f"{value!r}" if isinstance(value, str) else str(value).lower()
        node.raise_error(
            f"{'this' if isinstance(value, (list, dict)) else text} is not a number from 1"
        )

    try:
        number = node.whole()
    except ScoringError:
        refuse_value()
    return number if number >= 1 else refuse_value()


def _read_optional(
    node: DocumentNode, convert: Callable[[DocumentNode], int] = _positive_number
) -> int | None:
    """Return the number in a node as `convert` reads it; None without a value."""
    return None if node.is_absent else convert(node)


def _read_championship(node: DocumentNode) -> Championship:
    """Return the rules of a championship."""
    node.keys(*LIST_KEYS)
    counts = node["counts"].one_of(*COUNTS)
    rule = node["rule"].one_of(*RULES)
    handicap = node["handicap"]
    if not handicap.is_absent and counts != "percentage":
        handicap.raise_error("goes with percentage alone")
    each = _read_optional(node["each"])
    if RULES[rule].uses_each and each is None:
        node["each"].raise_error("is missing")
    return Championship(
        node["name"].text(""),
        node["of"].one_of(*OF),
        counts,
        rule,
        _read_optional(node["best"]),
        _read_optional(node["least"]),
        each,
        None if handicap.is_absent else _read_handicap(handicap),
        _read_tie(node["ties"]),
        _read_tie(node["then"]),
        _read_optional_name_set(node["sessions"]),
        _read_optional_name_set(node["only"]),
        _read_optional(node["same"]),
    )


def _read_tie(node: DocumentNode) -> str:
    """Return the name of a tie-break in a node; empty without one."""
    return "" if node.is_absent else node.one_of(*TIES)


def _read_optional_name_set(node: DocumentNode) -> frozenset[str] | None:
    """Return the set of names in a node; None without a value."""
    return None if node.is_absent else frozenset(node.texts())


def _read_handicap(node: DocumentNode) -> Handicap:
    """Return the rules of handicaps."""
    node.keys("last", "least", "times", "months", "band", "most", "new", "by_hand", "frozen")
    times, band, most = (_read_amount(node[key]) for key in ("times", "band", "most"))
    if band is not None and band <= 0:
        node["band"].raise_error(f"{band} is not above 0")
    if most is not None and most < 0:
        node["most"].raise_error(f"{most} is below 0")
    by_hand = node["by_hand"]
    if not by_hand.is_absent and not isinstance(by_hand.value, dict):
        by_hand.raise_error("is no object")
    names = () if by_hand.is_absent else tuple(by_hand.value)
    return Handicap(
        _read_optional(node["last"]),
        _read_optional(node["least"]) or 1,
        Fraction(1) if times is None else times,
        _read_optional(node["months"]),
        band,
        most,
        _read_amount(node["new"]) or Fraction(0),
        {str(name): _read_amount(by_hand[name]) or Fraction(0) for name in names},
        None if node["frozen"].is_absent else _read_date(node["frozen"]),
    )
