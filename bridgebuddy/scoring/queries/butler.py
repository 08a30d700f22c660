"""The pairs of teams, each against everybody who played its boards: Butler, or all against all."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.core.cache import caches

from bridgebuddy.events.queries.games import Contestant

from ..rules.document import read_document
from ..rules.pairs_in_teams import as_pairs, field_rows, pair_rows
from .counted import KEPT_FOR, without
from .scored import Scored

METHODS = ("butler", "cross-imps")
TWO_TABLES = 2


@dataclass(frozen=True)
class PairRow:
    """A pair's line of the list."""

    place: str
    pair: str
    team: Contestant
    section: str
    boards: int
    total: float
    average: float | None
    few: bool  # hardly any boards: it stands after the others, without a place


class TeamPairs:
    """All pairs of the teams by one method. Those that score cost no query."""

    def __init__(self, scored: Scored, method: str = "") -> None:
        self.scored = scored
        kept = scored.document["profile"].get("pairs_method", "butler")
        self.method = method if method in METHODS else kept

    @cached_property
    def _found(self) -> dict[str, Any]:
        if not self.scored.results:
            return {"pairs": [], "fields": []}
        document = without(self.scored.document, self.scored.impossible)
        text = json.dumps(document, sort_keys=True)
        key = hashlib.sha256(f"pairs {self.method} {text}".encode()).hexdigest()
        found: dict[str, Any] | None = caches["results"].get(key)
        if found is None:
            session, profile = read_document(text)
            pairs = as_pairs(session, replace(profile, pairs_method=self.method))  # type: ignore[arg-type]
            rows = {"pairs": pair_rows(pairs), "fields": field_rows(pairs)}
            found = json.loads(json.dumps(rows))
            caches["results"].set(key, found, KEPT_FOR)
        return found

    @cached_property
    def rows(self) -> list[PairRow]:
        """Best average first; who has played hardly any boards stands last, without a place."""
        found, averages = [], [row["average"] for row in self._found["pairs"] if not row["few"]]
        for row in self._found["pairs"]:
            team = self.scored.tonight.contestant(row["section"], row["team"])
            if team is None or not row["boards"]:
                continue
            place = "" if row["few"] else str(averages.index(row["average"]) + 1)
            if place and averages.count(row["average"]) > 1:
                place += "="
            figures = {name: row[name] for name in ("pair", "section", "boards", "total")}
            rest = {name: row[name] for name in ("average", "few")}
            found.append(PairRow(place=place, team=team, **figures, **rest))
        return found

    @property
    def fields(self) -> list[dict[str, Any]]:
        """Every board of every set of cards: the average, and what it leaves out."""
        fields: list[dict[str, Any]] = self._found["fields"]
        return fields

    def field(self, asked: str) -> dict[str, Any] | None:
        """Return one of them by its place in the list; the first where none is meant."""
        place = (
            int(asked) if asked.isdecimal() and len(asked) < len(str(len(self.fields))) + 1 else 0
        )
        return self.fields[place] if place < len(self.fields) else None

    @property
    def has_only_two_tables(self) -> bool:
        """Whether no board was played at more than the two tables of a match."""
        return bool(self.fields) and max(one["A"] for one in self.fields) <= TWO_TABLES
