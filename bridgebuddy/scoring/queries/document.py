"""The document of a session, by which anybody can work its results out again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.games import Contestant

from ..models import Penalty
from .drawn_matches import matches_of_pairs, profile_of, stage_of, with_carry
from .kinds import is_swiss_of_pairs
from .lines import Line
from .meetings import matches_of, ruled
from .played import Played, contestants_of

FIELDS = {1: {"": "all"}, 2: {"ns": "NS", "ew": "EW"}, 4: {"n": "N", "s": "S", "e": "E", "w": "W"}}


def document_of(played: Played) -> dict[str, Any]:
    """Return a session's document, without what anybody brings along from earlier sessions."""
    return _Writer(played).written()


class _Writer:
    def __init__(self, played: Played) -> None:
        self.played = played

    def written(self) -> dict[str, Any]:
        contest = self.played.contest
        document: dict[str, Any] = {
            "name": f"{self.played.session.event.name}, {self.played.session.date}",
            "contest": str(contest),
            "profile": self._profile(),
            "sections": [self._section(one) for one in self.played.sections],
            "contestants": [
                self._contestant(section, one)
                for section in self.played.sections
                for one in self.played.people_of(section).values()
            ],
            "plays": [self._play(line) for line in (*self.played.lines, *self.played.lost)],
            "sit_outs": [
                one for section in self.played.sections for one in self._sit_outs(section)
            ],
            "penalties": [one for one in map(self._penalty, self.played.penalties) if one],
        }
        if contest.has_halves:
            document["matches"] = [
                match
                for section in self.played.sections
                for match in with_carry(section, list(matches_of(self.played, section)))
            ]
        drawn = [one for one in self.played.sections if is_swiss_of_pairs(one)]
        if drawn:
            document["matches"] = [
                match | self._ruled(one, match)
                for one in drawn
                for match in matches_of_pairs(self.played, one)
            ]
        if stage := stage_of(self.played):
            document["stage"] = stage
        return document

    def _profile(self) -> dict[str, Any]:
        """How it is scored: sections that play other boards stand apart, where nobody has joined them."""
        found = profile_of(self.played.sections, self.played.scoring.profile)
        if self.played.has_several and not self.played.session.same_deals:
            return {"scope": "section", **found}
        return found

    def _ruled(self, section: Section, match: dict[str, Any]) -> dict[str, Any]:
        """What the director has ruled on a match of pairs."""
        if not (self.played.match_rulings and match["away"]):
            return {}
        home, away = (
            self.played.contestants[section.name, match[side]] for side in ("home", "away")
        )
        return ruled(self.played, section, match["round"], home.entry, {home.entry, away.entry})

    def _section(self, section: Section) -> dict[str, Any]:
        name = (
            None if self.played.session.same_deals or not self.played.has_several else section.name
        )
        return {"section": section.name, "winners": _winners(section), "deals": name}

    def _contestant(self, section: Section, one: Contestant) -> dict[str, Any]:
        found: dict[str, Any] = {
            "label": one.slug,
            "section": section.name,
            "field": FIELDS[_winners(section)].get(one.field, "all"),
            "names": list(one.players),
        }
        found |= self._classes(one)
        if one.has_left:
            found["left"] = {"after_round": one.left_after, "listed": True}
        return found

    def _classes(self, one: Contestant) -> dict[str, Any]:
        """Where somebody belongs: of strata only one that there is."""
        known = self.played.scoring.classes.get(str(one.entry), {})
        strata = (self.played.scoring.profile.get("strata") or {}).get("names", ())
        found: dict[str, Any] = {}
        if 0 < known.get("stratum", 0) <= len(strata):
            found["stratum"] = known["stratum"]
        if known.get("handicap"):
            found["handicap"] = [float(known["handicap"])]
        if known.get("categories"):
            found["categories"] = known["categories"]
        return found

    def _play(self, line: Line) -> dict[str, Any]:
        found: dict[str, Any] = {
            "section": line.section.name,
            "round": line.round,
            "table": line.table,
            "board": line.board,
        }
        if line.section.contest.plays_alone:
            seats = zip("nsew", (*line.ns, *line.ew), strict=True)
            found |= {seat: one.slug for seat, one in seats}
        else:
            found |= {"ns": line.ns[0].slug, "ew": line.ew[0].slug}
        if line.section.contest.has_halves and any(line.people):
            found |= {"ns_pair": self._pair(line, 0, 2), "ew_pair": self._pair(line, 1, 3)}
        if group := " ".join(filter(None, (line.group, self._of_extra(line)))):
            found["group"] = group
        owner = self.played.owner_of(line.section, line.board)
        if owner != line.section.name and not self.played.session.same_deals:
            found["deals"] = owner
        outcome = self._of_lost(line) if line.is_lost else line.outcome
        if outcome is not None:
            found["outcome"] = outcome
        return found

    def _of_lost(self, line: Line) -> dict[str, Any] | None:
        """What became of a board that nobody can play any more.

        Who has left for good is judged as a leaver; who came back has missed it, as whoever comes late. Single
        players have partners who missed nothing: as if all four sat out.
        """
        away = [one for one in (*line.ns, *line.ew) if one.is_away(line.round)]
        if any(one.has_left for one in away):
            return None
        if line.section.contest.plays_alone:
            return {"not_played": "sit-out"}
        return {"not_played": "missing", "side": "ns" if line.ns[0] in away else "ew"}

    def _of_extra(self, line: Line) -> str:
        """Part an extra board from that of another match, which had other cards even in a round of the same ones."""
        if not (line.section.extra_boards and self.played.has_same_cards(line.section)):
            return ""
        teams = (line.ns[0], line.ew[0])
        extra = line.section.extra_boards_of(line.round, [one.entry for one in teams])
        is_extra = any(line.board in boards for boards in extra)
        return "-".join(sorted(one.slug for one in teams)) if is_extra else ""

    def _pair(self, line: Line, *chairs: int) -> str | None:
        """What a pair of a team is called, in whichever chairs the two sit."""
        names = [line.people[chair] for chair in chairs if line.people[chair]]
        return self._pairs.setdefault(frozenset(names), " & ".join(names)) if names else None

    @cached_property
    def _pairs(self) -> dict[frozenset[str], str]:
        return {}

    def _sit_outs(self, section: Section) -> Iterator[dict[str, Any]]:
        """Who waits at a half table, and the boards that lie there."""
        by_entry = {one.entry: one for one in self.played.people_of(section).values()}
        waiting: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for play in self.played.plays_of(section):
            if (play.ns_id is None) == (play.ew_id is None):
                continue
            for one in contestants_of(
                by_entry, play.ns_id or play.ew_id, play.ns2_id or play.ew2_id
            ):
                waiting[play.round, one.slug].append(play.board)
        for round in range(section.round + 1, section.rounds + 1):
            for game in self.played.plans[section.pk].evening.games.get(round, ()):
                if not game.is_played:
                    for sitting in game.ns + game.ew:
                        waiting[round, sitting.contestant.slug] += game.boards
        lost: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for line in self.played.lost:
            if line.section.pk == section.pk:
                for one in (*line.ns, *line.ew):
                    lost[line.round, one.slug].add(line.board)
        for (round, label), boards in sorted(waiting.items()):
            if planned := sorted(set(boards) - lost[round, label]):
                yield {
                    "section": section.name,
                    "round": round,
                    "contestant": label,
                    "boards": planned,
                    "reason": "planned",
                }

    def _penalty(self, penalty: Penalty) -> dict[str, Any] | None:
        section = next(one for one in self.played.sections if one.pk == penalty.entry.section_id)
        who = next(
            (
                one
                for one in self.played.people_of(section).values()
                if one.entry == penalty.entry_id
            ),
            None,
        )
        if who is None:
            return None
        return {
            "section": section.name,
            "contestant": who.slug,
            "board": penalty.board,
            "round": penalty.round,
            "unit": penalty.unit,
            "amount": _number(penalty.amount),
            "kind": penalty.kind,
            "reason": penalty.reason,
            "by": str(penalty.by or ""),
        }


def _winners(section: Section) -> int:
    fields = {field.name for field in section.stored.labels.fields}
    return {2: 2, 4: 4}.get(len(fields), 1)


def _number(amount: Any) -> int | float:
    """A decimal as JSON has it, whole where it is."""
    whole = int(amount)
    return whole if whole == amount else float(amount)
