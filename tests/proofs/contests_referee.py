"""The referee of simulated contests: reads the stored rows, and none of a proposal's own facts.

It counts every match and all standings once more (`recount.py`), looks for a better draw by trying them all,
and remembers plays, draws and results at their time, to notice later changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.scoring.models import Draw, MatchRuling, Penalty, Result

from .contests_recount import (
    NOT_PLAYED,
    Contest,
    Couple,
    Fine,
    PlayedRow,
    Ruling,
    Two,
    Weighted,
    closest,
    freshest,
)
from .referee import Broken

#: how many of a bracket go on from a round: to 8 or 6, then to 4 for the semi-finals
GO_ON = {
    16: 8,
    15: 8,
    14: 8,
    13: 8,
    12: 8,
    11: 6,
    10: 6,
    9: 6,
    8: 4,
    7: 4,
    6: 4,
    5: 2,
    4: 2,
    3: 1,
    2: 1,
}
LARGEST_BRACKET = 16
#: what is shown is rounded to 0.01
NEAR = 0.00501
EXACT = 0.00000001
#: a match of which the director has said what it is worth
RULED = ("given", "void", "missing", "wrong-seats")
#: as far as all draws are tried
MOST_TRIED = 16
PLAYED = (
    "round",
    "table",
    "part",
    "board",
    "ns_id",
    "ew_id",
    "north_id",
    "south_id",
    "east_id",
    "west_id",
)
KEPT = (
    "round",
    "counted",
    "since",
    "standings",
    "matches",
    "triangles",
    "given",
    "exchanged",
    "decided",
)


class Referee:
    """One section, from its first round to its end. Raises `Broken`."""

    def __init__(self, name: str, section: Section, method: str) -> None:
        self.name, self.section, self.method = name, section, method
        self.options = section.movement_options
        self.family = section.stored.family
        self.is_teams = section.contest.has_halves
        self.people = len(section.entries.all())
        self.plays: dict[int, list[tuple[Any, ...]]] = {}
        self.draws: dict[int, tuple[Any, ...]] = {}
        self.outcomes: defaultdict[int, list[Any]] = defaultdict(list)
        self.homes: dict[int, tuple[int, bool]] = {}
        self.done: Counter[str] = Counter()

    def claim(self, is_true: bool, what: str) -> None:
        if not is_true:
            raise Broken(f"{self.name}, round {self.section.round}: {what}")

    # ── what is stored ──

    def contest(
        self, given: Mapping[tuple[int, Couple], Two] | None = None, *, before: int | None = None
    ) -> Contest:
        """Return all plays until now, or until `before`, the draw of a round."""
        section = self.section
        entries = list(section.entries.exclude(contestant=None))
        outcomes = dict(
            Result.objects.filter(play__section=section, stands=True).values_list("play", "outcome")
        )
        plays = section.plays.filter(taken_back_at=None).exclude(ns=None).exclude(ew=None)
        rows = [
            PlayedRow(
                p.round, p.table, p.board, p.ns_id or 0, p.ew_id or 0, _outcome(outcomes.get(p.pk))
            )
            for p in plays
        ]
        here = {entry.pk for entry in entries}
        gone = {
            entry.pk: entry.left_after
            for entry in entries
            if entry.left_after and not entry.back_in
        }
        contest = Contest(
            rows=[row for row in rows if row.couple <= here],
            people=sorted(here),
            method=self.method,
            is_teams=self.is_teams,
            is_round_robin=self.family == "team-round-robin",
            are_triangles_long=self.options.get("odd") == "long-triangle",
            last_round=section.rounds,
            left={} if self.family == "swiss" else gone,
            carry=self._carry() if self.family == "knockout" else {},
            given=given or {},
            is_knock_out=self.family == "knockout",
            threes=self._threes(),
            fines=self._fines(),
            rulings=self._rulings(),
            drawn=self._drawn(before),
        )
        contest.rows = [
            replace(row, outcome=NOT_PLAYED)
            if row.outcome is None and (contest.match_round(row), row.couple) in contest.rulings
            else row
            for row in contest.rows
        ]
        met = contest.met(range(1, section.rounds + 1))
        if self.family == "swiss":
            contest.byes = {
                (round, entry.pk)
                for round in range(1, section.round + 1)
                for entry in entries
                if is_there(entry, round)
                and not any(entry.pk in couple for couple in contest.met([round]))
            }
        elif self.family == "team-round-robin":
            contest.missed = {
                (section.rounds, entry.pk, contestant)
                for contestant, after in gone.items()
                if after < section.rounds
                for entry in entries
                if entry.pk not in gone and frozenset((entry.pk, contestant)) not in met
            }
            contest.planned = dict.fromkeys(gone, self.people - 1)
        return contest

    def _threes(self) -> set[tuple[int, Couple]]:
        """Return the triangles of one round from the movement; the rows of a triangle with a departed team do not show
        it.
        """
        entries = self.section.entries.exclude(contestant=None)
        keys = {entry.contestant: entry.pk for entry in entries}
        return {
            (triangle.rounds[0], frozenset(keys[team] for team in triangle.teams if team in keys))
            for triangle in self.section.stored.movement.triangles
            if len(triangle.rounds) == 1
        }

    def _fines(self) -> list[Fine]:
        found = Penalty.objects.filter(entry__section=self.section, taken_back_at=None)
        return [
            Fine(
                penalty.entry_id,
                penalty.unit,
                Fraction(penalty.amount),
                penalty.round or self.section.rounds,
            )
            for penalty in found
        ]

    def _rulings(self) -> dict[tuple[int, Couple], Ruling]:
        """Return the rulings on whole matches: the newest of each."""
        found = MatchRuling.objects.filter(section=self.section, taken_back_at=None)
        return {
            (ruling.round, frozenset((ruling.one_id, ruling.other_id))): _ruling(ruling)
            for ruling in found.order_by("pk")
        }

    def _drawn(self, before: int | None) -> int:
        """Return how many matches the largest drawn round has, without matches of contestants that had left before it."""
        newest = {draw.round: draw for draw in self.section.draws.order_by("pk")}
        open_rounds = self.section.stored.open_rounds
        entries = list(self.section.entries.exclude(contestant=None))
        counts = [0]
        for round, draw in newest.items():
            if round not in open_rounds and (before is None or round < before):
                there = {entry.pk for entry in entries if is_there(entry, round)}
                counts.append(sum({*match[1:3]} <= there for match in draw.matches))
        return max(counts)

    def _carry(self) -> dict[tuple[int, int, int], float]:
        """Return the carry-over of matches, from the newest draw of each round."""
        return {
            (draw.round, home, away): carry[0]
            for draw in self.section.draws.order_by("pk")
            for _table, home, away, *carry in draw.matches
            if carry and carry[0]
        }

    # ── as it goes on ──

    def begins(self) -> None:
        """Claim that a beginning round is played as drawn, and stays so."""
        self.section.refresh_from_db()
        round = self.section.round
        self.plays[round] = self._plays(round)
        drawn = self.section.draws.filter(round=round).order_by("pk").last()
        entries = {entry.pk: entry for entry in self.section.entries.all()}
        there = {pk for pk, item in entries.items() if is_there(item, round) and item.contestant}
        contest = self.contest()
        met = contest.met([round])
        seen = [contestant for couple in met for contestant in couple]
        threes = contest.triangles(round)
        if not threes:
            self.claim(len(seen) == len(set(seen)), "somebody plays two matches")
        if drawn is not None:
            wanted = {
                frozenset(two)
                for group in (*((m[1], m[2]) for m in drawn.matches), *drawn.triangles)
                for two in combinations(group, 2)
                if None not in two and {*two} <= there
            }
            long = {
                frozenset(two)
                for three in self._busy(contest, round)
                for two in combinations(three, 2)
            }
            late = {couple for couple in met - wanted if not couple <= {*_everybody(drawn)}}
            # who came late may have been seated in the place of somebody who was drawn
            displaced = {couple for couple in wanted if any(couple & two for two in late)}
            same = met - long - late == wanted - long - displaced
            self.claim(same, "what is played is not what was drawn")
        self._stay(round, entries)

    def goes_on(self) -> None:
        """Claim that additional boards of a round leave its earlier plays as they were."""
        self.section.refresh_from_db()
        round = self.section.round
        now = self._plays(round)
        self.claim(set(self.plays[round]) < set(now), "extra boards have rewritten others")
        self.plays[round] = now

    def _plays(self, round: int) -> list[tuple[Any, ...]]:
        # who waits at a half table may yet get opponents while the round is played
        found = self.section.plays.filter(round=round, taken_back_at=None)
        found = found.exclude(ns=None).exclude(ew=None)
        return list(found.order_by("pk").values_list("pk", *PLAYED))

    def _stay(self, round: int, entries: Mapping[int, Entry]) -> None:
        """Claim that contestants who must stay seated keep the table and direction of their first match."""
        if self.is_teams:
            return
        rows = [row for row in self.contest().rows if row.round == round]
        stay = {pk for pk, item in entries.items() if item.must_stay_seated}
        tables = {row.table for row in rows}
        for contestant in stay:
            mine = next((row for row in rows if contestant in row.couple), None)
            if mine is None:
                continue
            if round == 1:
                self.homes[contestant] = (mine.table, mine.ns == contestant)
            if contestant not in self.homes or mine.couple <= stay:
                continue
            table, is_north = self.homes[contestant]
            self.claim(
                (mine.ns == contestant) == is_north, "a stationary pair sits in the other direction"
            )
            others = {self.homes[pk][0] for pk in stay - {contestant} if pk in self.homes}
            if table <= max(tables) and table not in others:
                self.claim(mine.table == table, "a stationary pair sits at another table")

    def entered(self, play: int, outcome: Any) -> None:
        """Remember a play's result or its correction."""
        if not self.outcomes[play] or self.outcomes[play][-1] != outcome:
            self.outcomes[play].append(outcome)

    def _busy(self, contest: Contest, round: int) -> set[Couple]:
        """Return the contestants in the second round of a long triangle."""
        return {teams for first, teams in contest.long_triangles if first == round - 1}

    # ── draws ──

    def drawn(self, draw: Draw) -> None:
        """Judge a draw that was published just now."""
        self.section.refresh_from_db()
        self.draws[draw.pk] = tuple(getattr(draw, name) for name in KEPT)
        self.done["draws"] += 1
        if self.family == "knockout":
            self._knocked_on(draw)
        else:
            self._swiss(draw)

    def _swiss(self, draw: Draw) -> None:
        contest = self.contest(self._given(draw), before=draw.round)
        entries = {entry.pk: entry for entry in self.section.entries.exclude(contestant=None)}
        busy = {contestant for three in self._busy(contest, draw.round) for contestant in three}
        there = {pk for pk, item in entries.items() if is_there(item, draw.round)} - busy
        groups = [tuple(x for x in m[1:3] if x is not None) for m in draw.matches]
        groups += [tuple(triangle) for triangle in draw.triangles]
        everybody = [contestant for group in groups for contestant in group]
        self.claim(sorted(everybody) == sorted(there), "not everybody is drawn once")
        order = [item for item, _, _ in draw.standings]
        self.claim(set(order) == there, "the standings are not of those who are drawn")
        self._standings_of(draw, contest)
        self._best(draw, contest, self._by_rule(draw, groups), order)

    def _given(self, draw: Draw) -> dict[tuple[int, Couple], Two]:
        by_label = self._by_label()
        return {
            (round, frozenset((by_label[home], by_label[away]))): {
                by_label[home]: Fraction(str(item)),
                by_label[away]: Fraction(str(other)),
            }
            for round, home, away, item, other in draw.given
        }

    def _by_label(self) -> dict[str, int]:
        labels = self.section.stored.without_seatings
        entries = self.section.entries.exclude(contestant=None)
        return {labels.label(entry.contestant or 0): entry.pk for entry in entries}

    def _standings_of(self, draw: Draw, contest: Contest) -> None:
        if not draw.counted:
            return
        totals = contest.totals(draw.counted)
        told = [total or 0 for _, _, total in draw.standings]
        mine = [float(totals[contestant]) for contestant, _, _ in draw.standings]
        near = all(abs(a - b) < NEAR for a, b in zip(told, mine, strict=True))
        self.claim(near, f"drawn by {told}, counted again {mine}")
        # who came late and has played nothing yet is last, even behind who was fined below nothing
        has = {contestant for when, contestant, *_ in contest.earned if when <= draw.counted}
        order = [contestant in has for contestant, _, _ in draw.standings]
        self.claim(order == sorted(order, reverse=True), "who has played nothing is not last")
        played = told[: sum(order)]
        self.claim(played == sorted(played, reverse=True), "the order of the draw is not by points")

    @staticmethod
    def _by_rule(draw: Draw, groups: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """The groups before the director exchanged anybody."""
        found = list(groups)
        for item, other in reversed(draw.exchanged):
            new = {item: other, other: item}
            found = [
                tuple(new.get(contestant, contestant) for contestant in group) for group in found
            ]
        return found

    def _best(
        self, draw: Draw, contest: Contest, groups: list[tuple[int, ...]], order: list[int]
    ) -> None:
        """Claim that a draw has no rematch, is the closest of all, and leaves out contestants not spared before."""
        met = {c for r, c in contest.matches if r >= draw.since} | contest.met(
            range(draw.since, draw.round)
        )
        again = {frozenset(two) for group in groups for two in combinations(group, 2)} & met
        self.claim(not again, f"{sorted(map(sorted, again))} meet again")
        out = next((group for group in groups if len(group) != 2), ())
        if len(order) > MOST_TRIED:
            return
        spared = {contestant for _, contestant in contest.byes} | {
            contestant
            for round in range(1, draw.round)
            for three in contest.triangles(round)
            for contestant in three
        }
        if out:
            if len(out) == 1 and self.is_teams and self.options.get("odd", "triangle") != "bye":
                _, threes = freshest(order, 3, met, spared)
                if self.options.get("odd") != "long-triangle":
                    self.claim(not threes, "a bye where a triangle could be played")
            times, lawful = freshest(order, len(out), met, spared)
            mine = len(set(out) & spared)
            if not self._needs_second_round(draw, out):
                self.claim(
                    frozenset(out) in lawful,
                    f"left out once more: {mine} of {len(out)}, not {times}",
                )
            if len(out) == 1 and draw.counted:
                lowest = max((group for group in lawful), key=lambda group: order.index(*group))
                self.claim(frozenset(out) == lowest, "the bye is not the lowest one's")
        if draw.counted:
            rest = [contestant for contestant in order if contestant not in out]
            place = {contestant: index for index, contestant in enumerate(rest)}
            cost = sum((place[a] - place[b]) ** 2 for a, b in (g for g in groups if len(g) == 2))
            least = closest(rest, met)
            self.claim(cost == least, f"squared distances add to {cost}, and {least} is possible")

    def _needs_second_round(self, draw: Draw, out: tuple[int, ...]) -> bool:
        """Return whether the others had to be drawn twice, so that new teams may play the triangle."""
        return len(out) == 3 and self.options.get("odd") == "long-triangle"

    def cannot(self, since: int) -> None:
        """Claim that a refused draw was impossible."""
        contest = self.contest()
        round = self.section.stored.open_rounds[0]
        busy = {contestant for three in self._busy(contest, round) for contestant in three}
        entries = self.section.entries.exclude(contestant=None)
        order = [entry.pk for entry in entries if is_there(entry, round) and entry.pk not in busy]
        met = contest.met(range(since, round))
        if len(order) <= MOST_TRIED:
            if len(order) % 2:
                ways = any(closest([x for x in order if x != pk], met) is not None for pk in order)
            else:
                ways = closest(order, met) is not None
            self.claim(not ways, "no draw was found, and there is one")

    # ── knock-out ──

    def _title_goes_on(self, draw: Draw, groups: Sequence[Couple]) -> None:
        """Claim that the title's draw has the winners, and the teams whose opponents had all left."""
        last = draw.round - 1
        entries = list(self.section.entries.exclude(contestant=None))
        there = {entry.pk for entry in entries if is_there(entry, last)}
        stays = {entry.pk for entry in entries if is_there(entry, draw.round)}
        numbers = {entry.pk: entry.contestant or 0 for entry in entries}
        before = [d for d in self.section.draws.order_by("pk") if d.round == last]
        title = {*before[-1].through} if before else {*numbers}
        movement = self.section.stored.movement
        threes = [{*t.teams} for t in movement.triangles if last in t.rounds]
        expected: set[int] = set()
        for bracket in _brackets(len(numbers)):
            mine = {contestant for contestant in title if numbers[contestant] in bracket}
            contested: set[int] = set()
            for group in groups:
                if group <= mine:
                    in_three = any(
                        {numbers[contestant] for contestant in group} <= three for three in threes
                    )
                    go_on = 2 if in_three and len(mine) not in (3, 5) else 1
                    if len(group & there) > go_on:
                        contested |= group
                        expected |= {
                            contestant
                            for told in draw.decided
                            if {*told["teams"]} == group & there
                            for contestant in told["through"]
                        }
            expected |= (mine & there) - contested
        self.claim({*draw.through} == expected & stays, "others play for the title than should")

    def _knocked_on(self, draw: Draw) -> None:
        contest = self.contest()
        last = draw.round - 1
        entries = self.section.entries.exclude(contestant=None)
        numbers = {entry.pk: entry.contestant or 0 for entry in entries}
        groups = _groups(contest, last)
        self._title_goes_on(draw, groups)
        if contest.left or self.options.get("compact"):
            return
        new = [tuple(m[1:3]) for m in draw.matches] + [
            tuple(triangle) for triangle in draw.triangles
        ]
        playing = {contestant for group in new for contestant in group}
        met = contest.met(range(1, draw.round))
        for bracket in _brackets(len(numbers)):
            mine = [g for g in groups if {numbers[contestant] for contestant in g} <= bracket]
            size = sum(map(len, mine))
            if size < 2:
                continue
            going = 0
            for group in mine:
                go_on = 2 if len(group) == 3 and size not in (3, 5) else 1
                going += go_on
                through = {
                    contestant
                    for d in draw.decided
                    if {*d["teams"]} == group
                    for contestant in d["through"]
                }
                self.claim(
                    len(through) == go_on and through <= group, "not as many go on as should"
                )
                ahead = _ahead(contest, last, group, go_on)
                self.claim(not ahead or through == ahead, f"{through} go on, and {ahead} are ahead")
                if size > GO_ON[size] > 1:
                    self.claim(
                        playing & group == through, "who goes on is not drawn, or who is out"
                    )
            self.claim(going == GO_ON[size], f"of {size} teams {going} go on")
            now = [g for g in new if {numbers[contestant] for contestant in g} <= bracket]
            again = [g for g in now if any(frozenset(two) in met for two in combinations(g, 2))]
            if again:
                sizes = sorted(map(len, now))
                self.claim(
                    not _can_be_apart(sorted({w for g in now for w in g}), sizes, met),
                    "a rematch that need not be",
                )
            if self.options.get("seeded") and not again and all(len(g) == 2 for g in now):
                self._is_folded(now, numbers, met)

    def _is_folded(
        self, now: list[tuple[int, ...]], numbers: Mapping[int, int], met: set[Couple]
    ) -> None:
        order = sorted({w for g in now for w in g}, key=lambda w: numbers[w])
        folded = {frozenset(two) for two in zip(order, reversed(order), strict=True)}
        if not folded & met:
            self.claim({frozenset(g) for g in now} == folded, "the best does not meet the last")

    # ── standings ──

    def standings(self, results: Mapping[str, Any]) -> None:
        """Count all matches and standings again, and compare."""
        self.section.refresh_from_db()
        contest, by_label = self.contest(), self._by_label()
        for found in results["matches"]:
            if not found["away"] or {found["home"], found["away"]} - set(by_label):
                continue
            one, other = by_label[found["home"]], by_label[found["away"]]
            couple = frozenset((one, other))
            is_ruled = (found["round"], couple) in contest.rulings
            if found["rule"] != "match" and not (is_ruled and found["rule"] in RULED):
                continue
            points = contest.points(found["round"], couple)
            net = None if is_ruled else contest.net(found["round"], couple)
            self.claim(is_ruled or net is not None, f"a match counts that is open: {found}")
            if self.is_teams and net:
                told = (found["imps"]["home"], found["imps"]["away"])
                mine = [float(net[0][contestant]) for contestant in (one, other)]
                near = all(abs(a - b) < NEAR for a, b in zip(told, mine, strict=True))
                self.claim(near, f"IMPs {told}, counted again {net}")
            if found["vps"] and points:
                told = (found["vps"]["home"], found["vps"]["away"])
                again = (float(points[one]), float(points[other]))
                far = NEAR if is_ruled else EXACT
                near = all(abs(a - b) < far for a, b in zip(told, again, strict=True))
                self.claim(near, f"round {found['round']}: VPs {told}, counted again {again}")
                self.done["ruled matches" if is_ruled else "matches"] += 1
        is_whole = (
            self.family != "team-round-robin" or not contest.left or self.section.is_last_round
        )
        if self.family == "knockout" or not is_whole:
            return
        for told in results["standings"]:
            if told["round"] <= self.section.round and (
                not contest.left or told is results["standings"][-1]
            ):
                self._one_standing(told, contest, by_label)

    def _winners(
        self, results: Mapping[str, Any], contest: Contest, by_label: Mapping[str, int]
    ) -> None:
        """Claim that the winner of a bracket's last match is first, whatever the margins of the others."""
        last = self.section.rounds
        groups = _groups(contest, last)
        ahead = {contestant for group in groups for contestant in _ahead(contest, last, group, 1)}
        rows = next(ranking["rows"] for ranking in results["rankings"] if not ranking["section"])
        first = {by_label[row["contestant"]] for row in rows if row["place"] in ("1", "1=")}
        if contest.left or self.options.get("compact"):
            gone = {by_label[row["contestant"]] for row in rows} & {*contest.left}
            if len(first) == 1:
                self.claim(not first & gone or len(rows) == len(gone), "a team that left has won")
            return
        if all(_ahead(contest, last, group, 1) for group in groups):
            self.claim(first == ahead, f"{first} are first, and {ahead} have won")

    def _one_standing(
        self, told: Mapping[str, Any], contest: Contest, by_label: Mapping[str, int]
    ) -> None:
        round_ = self.section.rounds if contest.left else told["round"]
        totals = contest.totals(round_)
        rows = [row for row in told["rows"] if row["contestant"] in by_label]
        for row in rows:
            contestant = by_label[row["contestant"]]
            mine = float(totals[contestant])
            self.claim(
                abs(row["total"] - mine) < NEAR,
                f"after round {round_} {row['contestant']} has {row['total']}, counted again {mine}",
            )
            record = [row["wins"], row["draws"], row["losses"]]
            self.claim(
                record == contest.won(round_, contestant),
                f"{row['contestant']} has won, drawn, lost {record}",
            )
        # who has met nobody yet is not equal to somebody without a point
        have = {contestant for when, contestant, *_ in contest.earned if when <= round_}
        placed = [row for row in rows if row["place"] and by_label[row["contestant"]] in have]
        points = [round(row["total"], 2) for row in placed]
        self.claim(points == sorted(points, reverse=True), "the standings are not in order")
        for row, mine in zip(placed, points, strict=True):
            place = 1 + sum(point > mine for point in points)
            wanted = f"{place}=" if points.count(mine) > 1 else f"{place}"
            self.claim(row["place"] == wanted, f"place {row['place']}, counted again {wanted}")
            equals = [
                by_label[r["contestant"]] for r, p in zip(placed, points, strict=True) if p == mine
            ]
            if len(equals) == 2:
                self.claim(
                    contest.between(round_, *equals) >= 0, "the loser between two equals is first"
                )
        self.done["standings"] += 1

    # ── the end ──

    def over(self) -> None:
        """Claim that no play, draw or result has been rewritten, and that all are on record."""
        self.section.refresh_from_db()
        section = self.section
        for round, plays in self.plays.items():
            changed = set(plays) - set(self._plays(round))
            self.claim(not changed, f"plays of round {round} were rewritten: {sorted(changed)[:3]}")
        for draw in Draw.objects.filter(section=section):
            kept = tuple(getattr(draw, name) for name in KEPT)
            self.claim(
                self.draws.get(draw.pk) == kept, f"the draw of round {draw.round} was rewritten"
            )
        found: defaultdict[int, list[Result]] = defaultdict(list)
        for result in Result.objects.filter(play__section=section).order_by("number"):
            found[result.play_id].append(result)
        for play, results in found.items():
            self.claim(
                [result.number for result in results] == [*range(1, len(results) + 1)],
                "a result is lost",
            )
            self.claim(
                [result.outcome for result in results] == self.outcomes[play],
                "a result was rewritten",
            )
            self.claim(
                [result.stands for result in results] == [False] * (len(results) - 1) + [True],
                "two results stand",
            )
        self.claim(
            set(found) == {play for play, all in self.outcomes.items() if all},
            "a play has lost its results",
        )
        versions = list(section.movements.values_list("version", flat=True))
        self.claim(versions == [*range(1, len(versions) + 1)], "a version of the movement is lost")
        records = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
        self.claim(
            records.filter(action="section.draw").count() == len(self.draws),
            "a draw is not on record",
        )
        self.done["results"] += sum(map(len, found.values()))


def is_there(one: Entry, round: int) -> bool:
    """Return whether an entry plays in a round, or might."""
    if round < one.first_round or one.contestant is None:
        return False
    if one.left_after is None or round <= one.left_after:
        return True
    return one.back_in is not None and round >= one.back_in


def _ruling(one: MatchRuling) -> Ruling:
    both = (one.one_id, one.other_id)
    kinds = MatchRuling.Kind
    if one.one_points is not None and one.other_points is not None:
        points = (Fraction(one.one_points), Fraction(one.other_points))
        return Ruling(points=dict(zip(both, points, strict=True)))
    if one.kind == kinds.VOID:
        return Ruling(awards=dict(zip(both, (one.one_award, one.other_award), strict=True)))
    if one.kind == kinds.MISSING:
        return Ruling(missing=one.one_id)
    return Ruling(share=Fraction(40 if one.kind == kinds.SIDES else 60))


def _outcome(outcome: Mapping[str, Any] | None) -> int | Weighted | tuple[str, str] | None:
    match outcome:
        case None:
            return None
        case {"score": score}:
            return int(score)
        case {"passed": True}:
            return 0
        case {"assigned": {"ns": ns, **others}}:
            ew: Any = others.get("ew") or ns
            return Weighted(_parts(ns), _parts(ew))
        case {"artificial": {"ns": ns, "ew": ew}}:
            return (ns, ew)
    return NOT_PLAYED


def _parts(said: Sequence[tuple[int, int]]) -> tuple[tuple[Fraction, int], ...]:
    return tuple((Fraction(weight) / 100, score) for weight, score in said)


def _everybody(draw: Draw) -> Iterator[int]:
    """Return the contestants that a draw names."""
    for _table, home, away, *_ in draw.matches:
        yield home
        if away is not None:
            yield away
    for three in draw.triangles:
        yield from three


def _groups(contest: Contest, round: int) -> list[Couple]:
    """Return the groups that played each other in a round: matches and triangles."""
    threes = contest.triangles(round)
    twos = {item for item in contest.met([round]) if not any(item <= three for three in threes)}
    return [*twos, *threes]


def _brackets(teams: int) -> Iterator[set[int]]:
    """The brackets of so many teams, by their numbers: at most 16 each, the first ones the larger."""
    count = -(-teams // LARGEST_BRACKET)
    first = 1
    for index in range(count):
        size = teams // count + (index < teams % count)
        yield set(range(first, first + size))
        first += size


def _ahead(contest: Contest, round: int, group: Couple, go_on: int) -> set[int]:
    """Return the contestants that go on by the results; empty if these do not decide."""
    margins: Counter[int] = Counter()
    scores: dict[int, Fraction] = dict.fromkeys(group, Fraction(0))
    for two in combinations(sorted(group), 2):
        lead = contest.lead(round, frozenset(two))
        if lead is None:
            return set()
        for contestant in two:
            scores[contestant] += lead[contestant]
        margins.update(two)
    order = sorted(scores.values(), reverse=True)
    if order[go_on - 1] == order[go_on]:
        return set()
    return {contestant for contestant, score in scores.items() if score >= order[go_on - 1]}


def _can_be_apart(teams: Sequence[int], sizes: Sequence[int], met: set[Couple]) -> bool:
    """Return whether teams can be divided into groups of these sizes without repeated meetings."""
    if not sizes:
        return True
    first, *others = teams
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for rest in combinations(others, size - 1):
            if not any(frozenset(two) in met for two in combinations((first, *rest), 2)):
                remaining = [item for item in others if item not in rest]
                if _can_be_apart(remaining, left, met):
                    return True
    return False
