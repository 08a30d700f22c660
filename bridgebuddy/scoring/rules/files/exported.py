"""The data of exported files: the session, its results, and its owner."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property

from .. import model
from ..model import Contestant, Section, Session
from ..profile import Profile
from ..rankings.scores import handicap_of
from ..reports.pairs_in_teams import score_as_pairs
from ..reports.report import VALUE_PLACES, json_number
from ..reports.results import MatchResult, RankedLine, Ranking, Results, SideResult
from .lines import ContestantTotal, ResultLine, TeamPairImps, Who, names_of_pair, player_names

#: each list of a section has its own hundred: NS 3 is 103, EW 3 is 203
HUNDREDS = {"NS": 100, "EW": 200, "N": 100, "E": 200, "S": 300, "W": 400}
_DIGITS = re.compile(r"\d+$")

#: tricks by declarer and strain, and par's score from North-South
Optimum = tuple[Mapping[str, Mapping[str, int]], int]
#: a person's numbers: the federation's, and the club's
Numbers = tuple[str, str]
#: the name of the cards, and a board's number
Dealt = tuple[str, int]
A_MATCH = 2  # teams that only meet each other


class NotInThisFormat(ValueError):
    """Error: the file format cannot represent this kind of contest."""


@dataclass(frozen=True)
class FederationFields:
    """A session's data for a federation: the club's number, the charge code, and the masterpoint scale."""

    club: str = ""
    charge_code: str = ""
    scale: str = ""
    points_awarded: bool = False


@dataclass(frozen=True)
class TextFormat:
    """The form of text files for people: dates, directions, decimal separator; in English by default."""

    date: str = ""
    directions: Mapping[str, str] = field(
        default_factory=lambda: {"NS": "North-South", "EW": "East-West"}
    )
    separator: str = "."
    section: str = "Section"
    #: the unit of the result of several sessions together
    overall_unit: str = ""

    def number(self, number: float, places: int) -> str:
        """Format a number with `places` decimals and a typographic minus."""
        return f"{number:.{places}f}".replace(".", self.separator).replace("-", "−")


@dataclass(frozen=True)
class ExportedSession:
    """A session with its results in the form from which all file formats are written.

    `lists` are the rankings that decide the winners; `titles` maps teams to their names.
    """

    session: Session
    profile: Profile
    results: Results
    lists: tuple[Ranking, ...]
    club: str
    event: str
    date: date
    version: str
    titles: Mapping[Who, str]
    rounds: int
    #: the cards of each play, by its index in the session
    dealt: Sequence[Dealt]
    #: the known cards, as PBN writes them
    cards: Mapping[Dealt, str]
    is_swiss: bool = False
    is_provisional: bool = False
    #: each contestant's line in the ranking of all sessions together, if earlier ones are counted
    overall: Mapping[Who, RankedLine] = field(default_factory=dict)
    #: by name, for people with a number
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    asked: FederationFields = FederationFields()
    #: further lists: of strata, of categories and with handicap, for the same sections and fields
    more: tuple[Ranking, ...] = ()
    #: the optimum of the cards, if it is computed
    optimum: Mapping[Dealt, Optimum] = field(default_factory=dict)
    #: the format of the text for a messenger or a newspaper
    written: TextFormat = TextFormat()

    def group_name(self, ranking: Ranking) -> str:
        """Return the group that a ranking is of: empty for all, "stratum B", "category Juniors" or "handicap"."""
        if ranking.stratum is not None and self.profile.strata is not None:
            return f"stratum {self.profile.strata.names[ranking.stratum - 1]}"
        if ranking.category is not None:
            return f"category {ranking.category}"
        return "handicap" if ranking.handicap else ""

    def handicap(self, contestant: Who) -> float | None:
        """Return the handicap that was added to a contestant's percentage."""
        return json_number(handicap_of(self.people[contestant], self.profile) or Fraction(0))

    @property
    def contest(self) -> str:
        """Return the kind of contest: pairs, teams or individual."""
        return str(self.session.contest)

    @property
    def method(self) -> str:
        """Return the name of the scoring method."""
        return self.profile.method

    @cached_property
    def _shows_half_matchpoints(self) -> bool:
        """Return whether pages give one matchpoint for a beaten result and half a point for a tie."""
        return self.profile.is_per_cent and self.profile.half

    @property
    def scale(self) -> int:
        """Return the factor from matchpoints on pages to those in files: 2 if pages give 1 for a beaten result."""
        return 2 if self._shows_half_matchpoints else 1

    def points(self, side: SideResult) -> float | None:
        """Return a side's points on a play as files give them: two matchpoints for each result beaten."""
        if not self._shows_half_matchpoints or side.counted is None:
            return side.value
        return json_number(2 * side.counted, VALUE_PLACES, Fraction(str(side.top)))

    @property
    def sections(self) -> tuple[Section, ...]:
        """Return the sections of the session."""
        return self.session.sections

    @property
    def has_several(self) -> bool:
        """Return whether the session has more than one section."""
        return len(self.sections) > 1

    @property
    def winners(self) -> int:
        """Return how many winners a section has at most: 1, 2 (N-S and E-W) or 4 (one per seat)."""
        return max((section.winners for section in self.sections), default=1)

    def contestants(self, section: str | None = None) -> list[Contestant]:
        """Return the contestants of a section or of all, in the order of the ranking if there is one."""
        order = {key: place for place, key in enumerate(self.rows)}
        listed = [
            contestant
            for contestant in self.session.contestants
            if section is None or contestant.who.section == section
        ]
        return sorted(listed, key=lambda contestant: order.get(contestant.who, len(order)))

    @cached_property
    def rows(self) -> dict[Who, RankedLine]:
        """Return the ranking row of each contestant, by section and label."""
        return {row.contestant_key: row for ranking in self.lists for row in ranking.rows}

    def published_row(self, row: RankedLine) -> RankedLine:
        """Return a contestant's published ranking row: over all sessions if earlier ones count, else of this one."""
        return self.overall.get(row.contestant_key, row)

    def published_rows(self, ranking: Ranking) -> list[RankedLine]:
        """Return the published rows of a ranking in their order; rows of this session alone come last."""
        order = {key: place for place, key in enumerate(self.overall)}
        rows = map(self.published_row, ranking.rows)
        return sorted(rows, key=lambda row: order.get(row.contestant_key, len(order)))

    @cached_property
    def people(self) -> dict[Who, Contestant]:
        """Return all contestants (pairs, teams or players), by section and label."""
        return {contestant.who: contestant for contestant in self.session.contestants}

    def number(self, section: str, label: str) -> str:
        """Return a contestant's number, unique in the section.

        With several lists, pairs are numbered in hundreds.
        """
        digits = _DIGITS.search(label)
        if not digits:
            return label
        one = self.people.get((section, label))
        return str(HUNDREDS.get(one.field if one else "", 0) + int(digits[0]))

    def number_in_event(self, section: str, label: str) -> str:
        """Return a contestant's number, unique in the event, for files without sections.

        The second section has numbers from 1001 on, the third from 2001 on.
        """
        number = self.number(section, label)
        place = [section.name for section in self.sections].index(section)
        is_without_sections = self.is_in_matches or self.contest == "individual"
        if not (place and is_without_sections and number.isdecimal()):
            return number
        return str(1000 * place + int(number))

    @property
    def is_in_matches(self) -> bool:
        """Return whether contestants play matches: always in teams, and pairs in a Swiss."""
        return self.contest == "teams" or self.is_swiss

    def contestant_name(self, contestant: Who) -> str:
        """Return a team's name, or the players' names."""
        return self.titles.get(contestant) or " & ".join(player_names(self.people[contestant]))

    def title(self, section: str, label: str) -> str:
        """Return a team's name, or a pair's or player's number."""
        return self.titles.get((section, label)) or self.name(section, label)

    @property
    def is_in_vps(self) -> bool:
        """Return whether the ranking is by victory points."""
        return self.profile.makes_vps and bool(self.matches)

    def name(self, section: str, label: str) -> str:
        """Return a contestant's label, with its section if there are several."""
        return f"{section}{label}" if self.has_several else label

    @cached_property
    def lines(self) -> list[ResultLine]:
        """Return every play in which a side has a score, in the session's order."""
        return [
            ResultLine(play, row)
            for play, row in zip(self.session.plays, self.results.plays, strict=True)
            if row.has_value
        ]

    def boards(self, section: str | None = None) -> dict[int, list[ResultLine]]:
        """Return the plays of each board, by board number, of a section or of all."""
        lines_by_board: dict[int, list[ResultLine]] = {}
        for line in self.lines:
            if section is None or line.section == section:
                lines_by_board.setdefault(line.board, []).append(line)
        return dict(sorted(lines_by_board.items()))

    @property
    def boards_played(self) -> int:
        """Return the number of boards of the session; in matches, the most that a contestant has played."""
        if self.matches:
            return max((row.boards for row in self.rows.values()), default=0)
        return len(self.boards())

    @cached_property
    def games(self) -> list[ExportedBoard]:
        """Return all deals, each with all its plays, in the order of play.

        Matches with their own cards are ordered by round and table.
        """
        lines_by_deal: dict[Dealt, list[ResultLine]] = {}
        for line in self.lines:
            lines_by_deal.setdefault(self.dealt[line.play.index], []).append(line)
        games = [ExportedBoard(self, dealt, tuple(lines)) for dealt, lines in lines_by_deal.items()]
        return sorted(games, key=lambda game: game.sort_key)

    @cached_property
    def matches(self) -> list[tuple[model.Match, MatchResult]]:
        """Return the matches with two sides, each with its document and its result."""
        session_matches = self.session.matches
        return [
            (session_matches[match.match], match)
            for match in self.results.matches
            if match.away is not None
        ]

    def lines_of(self, match: model.Match) -> list[ResultLine]:
        """Return the plays of a match: of its two sides, on its boards, in its rounds."""
        return [
            line
            for line in self.lines
            if line.section == match.section
            and {*line.sitting("ns"), *line.sitting("ew")} == {match.home, match.away}
            and line.board in match.boards
            and line.round in match.all_rounds
        ]

    def total_of(self, row: RankedLine) -> ContestantTotal:
        """Return a ranked contestant's total as files give it, on the scale of `points`."""
        total, fine = row.exact_total or Fraction(0), Fraction(str(row.penalty or 0))
        top = Fraction(str(row.top)) if row.percent is not None and row.top else Fraction(0)
        scale = 1 if row.top is None else self.scale  # victory points are never halves
        return ContestantTotal(scale * total, scale * fine, scale * top / 2, row.percent)

    @cached_property
    def pair_values(self) -> dict[int, tuple[Fraction | None, Fraction | None]]:
        """Return the cross-IMPs of the teams' pairs (N-S, E-W) on each play, by the play's index."""
        profile = replace(self.profile, pairs_method="cross-imps")
        return dict(score_as_pairs(self.session, profile).values)

    def pair_number(self, line: ResultLine, name: str) -> str:
        """Return the number of a team's pair: "3-1-2" for players 1 and 2 in the list of team 3."""
        label = line.pair(name)
        if not label:
            return ""
        [team] = line.sitting(name)
        names = self.people[line.section, team].names
        seats = [str(names.index(name) + 1) for name in names_of_pair(label) if name in names]
        return "-".join([self.number_in_event(line.section, team), *sorted(seats, key=int)])

    def pairs_of_team(self, team: Contestant) -> list[TeamPairImps]:
        """Return the pairs that have played for a team."""
        boards_by_pair: dict[str, list[tuple[str, Fraction | None]]] = {}
        for line in self.lines:
            for place, name in enumerate(("ns", "ew")):
                label = line.pair(name)
                if label and (line.section, *line.sitting(name)) == team.who:
                    value = self.pair_values.get(line.play.index, (None, None))[place]
                    boards_by_pair.setdefault(self.pair_number(line, name), []).append(
                        (label, value)
                    )
        return [
            TeamPairImps(
                number,
                names_of_pair(boards_of_pair[0][0]),
                [v for _, v in boards_of_pair if v is not None],
            )
            for number, boards_of_pair in sorted(boards_by_pair.items())
        ]

    @cached_property
    def wins(self) -> dict[Who, float]:
        """Return how many matches each team has won, a draw counting half; empty without teams."""
        return {
            row.contestant_key: row.wins + row.draws / 2
            for row in self.results.last_standings
            if self.contest == "teams"
        }


@dataclass(frozen=True)
class ExportedBoard:
    """A board of one deal with all its plays, for a file."""

    exported: ExportedSession
    dealt: Dealt
    lines: tuple[ResultLine, ...]

    @property
    def board(self) -> int:
        """Return the board number."""
        return self.dealt[1]

    @property
    def cards_in_pbn(self) -> str:
        """Return the hands as PBN; empty if unknown."""
        return self.exported.cards.get(self.dealt, "")

    @property
    def optimum(self) -> Optimum | None:
        """Return the double-dummy tricks and par; None if they have not been calculated."""
        return self.exported.optimum.get(self.dealt)

    @property
    def sections(self) -> set[str]:
        """Return the sections that played the board."""
        return {line.section for line in self.lines}

    @property
    def section(self) -> str | None:
        """Return the section whose deal it is; None if all sections play the same deal or there is only one."""
        is_own = self.exported.has_several and len(self.sections) == 1
        return self.lines[0].section if is_own and self.dealt[0] else None

    @property
    def round(self) -> str:
        """Return the round of the deal as text ("3-4" for a match over two); empty if it moved between tables."""
        rounds = sorted({line.round for line in self.lines})
        if len(rounds) > 1 and not self.teams:
            return ""
        return "-".join(str(fromkey) for fromkey in dict.fromkeys((rounds[0], rounds[-1])))

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """Return the teams of the deal's only match, home first; empty if others played it too."""
        sides = {
            contestant
            for line in self.lines
            for contestant in (*line.sitting("ns"), *line.sitting("ew"))
        }
        if self.exported.contest != "teams" or len(sides) != A_MATCH:
            return ()
        for match, _ in self.exported.matches:
            if match.section in self.sections and match.away and {match.home, match.away} == sides:
                return match.home, match.away
        return ()

    @property
    def sort_key(self) -> tuple[int | str, ...]:
        """Return the key by which deals are ordered in a file."""
        first = self.lines[0]
        if not self.exported.matches or not self.round:
            return (self.section or "", 0, 0, self.board)
        table = min(line.table for line in self.lines) if self.teams else 0
        return (first.section if self.exported.has_several else "", first.round, table, self.board)
