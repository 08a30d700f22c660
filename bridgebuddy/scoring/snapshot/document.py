"""The session's document: all data from which the rules calculate results, and others can repeat it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant

from ..models import Penalty
from ..rules import model
from ..rules.errors import ScoringError
from ..rules.model import ContestantKey, Departure, NotPlayed, Outcome, Play, Session, SitOut
from ..rules.profile import Profile, preset_profile, profile_of
from .drawn_matches import add_carry_over, apply_default_scale, drawing_stage, matches_of_pairs
from .kinds import is_swiss_of_pairs
from .lines import PlayLine
from .meetings import matches_of_teams, ruled_match
from .play_snapshot import PlayedSession, contestants_of
from .ruled import penalty_of

FIELDS = {1: {"": "all"}, 2: {"ns": "NS", "ew": "EW"}, 4: {"n": "N", "s": "S", "e": "E", "w": "W"}}


@dataclass(frozen=True)
class SessionDocument:
    """The data from which a session is scored, with its profile; `problem` if the profile is invalid."""

    session: Session
    profile: Profile
    problem: ScoringError | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Return the document's hash, computed once."""
        return hash((self.session, self.profile))

    def scored_by(
        self, played_session: PlayedSession, settings: Mapping[str, object]
    ) -> SessionDocument:
        """Return the document with another scoring profile, from `settings`."""
        return SessionDocument(self.session, *_profile_and_error(played_session, settings))

    def with_plays(self, plays: Iterable[Play]) -> SessionDocument:
        """Return the document with these plays instead of its own."""
        return replace(self, session=replace(self.session, plays=tuple(plays)))

    def with_matches(self, matches: Iterable[model.Match]) -> SessionDocument:
        """Return the document with these matches instead of its own."""
        return replace(self, session=replace(self.session, matches=tuple(matches)))

    def with_penalties(self, penalties: Iterable[model.Penalty]) -> SessionDocument:
        """Return the document with these penalties instead of its own."""
        return replace(self, session=replace(self.session, penalties=tuple(penalties)))

    def with_outcome(self, places: Iterable[int], outcome: Outcome) -> SessionDocument:
        """Return the document with another outcome of the plays at these places, as after a ruling."""
        plays = list(self.session.plays)
        for place in places:
            plays[place] = replace(plays[place], outcome=outcome)
        return self.with_plays(plays)

    def without_plays(self, places: Iterable[int]) -> SessionDocument:
        """Return the document with the plays at these places without a result."""
        return self.with_outcome(places, None)


def session_document(played_session: PlayedSession) -> SessionDocument:
    """Return the document of a session, without results of earlier sessions."""
    profile, problem = _profile_and_error(played_session, profile_data(played_session))
    return SessionDocument(_DocumentBuilder(played_session, profile).session(), profile, problem)


def profile_data(played_session: PlayedSession) -> Mapping[str, object]:
    """Return a session's scoring settings as data of a profile.

    Sections with other boards are scored separately, unless the director has joined them.
    """
    profile = apply_default_scale(played_session.sections, played_session.scoring.profile)
    if played_session.has_several and not played_session.session.same_deals:
        return {"scope": "section", **profile}
    return profile


def _profile_and_error(
    played_session: PlayedSession, settings: Mapping[str, object]
) -> tuple[Profile, ScoringError | None]:
    """Return the profile of stored settings; if they are invalid, the usual profile with the error."""
    try:
        return profile_of(settings, played_session.contest), None
    except ScoringError as error:
        return preset_profile("club", played_session.contest), error


class _DocumentBuilder:
    """Builds the scoring document of a session from its plays and settings."""

    def __init__(self, played_session: PlayedSession, profile: Profile) -> None:
        self.played = played_session
        self.strata = len(profile.strata.names) if profile.strata else 0

    def session(self) -> Session:
        """Return the session as the data type of the scoring rules."""
        played = self.played
        plays = enumerate([*played.lines, *played.unplayable_lines])
        penalties = filter(None, map(self._build_penalty, played.penalties))
        return Session(
            name=f"{played.session.event.name}, {played.session.date}",
            contest=played.contest,
            sections=tuple(map(self._build_section, played.sections)),
            contestants=tuple(
                self._contestant(section, contestant)
                for section in played.sections
                for contestant in played.people_of(section).values()
            ),
            plays=tuple(self._build_play(index, line) for index, line in plays),
            sit_outs=tuple(
                sit_out for section in played.sections for sit_out in self._sit_outs(section)
            ),
            penalties=tuple(
                replace(penalty, path=f"penalties[{place}]")
                for place, penalty in enumerate(penalties)
            ),
            matches=tuple(
                replace(match, index=index) for index, match in enumerate(self._build_matches())
            ),
            stage=drawing_stage(played),
        )

    def _build_matches(self) -> Iterator[model.Match]:
        """Yield the session's matches with the director's rulings."""
        for section in self.played.sections:
            if self.played.contest.has_halves:
                yield from add_carry_over(section, matches_of_teams(self.played, section))
            elif is_swiss_of_pairs(section):
                for match in matches_of_pairs(self.played, section):
                    yield self._ruled(section, match)

    def _ruled(self, section: Section, match: model.Match) -> model.Match:
        """Return a match of pairs after the director's ruling on it, if there is one."""
        if not self.played.match_rulings or match.away is None:
            return match
        home, away = (self.played.contestants[side].entry for side in match.sides)
        return ruled_match(self.played, section, match, home, {home, away})

    def _build_section(self, section: Section) -> model.Section:
        """Return a section as the data type of the scoring rules."""
        name = (
            None if self.played.session.same_deals or not self.played.has_several else section.name
        )
        return model.Section(section.name, _count_winning_lists(section), deals=name)

    def _contestant(self, section: Section, contestant: Contestant) -> model.Contestant:
        """Return a contestant as the scoring rules' data type, with its stratum, categories and handicap."""
        fields = self.played.scoring.classes.get(str(contestant.entry), {})
        stratum, handicap = fields.get("stratum", 0), fields.get("handicap")
        return model.Contestant(
            ContestantKey(section.name, contestant.slug),
            FIELDS[_count_winning_lists(section)].get(contestant.field, "all"),
            tuple(contestant.players),
            stratum=stratum if 0 < stratum <= self.strata else None,
            categories=tuple(fields.get("categories", ())),
            handicap=(Fraction(str(handicap)),) if handicap else (),
            left=Departure(contestant.left_after or 0, listed=True)
            if contestant.has_left
            else None,
        )

    def _build_play(self, index: int, line: PlayLine) -> Play:
        """Return a play with its outcome as the data type of the scoring rules."""
        owner = self.played.owner_of(line.section, line.board)
        is_lent = owner != line.section.name and not self.played.session.same_deals
        has_pairs = line.section.contest.has_halves and any(line.people)
        return Play(
            index,
            line.section.name,
            line.round,
            line.table,
            line.board,
            tuple(contestant.slug for contestant in line.ns),
            tuple(contestant.slug for contestant in line.ew),
            self._outcome_of_lost_board(line) if line.is_lost else line.parsed_outcome,
            self._pair(line, 0, 2) if has_pairs else None,
            self._pair(line, 1, 3) if has_pairs else None,
            " ".join(filter(None, (line.group, self._extra_board_group(line)))) or None,
            owner if is_lent else None,
        )

    def _outcome_of_lost_board(self, line: PlayLine) -> Outcome:
        """Return the outcome of a board that is not played because a contestant has left.

        A contestant that left for good counts as a leaver. If it came back, it has missed the board, like a late
        arrival. Partners of single players missed nothing, so all four count as sitting out.
        """
        away = [contestant for contestant in (*line.ns, *line.ew) if contestant.is_away(line.round)]
        if any(contestant.has_left for contestant in away):
            return None
        if line.section.contest.plays_alone:
            return NotPlayed("sit-out")
        return NotPlayed("missing", "ns" if line.ns[0] in away else "ew")

    def _extra_board_group(self, line: PlayLine) -> str:
        """Return a group name that keeps an extra board apart from other matches' boards of its number."""
        if not (line.section.extra_boards and self.played.has_same_cards(line.section)):
            return ""
        teams = (line.ns[0], line.ew[0])
        extra = line.section.extra_boards_of(line.round, [team.entry for team in teams])
        is_extra = any(line.board in boards for boards in extra)
        return "-".join(sorted(team.slug for team in teams)) if is_extra else ""

    def _pair(self, line: PlayLine, *chairs: int) -> str | None:
        """Return the name of the team's pair that sits in these chairs; the same if the players change seats."""
        names = [line.people[chair] for chair in chairs if line.people[chair]]
        return self._pair_labels.setdefault(frozenset(names), " & ".join(names)) if names else None

    @cached_property
    def _pair_labels(self) -> dict[frozenset[str], str]:
        """Return the cache of names of teams' pairs, by the set of players."""
        return {}

    def _sit_outs(self, section: Section) -> Iterator[SitOut]:
        """Yield the sit-outs of a section: contestants at a table without opponents, with the boards there."""
        by_entry = {
            contestant.entry: contestant for contestant in self.played.people_of(section).values()
        }
        waiting: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for play in self.played.plays_of(section):
            if (play.ns_id is None) == (play.ew_id is None):
                continue
            for contestant in contestants_of(
                by_entry, play.ns_id or play.ew_id, play.ns2_id or play.ew2_id
            ):
                waiting[play.round, contestant.slug].append(play.board)
        for round in range(section.round + 1, section.rounds + 1):
            for game in self.played.plans[section.pk].evening.games.get(round, ()):
                if not game.is_played:
                    for sitting in game.ns + game.ew:
                        waiting[round, sitting.contestant.slug] += game.boards
        lost: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
        for line in self.played.unplayable_lines:
            if line.section.pk == section.pk:
                for contestant in (*line.ns, *line.ew):
                    lost[line.round, contestant.slug].add(line.board)
        for (round, label), boards in sorted(waiting.items()):
            if planned := sorted(set(boards) - lost[round, label]):
                yield SitOut(ContestantKey(section.name, label), round, tuple(planned))

    def _build_penalty(self, penalty: Penalty) -> model.Penalty | None:
        """Return a penalty as the scoring rules' data type; None if its contestant no longer exists."""
        section = next(
            section for section in self.played.sections if section.pk == penalty.entry.section_id
        )
        people = self.played.people_of(section).values()
        penalized = next(
            (contestant for contestant in people if contestant.entry == penalty.entry_id), None
        )
        return (
            penalty_of(penalty, ContestantKey(section.name, penalized.slug)) if penalized else None
        )


def _count_winning_lists(section: Section) -> int:
    """Return how many rankings decide a section's winners: one, two (by direction) or four (by seat)."""
    fields = {field.name for field in section.stored.without_seatings.fields}
    return {2: 2, 4: 4}.get(len(fields), 1)
