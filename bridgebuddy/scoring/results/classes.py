"""Columns and lists beside a ranking: strata, handicaps, categories and masterpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from ..rules import model
from ..rules.rankings.masterpoints import RankedPlayer, list_awards, masterpoint_scale
from ..rules.rankings.scores import PLACES, handicap_of
from ..rules.rounding import rounded_number
from ..snapshot.counted import RankedContestant, RankingList
from ..words import number_text
from .scored import ScoredSession

Who = tuple[str, str]


@dataclass(frozen=True)
class ExtraRankingColumn:
    """An additional column of a ranking, such as the place in a stratum: its cells by section and label."""

    title: str
    cells: dict[Who, str | Fraction]
    #: True if phones show it too, because the line does not add up without it
    stays: bool = False

    def cell_of(self, ranked_contestant: RankedContestant) -> str | Fraction:
        """Return the cell of a ranked contestant; empty without one."""
        return self.cells.get((ranked_contestant.section, ranked_contestant.contestant.slug), "")


def class_columns(scored: ScoredSession, ranking: RankingList) -> list[ExtraRankingColumn]:
    """Return the additional columns of a ranking: the place in each stratum, masterpoints, the handicap."""
    if ranking.stratum is not None:
        return []
    if ranking.handicap:
        return [ExtraRankingColumn(_("Handicap"), _handicaps_of_list(scored, ranking), stays=True)]
    columns = []
    if ranking.category is None and not ranking.handicap:
        names = strata_of(scored)
        for number, name in enumerate(names, 1):
            places = _places_in_stratum(scored, ranking, number)
            if places:
                columns.append(ExtraRankingColumn(name, places))
        if scored.tonight.scoring.masterpoints and not scored.is_provisional:
            points = ExtraRankingColumn(
                _("Masterpoints"), dict(awarded_masterpoints(scored, ranking))
            )
            columns += [points] if points.cells else []
    return columns


def _handicaps_of_list(scored: ScoredSession, ranking: RankingList) -> dict[Who, str | Fraction]:
    """Return the handicap added to each contestant's percentage in a ranking, as text with its sign."""
    handicaps = {
        contestant.who: handicap_of(contestant, scored.profile)
        for contestant in scored.document.session.contestants
    }
    cells: dict[Who, str | Fraction] = {}
    for standing in ranking.standings:
        number = rounded_number(
            handicaps.get(model.ContestantKey(*standing.contestant_key)) or Fraction(0), PLACES
        )
        cells[standing.section, standing.contestant.slug] = (
            f"{'+' if number > 0 else ''}{number_text(number, PLACES)}"
        )
    return cells


def strata_of(scored: ScoredSession) -> Sequence[str]:
    """Return the names of the strata, the highest first."""
    return scored.profile.strata.names if scored.profile.strata else ()


def _places_in_stratum(
    scored: ScoredSession, ranking: RankingList, stratum: int
) -> dict[Who, str | Fraction]:
    """Return the place of each contestant in a stratum."""
    for other_ranking in scored.lists:
        if (other_ranking.section, other_ranking.field, other_ranking.stratum) == (
            ranking.section,
            ranking.field,
            stratum,
        ):
            return {
                (each.section, each.contestant.slug): each.place
                for each in other_ranking.standings
                if each.place
            }
    return {}


def awarded_masterpoints(scored: ScoredSession, ranking: RankingList) -> dict[Who, Fraction]:
    """Return the masterpoints of each contestant in a ranking, by section and label."""
    scale = masterpoint_scale(scored.tonight.scoring.masterpoints)
    lists = [
        other_ranking
        for other_ranking in scored.main_lists
        if other_ranking.section == ranking.section
    ]
    # a contestant that plays no board, because the session was shortened, makes no table
    sat_out = _count_sit_outs(scored)
    everybody = sum(
        not _sits_out_always(standing, sat_out)
        for ranking in lists
        for standing in ranking.standings
    )
    seats = scored.tonight.contest.contestants_per_table
    ranked = [
        RankedPlayer(
            int(standing.place.rstrip("=")) if standing.place else None,
            _share_of_boards(
                standing, sat_out.get((standing.section, standing.contestant.slug), 0)
            ),
        )
        for standing in ranking.standings
    ]
    amounts = list_awards(
        ranked,
        scale,
        tables=-(-everybody // seats),
        boards=max((standing.row.due for standing in ranking.standings), default=0),
        lists=len(lists),
        contest=scored.tonight.contest,
        full=everybody // seats,
        is_third=scored.tonight.contest.has_halves or scored.method == "butler",
    )
    return {
        (standing.section, standing.contestant.slug): award
        for standing, award in zip(ranking.standings, amounts, strict=True)
        if award is not None
    }


def _sits_out_always(ranked_contestant: RankedContestant, sat_out: Mapping[Who, int]) -> bool:
    """Return whether a ranked contestant sat out all of the session's boards."""
    boards_out = sat_out.get((ranked_contestant.section, ranked_contestant.contestant.slug), 0)
    return 0 < ranked_contestant.row.due <= boards_out


def _count_sit_outs(scored: ScoredSession) -> dict[Who, int]:
    """Return the number of boards that each contestant sat out, by section and label."""
    numbers: dict[Who, int] = {}
    for out in scored.document.session.sit_outs:
        numbers[out.who] = numbers.get(out.who, 0) + len(out.boards)
    return numbers


def _share_of_boards(ranked_contestant: RankedContestant, sat_out: int) -> Fraction:
    """Return the share of the session's boards that a ranked contestant has played or sat out."""
    due = ranked_contestant.row.due
    return Fraction(min(due, ranked_contestant.row.boards + sat_out), due) if due else Fraction(0)


def additional_rankings(scored: ScoredSession) -> list[tuple[str, RankingList]]:
    """Return the additional rankings (strata, categories, handicap), each with its title.

    Handicaps are in per cent, so there is no such list without percentages.
    """
    has_handicap = not scored.is_in_points
    keys = {(ranking.section, ranking.field) for ranking in scored.main_lists}
    return [
        (ranking.category or _("With handicap"), ranking)
        for ranking in scored.lists
        if (ranking.section, ranking.field) in keys
        and (ranking.category or (ranking.handicap and has_handicap))
        and ranking.standings
    ]
