"""A session as its results are made of it: every play, past and to come, and the document of them all.

The past comes from the plays with their results, the future from the plan, without outcomes. What is read
here is of one moment; what is computed from it (`scored.py`) needs no database any more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Play, Section, Session
from bridgebuddy.events.queries.games import Contestant, Game
from bridgebuddy.events.queries.plan import Plan
from bridgebuddy.events.queries.sections import sections_of_session
from movements.engine.contest import Contest

from ..models import Deal, FouledBoard, MatchRuling, Penalty, Result, Scoring
from .cards import Cards
from .drawn_matches import is_swiss_of_pairs, matches_of_pairs, profile_of, stage_of, with_carry
from .earlier import earlier_of
from .knocked_out import reached
from .leaving import lost_boards
from .meetings import matches_of, ruled

#: all that is told of a result to whoever still plays the board
HIDDEN = {"hidden": True}
FIELDS = {1: {"": "all"}, 2: {"ns": "NS", "ew": "EW"}, 4: {"n": "N", "s": "S", "e": "E", "w": "W"}}


#: what deal a board is of, and its number
Dealt = tuple[str, int]


@dataclass(frozen=True)
class Line:
    """A board at a table in a round, as it was or will be played; `index` is its place in the document."""

    index: int
    section: Section
    round: int
    table: int
    board: int
    ns: tuple[Contestant, ...]
    ew: tuple[Contestant, ...]
    play: int = 0  # the play's key; 0: it has not begun
    part: int = 1
    turned: bool = False
    people: tuple[str, ...] = ()  # who sat N, E, S and W, where that is known
    result: Result | None = None
    #: the boards' group, where it was fouled
    group: str | None = None
    #: nobody can play it any more: somebody has left
    is_lost: bool = False

    @property
    def outcome(self) -> dict[str, Any] | None:
        return self.result.outcome if self.result else None

    @property
    def number(self) -> int:
        """The number of the result that stands; 0: there is none."""
        return self.result.number if self.result else 0

    @property
    def has_begun(self) -> bool:
        return self.play > 0

    @property
    def is_hidden(self) -> bool:
        """Whether there is a result, and it is not told to who looks."""
        return self.outcome == HIDDEN

    def side(self, line: str) -> tuple[Contestant, ...]:
        return self.ns if line == "ns" else self.ew


class Tonight:
    """All sections of a session with everything a result is made of, read once.

    `section` is the one a page is about; the others play beside it.
    """

    def __init__(self, section: Section) -> None:
        found = sections_of_session(section) or [section]
        self.section = next((one for one in found if one.pk == section.pk), section)
        self.sections = [one for one in found if one.movement_id is not None]
        self.session: Session = section.session
        self.plans = {one.pk: Plan.of(one) for one in self.sections}
        self.scoring = Scoring.objects.filter(session=section.session_id).first() or Scoring(
            session=section.session
        )

    @property
    def contest(self) -> Contest:
        return self.sections[0].contest if self.sections else self.section.contest

    @property
    def has_several(self) -> bool:
        return len(self.sections) > 1

    # ── who ──

    @cached_property
    def contestants(self) -> dict[tuple[str, str], Contestant]:
        """Everybody, by the name of the section and the label in the document."""
        return {
            (section.name, one.slug): one
            for section in self.sections
            for one in self._of(section).values()
        }

    def _of(self, section: Section) -> Mapping[int, Contestant]:
        return self.plans[section.pk].drawn.contestants

    def contestant(self, section: str, label: str) -> Contestant | None:
        return self.contestants.get((section, label))

    def find(self, section: Section, slug: str) -> Contestant | None:
        """Return somebody of a section by the label of an address."""
        return self.contestant(section.name, slug)

    # ── what was and will be played ──

    @cached_property
    def lines(self) -> list[Line]:
        """Every board at every table where two sides sit, the past first, then what is to come."""
        found: list[Line] = []
        for section in self.sections:
            found += self._past(section)
            found += self._to_come(section)
        return [replace(line, index=index) for index, line in enumerate(found)]

    @cached_property
    def lost(self) -> list[Line]:
        """What cannot be played because somebody has left; it stands in the document after all others."""
        found = [
            Line(0, section, one.round, one.table, one.board, one.ns, one.ew, is_lost=True)
            for section in self.sections
            for one in lost_boards(
                section,
                self.plans[section.pk],
                [(line.round, line.board, line.ns + line.ew) for line in self.of_section(section)],
            )
        ]
        return [replace(line, index=index) for index, line in enumerate(found, len(self.lines))]

    def masked(self, cards: Collection[Dealt]) -> Tonight:
        """The same session, in which of some cards no result is told, only that there is one.

        Its document is the whole one: what is counted stays what it is.
        """
        plays, _ = self._by_play, self.document  # read once, for both
        found = copy(self)
        lines = [
            self._masked(line) if self.cards_of(line) in cards else line for line in self.lines
        ]
        found.__dict__ |= {
            "lines": lines,
            "_by_play": {line.play: line for line in lines if line.play in plays},
        }
        found.__dict__.pop("by_cards", None)
        return found

    @staticmethod
    def _masked(line: Line) -> Line:
        if line.result is None or line.result.outcome is None:
            return line
        number = line.result.number
        return replace(line, result=Result(play_id=line.play, number=number, outcome=HIDDEN))

    def lost_in(self, section: Section) -> list[Line]:
        """What of it has been in rounds that have begun."""
        return [
            line
            for line in self.lost
            if line.section.pk == section.pk and line.round <= section.round
        ]

    def of_section(self, section: Section) -> list[Line]:
        return [line for line in self.lines if line.section.pk == section.pk]

    def of_board(self, section: Section, board: int) -> list[Line]:
        return [line for line in self.of_section(section) if line.board == board]

    def in_round(self, section: Section, round: int) -> list[Line]:
        return [line for line in self.of_section(section) if line.round == round]

    @cached_property
    def by_cards(self) -> dict[Dealt, list[Line]]:
        """All lines that were or will be played with the same cards: a deal's name and a board."""
        found: defaultdict[Dealt, list[Line]] = defaultdict(list)
        for line in self.lines:
            found[self.cards_of(line)].append(line)
        return dict(found)

    def cards_of(self, line: Line) -> Dealt:
        """Return what cards a line is played with."""
        if line.section.contest.has_halves and line.section.stored.is_draw:
            teams = frozenset((line.ns[0].slug, line.ew[0].slug))
            return self._match_cards.get((line.section.name, teams, line.round), ""), line.board
        return "" if self.session.same_deals else line.section.name, line.board

    @cached_property
    def _match_cards(self) -> dict[tuple[str, frozenset[str], int], str]:
        """The names of drawn matches' cards, by the two teams and the round."""
        return {
            (match["section"], frozenset((match["home"], match["away"])), round): match["deals"]
            for match in self.document.get("matches", ())
            if match.get("deals") and match["away"]
            for round in match["rounds"]
        }

    def line_of(self, play: int) -> Line | None:
        """Return the line of a play, by its key."""
        return self._by_play.get(play)

    @cached_property
    def _by_play(self) -> dict[int, Line]:
        return {line.play: line for line in self.lines if line.play}

    @cached_property
    def _plays(self) -> dict[int, list[Play]]:
        found: defaultdict[int, list[Play]] = defaultdict(list)
        rows = Play.objects.filter(section__in=self.sections, taken_back_at=None)
        for play in rows.select_related("north", "east", "south", "west"):
            found[play.section_id].append(play)
        return found

    @cached_property
    def _results(self) -> dict[int, Result]:
        """The results that stand, by the key of their play."""
        found = Result.objects.filter(play__section__in=self.sections, stands=True)
        return {one.play_id: one for one in found.select_related("by")}

    @cached_property
    def fouled(self) -> list[FouledBoard]:
        return list(FouledBoard.objects.filter(section__in=self.sections, taken_back_at=None))

    @cached_property
    def penalties(self) -> list[Penalty]:
        found = Penalty.objects.filter(entry__section__in=self.sections, taken_back_at=None)
        return list(found.select_related("by"))

    @cached_property
    def _deals(self) -> dict[tuple[int | None, int], Deal]:
        found = Deal.objects.filter(session=self.session)
        return {(one.section_id, one.board): one for one in found}

    def cards(self, section: Section, board: int) -> Cards | None:
        """Return the cards of a board of a section, where a file of deals has said them."""
        if section.stored.is_draw and not self.scoring.same_cards:
            return None  # every match has shuffled its own
        deal = self._deals.get((section.pk, board)) or self._deals.get((None, board))
        return Cards(board, deal.pbn) if deal else None

    @property
    def deals(self) -> list[dict[str, Any]]:
        """All cards that are known, as a document has them.

        The document that is scored has none: a lead that was mistyped takes nobody's result away.
        """
        names = {one.pk: one.name for one in self.sections} | {None: None}
        return [
            {"section": names[section], "board": board, "pbn": one.pbn}
            for (section, board), one in self._deals.items()
            if section in names
        ]

    @cached_property
    def reached(self) -> dict[int, int]:
        """The last round of a knock-out that each entry (by its key) has gone on to."""
        return reached(self.sections)

    @cached_property
    def match_rulings(self) -> list[MatchRuling]:
        """The rulings on whole matches that hold, the newest last."""
        found = MatchRuling.objects.filter(section__in=self.sections, taken_back_at=None)
        has_matches = self.contest.has_halves or any(map(is_swiss_of_pairs, self.sections))
        return list(found.select_related("by")) if has_matches else []

    def _past(self, section: Section) -> Iterator[Line]:
        by_entry = {one.entry: one for one in self._of(section).values()}
        for play in self._plays[section.pk]:
            if play.ns_id is None or play.ew_id is None:
                continue
            ns = _known(by_entry, play.ns_id, play.ns2_id)
            ew = _known(by_entry, play.ew_id, play.ew2_id)
            if not ns or not ew:
                continue  # somebody who is off the list
            chairs = (play.north, play.east, play.south, play.west)
            yield Line(
                0,
                section,
                play.round,
                play.table,
                play.board,
                ns,
                ew,
                play.pk,
                play.part,
                play.turned,
                tuple(person.name if person else "" for person in chairs),
                self._results.get(play.pk),
                self._group(play),
            )

    def _group(self, play: Play) -> str | None:
        mine = [
            one
            for one in self.fouled
            if one.section_id == play.section_id
            and one.board == play.board
            and one.holds(play.round, play.table)
        ]
        return str(mine[-1].pk) if mine else None

    def _to_come(self, section: Section) -> Iterator[Line]:
        evening = self.plans[section.pk].evening
        for round in range(section.round + 1, section.rounds + 1):
            for game in evening.games.get(round, ()):
                if game.is_played:
                    yield from _lines(section, game)

    # ── the document ──

    @cached_property
    def document(self) -> dict[str, Any]:
        """The session's document, by which anybody can work the results out again."""
        brought = earlier_of(self)
        if not brought:
            return self.alone
        contestants = [dict(one) for one in self.alone["contestants"]]
        people = [one for section in self.sections for one in self._of(section).values()]
        for found, one in zip(contestants, people, strict=True):
            if one.entry in brought:
                found["earlier"] = brought[one.entry]
        return self.alone | {"contestants": contestants}

    @cached_property
    def alone(self) -> dict[str, Any]:
        """The same without what anybody brings along from earlier sessions."""
        contest = self.contest
        document: dict[str, Any] = {
            "name": f"{self.session.event.name}, {self.session.date}",
            "contest": str(contest),
            "profile": profile_of(self.sections, self.scoring.profile),
            "sections": [self._section(one) for one in self.sections],
            "contestants": [
                self._contestant(section, one)
                for section in self.sections
                for one in self._of(section).values()
            ],
            "plays": [self._play(line) for line in (*self.lines, *self.lost)],
            "sit_outs": [one for section in self.sections for one in self._sit_outs(section)],
            "penalties": [one for one in map(self._penalty, self.penalties) if one],
        }
        if contest.has_halves:
            document["matches"] = [
                match
                for section in self.sections
                for match in with_carry(section, list(matches_of(self, section)))
            ]
        drawn = [one for one in self.sections if is_swiss_of_pairs(one)]
        if drawn:
            document["matches"] = [
                match | self._ruled(one, match)
                for one in drawn
                for match in matches_of_pairs(self, one)
            ]
        if stage := stage_of(self.sections):
            document["stage"] = stage
        return document

    def _ruled(self, section: Section, match: dict[str, Any]) -> dict[str, Any]:
        """What the director has ruled on a match of pairs."""
        if not (self.match_rulings and match["away"]):
            return {}
        home, away = (self.contestants[section.name, match[side]] for side in ("home", "away"))
        return ruled(self, section, match["round"], home.entry, {home.entry, away.entry})

    def _section(self, section: Section) -> dict[str, Any]:
        name = None if self.session.same_deals or not self.has_several else section.name
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
        known = self.scoring.classes.get(str(one.entry), {})
        strata = (self.scoring.profile.get("strata") or {}).get("names", ())
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
        if line.outcome is not None:
            found["outcome"] = line.outcome
        return found

    def _of_extra(self, line: Line) -> str:
        """Part an extra board from that of another match, which had other cards even in a round of the same ones."""
        if not (line.section.extra_boards and self.scoring.same_cards):
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
        by_entry = {one.entry: one for one in self._of(section).values()}
        waiting: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for play in self._plays[section.pk]:
            if (play.ns_id is None) == (play.ew_id is None):
                continue
            for one in _known(by_entry, play.ns_id or play.ew_id, play.ns2_id or play.ew2_id):
                waiting[play.round, one.slug].append(play.board)
        for round in range(section.round + 1, section.rounds + 1):
            for game in self.plans[section.pk].evening.games.get(round, ()):
                if not game.is_played:
                    for sitting in game.ns + game.ew:
                        waiting[round, sitting.contestant.slug] += game.boards
        lost: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for line in self.lost:
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
        section = next(one for one in self.sections if one.pk == penalty.entry.section_id)
        who = next(
            (one for one in self._of(section).values() if one.entry == penalty.entry_id), None
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


def has_results(section: Section) -> bool:
    """Whether a result stands in a section's session. One query."""
    found = Result.objects.filter(
        play__section__session=section.session_id, play__taken_back_at=None, stands=True
    )
    return found.exclude(outcome=None).exists()


def _winners(section: Section) -> int:
    fields = {field.name for field in section.stored.labels.fields}
    return {2: 2, 4: 4}.get(len(fields), 1)


def _known(by_entry: dict[int, Contestant], *keys: int | None) -> tuple[Contestant, ...]:
    """The contestants of some entries; nobody where one of them is unknown."""
    wanted = [key for key in keys if key is not None]
    found = tuple(by_entry[key] for key in wanted if key in by_entry)
    return found if len(found) == len(wanted) else ()


def _lines(section: Section, game: Game) -> Iterable[Line]:
    ns, ew = (tuple(sitting.contestant for sitting in side) for side in (game.ns, game.ew))
    return [
        Line(0, section, game.round, game.table, board, ns, ew, part=game.part)
        for board in game.boards
    ]


def _number(amount: Any) -> int | float:
    """A decimal as JSON has it, whole where it is."""
    whole = int(amount)
    return whole if whole == amount else float(amount)
