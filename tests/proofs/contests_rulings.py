"""Penalties, bonuses and match rulings of a simulated director."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from random import Random

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.models import MatchRuling, Penalty
from bridgebuddy.scoring.services import rulings

from .contests_recount import Contest, Couple
from .contests_referee import Referee

AWARDS = ("AVE+", "AVE", "AVE-")
#: what may be taken in a match, before it is worth points, with how much
UNITS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "matchpoints": (("percent", ("-2.5", "-10", "0.01")), ("top", ("-0.25", "-0.1"))),
    "knock-out": (("imps", ("-3", "-1", "2")),),
}
BY_IMPS: tuple[tuple[str, tuple[str, ...]], ...] = (("imps", ("-3", "-0.5", "2")),)
POINTS = ("-1", "-0.25", "-2", "0.5")  # victory points


class Rulings:
    """Fines and rulings of one section, given and taken back by chance."""

    def __init__(
        self,
        rng: Random,
        section: Section,
        kind: str,
        method: str,
        referee: Referee,
        done: Counter[str],
    ) -> None:
        self.rng, self.section, self.kind, self.method = rng, section, kind, method
        self.referee, self.done = referee, done

    def perhaps(self, *, is_end: bool = False) -> None:
        """Give a penalty or a match ruling at random; undo one now and then."""
        if self.rng.random() < 0.3:
            self._fine(is_end=is_end)
        if self.kind != "knock-out" and self.rng.random() < 0.25:
            self._rule()
        if self.rng.random() < 0.05:
            self._take_back()
        self.section.refresh_from_db()

    def _fine(self, *, is_end: bool) -> None:
        contest, round = self.referee.contest(), self.section.round
        alone = [couple for when, couple in self._plain(contest) if when == round]
        in_match = self.kind in ("swiss of pairs", "swiss of teams", "knock-out")
        if alone and in_match and (self.kind == "knock-out" or self.rng.random() < 0.5):
            units = UNITS.get(self.kind) or UNITS.get(self.method) or BY_IMPS
            unit, amounts = self.rng.choice(units)
            who = self.rng.choice(sorted(self.rng.choice(alone)))
        elif self.kind != "knock-out":
            unit, amounts, who = "vps", POINTS, self.rng.choice(sorted(contest.people))
        else:
            return
        rulings.give_penalty(
            self.section,
            who,
            unit=unit,
            amount=Decimal(self.rng.choice(amounts)),
            kind="procedural",
            round=None if is_end and unit == "vps" and self.rng.random() < 0.5 else round,
            by=None,
        )
        self.done[f"penalties in {unit}"] += 1

    def _plain(self, contest: Contest) -> list[tuple[int, Couple]]:
        """Return the simple matches of two: no triangles, and no match with only one table played so far."""
        threes = {three for round in contest.rounds for three in contest.triangles(round)}
        threes |= {three for _, three in (*contest.long_triangles, *contest.threes)}
        gone = {entry.pk for entry in self.section.entries.all() if entry.left_after is not None}
        found = []
        for (round, couple), rows in contest.matches.items():
            in_three = any(couple <= three for three in threes)
            boards = Counter(row.board for row in rows)
            is_half = contest.is_teams and set(boards.values()) != {2}
            if not in_three and not is_half and not couple & gone:
                found.append((round, couple))
        return sorted(found, key=lambda item: (item[0], sorted(item[1])))

    def _rule(self) -> None:
        """Rule on a match as a page does: points, averages, a missing side, a share."""
        contest = self.referee.contest()
        if not (matches := self._plain(contest)):
            return
        round, couple = self.rng.choice(matches)
        one, other = self.rng.sample(sorted(couple), 2)
        kinds = ["given", "void", "missing", "sides", "director"]
        kind = self.rng.choice(kinds if contest.is_teams else kinds[:2])
        points = None
        if kind == "given":
            mine = Decimal(self.rng.randint(0, 2000)) / 100
            points = (
                mine,
                max(20 - mine - Decimal(self.rng.choice(["0", "0", "1.5"])), Decimal(0)),
            )
        awards = (self.rng.choice(AWARDS), self.rng.choice(AWARDS)) if kind == "void" else ("", "")
        rulings.rule_match(
            self.section, round, one, other, kind=kind, points=points, awards=awards, by=None
        )
        self.done[f"matches ruled: {kind}"] += 1

    def _take_back(self) -> None:
        fines = list(Penalty.objects.filter(entry__section=self.section, taken_back_at=None))
        ruled = list(MatchRuling.objects.filter(section=self.section, taken_back_at=None))
        if fines and self.kind != "knock-out":
            rulings.take_back_penalty(self.section, self.rng.choice(fines).pk, by=None)
            self.done["penalties taken back"] += 1
        if ruled:
            rulings.take_back_match_ruling(self.section, self.rng.choice(ruled).pk, by=None)
            self.done["rulings taken back"] += 1
