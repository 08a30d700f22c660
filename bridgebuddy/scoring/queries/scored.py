"""The results of a session: what the rules make of its document, kept as long as the document is the same.

Nothing computed is stored as truth. The same document gives the same results, so each process keeps a few
under what the document says, and they are never out of date.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.cache import caches

from bridgebuddy.events.queries.games import Contestant

from ..rules.errors import ImpossibleOutcomes, ScoringError
from ..rules.score import score_document
from .knocked_out import by_rounds
from .tonight import Line, Tonight

KEPT_FOR = 3600  # seconds
_PLACE = re.compile(r"plays\[(\d+)\]")


def results_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return the results of a document, and `impossible`: the places of outcomes that cannot have been.

    These are set aside, as if nothing was known of them. Raises `ScoringError` where it cannot be scored.
    """
    text = json.dumps(document, sort_keys=True)
    key, kept = hashlib.sha256(text.encode()).hexdigest(), caches["results"]
    found: dict[str, Any] | None = kept.get(key)
    if found is None:
        found = _computed(document)
        kept.set(key, found, KEPT_FOR)
    return found


def _computed(document: dict[str, Any]) -> dict[str, Any]:
    aside: dict[int, str] = {}
    try:
        found = score_document(json.dumps(document))
    except ImpossibleOutcomes as error:
        for one in error.found:
            if place := _PLACE.match(one.path):
                aside[int(place[1])] = one.what
        found = score_document(json.dumps(without(document, aside)))
    return found | {"impossible": aside}


def without(document: dict[str, Any], places: Iterable[int]) -> dict[str, Any]:
    """Return the document as if nothing was known of some of its plays."""
    plays = list(document["plays"])
    for place in places:
        plays[place] = {**plays[place], "outcome": None}
    return document | {"plays": plays}


def with_outcome(
    document: dict[str, Any], places: Iterable[int], outcome: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the document with another outcome of some plays: what a ruling would do."""
    plays = list(document["plays"])
    for place in places:
        plays[place] = {**plays[place], "outcome": outcome}
    return document | {"plays": plays}


@dataclass(frozen=True)
class Standing:
    """A line of a ranking."""

    contestant: Contestant
    section: str
    row: dict[str, Any]

    @property
    def place(self) -> str:
        return self.row["place"] or ""

    @property
    def label(self) -> str:
        return self.contestant.label

    @property
    def names(self) -> str:
        return self.contestant.names


@dataclass(frozen=True)
class RankingList:
    """One list: of a field of a section, of a field over all sections, or of everybody."""

    section: str | None
    field: str | None
    stratum: int | None
    category: str | None
    handicap: bool
    standings: tuple[Standing, ...]

    @property
    def key(self) -> str:
        """What an address calls it: "A-NS", "all-all"."""
        return f"{self.section or 'all'}-{self.field or 'all'}"


@dataclass(frozen=True)
class Side:
    """What a side has on a board."""

    row: dict[str, Any]

    @property
    def value(self) -> float | None:
        return self.row["value"]  # type: ignore[no-any-return]

    @property
    def percent(self) -> float | None:
        return self.row["percent"]  # type: ignore[no-any-return]

    @property
    def rule(self) -> str:
        return self.row["rule"]  # type: ignore[no-any-return]


class Scored:
    """The results of tonight, by contestants, boards and plays. It asks the database nothing."""

    def __init__(self, tonight: Tonight, document: dict[str, Any] | None = None) -> None:
        self.tonight = tonight
        self.document = document or tonight.document
        try:
            self.results = self._by_rounds(results_of(self.document))
            self.problem = ""
        except ScoringError as error:
            self.results = {}
            self.problem = str(error)

    def _by_rounds(self, results: dict[str, Any]) -> dict[str, Any]:
        """In a knock-out places go by how far each came."""
        if (self.document.get("stage") or {}).get("kind") != "knock-out":
            return results
        tonight, far = self.tonight, self.tonight.reached
        rounds = {key: far.get(one.entry, 1) for key, one in tonight.contestants.items()}
        sections = [match["section"] for match in self.document.get("matches", ())]
        return by_rounds(results, sections, rounds, max(one.rounds for one in tonight.sections))

    @property
    def is_there(self) -> bool:
        return bool(self.results)

    @property
    def entered(self) -> int:
        """How many results there are."""
        return self.results["results"][0] if self.results else 0

    @property
    def due(self) -> int:
        """How many there will be."""
        return self.results["results"][1] if self.results else 0

    @property
    def missing(self) -> int:
        return self.due - self.entered

    @property
    def is_provisional(self) -> bool:
        """Whether results are missing, or rounds are still to come, drawn or not."""
        to_come = any(one.is_running and not one.is_last_round for one in self.tonight.sections)
        return to_come or self.missing > 0

    @property
    def is_complete(self) -> bool:
        return bool(self.results) and self.results["state"] == "complete"

    @property
    def impossible(self) -> dict[int, str]:
        """What is wrong with outcomes that no table can have had, by the place in the document."""
        found: dict[int, str] = self.results.get("impossible", {})
        return found

    @cached_property
    def method(self) -> str:
        usual = "team-imps" if self.tonight.contest.has_halves else "matchpoints"
        return str(self.document["profile"].get("method", usual))

    @property
    def is_per_cent(self) -> bool:
        return self.method == "matchpoints"

    @cached_property
    def beside(self) -> Scored | None:
        """The same results counted by the second method of the session, if it has one."""
        return self.counted_by(self.tonight.scoring.beside)

    def counted_by(self, method: str) -> Scored | None:
        """Return the results by another method; None where it is the same one, or teams play."""
        if method in ("", self.method) or self.tonight.contest.has_halves:
            return None
        profile = {**self.document["profile"], "method": method}
        return Scored(self.tonight, {**self.document, "profile": profile, "penalties": []})

    @property
    def has_overall(self) -> bool:
        """Whether earlier sessions of the event are counted together with this one."""
        return any("earlier" in one for one in self.document["contestants"])

    @property
    def is_in_points(self) -> bool:
        """Whether lists go by victory points, or IMPs, and by no percentages."""
        has_matches = bool(self.document["profile"].get("vp") and self.document.get("matches"))
        return not self.is_per_cent or has_matches

    # ── rankings ──

    @cached_property
    def lists(self) -> list[RankingList]:
        return [self._list(one) for one in self.results.get("rankings", ())]

    def _list(self, found: dict[str, Any]) -> RankingList:
        standings = []
        for row in found["rows"]:
            who = self.tonight.contestant(row["section"], row["contestant"])
            if who is not None:
                standings.append(Standing(who, row["section"], row))
        return RankingList(
            found["section"],
            found["field"],
            found["stratum"],
            found["category"],
            found["handicap"],
            tuple(standings),
        )

    @cached_property
    def main_lists(self) -> list[RankingList]:
        """The lists that tell who has won: everybody in one, or one for each line.

        Where a session has several sections, over all of them; scored apart, section by section.
        """
        plain = [
            one
            for one in self.lists
            if one.stratum is None and one.category is None and not one.handicap
        ]
        if self.document["profile"].get("scope") == "section" and self.tonight.has_several:
            found = [one for one in plain if one.section is not None]
        else:
            across = [one for one in plain if one.section is None]
            by_field = [one for one in across if one.field not in (None, "all")]
            has_lines = len({section["winners"] for section in self.document["sections"]}) == 1
            found = by_field if by_field and has_lines else [one for one in across if not one.field]
        return [one for one in found or plain[:1] if one.standings]

    def list_of(self, section: str, label: str) -> tuple[RankingList, Standing] | None:
        """Return the main list somebody stands in, and their line."""
        for one in self.main_lists:
            for standing in one.standings:
                if standing.section == section and standing.contestant.slug == label:
                    return one, standing
        return None

    @cached_property
    def leavers(self) -> list[tuple[Contestant, bool]]:
        """Who has left before the end, and whether what they played counts no more (White Book 2.4.3)."""
        found = []
        for (section, _), one in self.tonight.contestants.items():
            lost = [line for line in self.tonight.lost if line.section.name == section]
            if any(one.slug in _slugs(line) for line in lost if one.left_after is not None):
                found.append((one, any(map(self.is_cancelled, self._played_by(section, one)))))
        return found

    def _played_by(self, section: str, one: Contestant) -> list[Line]:
        return [
            line
            for line in self.tonight.lines
            if line.section.name == section and one.slug in _slugs(line)
        ]

    def is_cancelled(self, line: Line) -> bool:
        """Whether a result does not count, somebody at the table having left too early."""
        if not self.results or line.outcome is None or "not_played" in line.outcome:
            return False
        row = self.results["plays"][line.index]
        return {row["ns"]["rule"], row["ew"]["rule"]} == {"not-played"}

    # ── boards and plays ──

    def side(self, line: Line, side: str) -> Side | None:
        """Return what a side has of a line."""
        if not self.results or line.is_hidden:
            return None
        return Side(self.results["plays"][line.index][side])

    def score(self, line: Line) -> int | None:
        """Return North-South's score of a line; None where it has none of its own."""
        if not self.results or line.is_hidden:
            return None
        found: int | None = self.results["plays"][line.index]["score"]
        return found

    @cached_property
    def boards(self) -> dict[tuple[str | None, int], list[dict[str, Any]]]:
        """The fields of every board: of a section (None: of all), by the board's number."""
        found: defaultdict[tuple[str | None, int], list[dict[str, Any]]] = defaultdict(list)
        for one in self.results.get("boards", ()):
            found[one["section"], one["board"]].append(one)
        return dict(found)

    def fields_of(self, section: str, board: int) -> list[dict[str, Any]]:
        """Return the fields of a board as a section sees it: its own, or those of all sections."""
        return self.boards.get((section, board)) or self.boards.get((None, board)) or []


def _slugs(line: Line) -> set[str]:
    return {one.slug for one in line.ns + line.ew}
