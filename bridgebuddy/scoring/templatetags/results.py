"""Results in templates: outcomes, signed scores, and rounded numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.rules.contract_notation import ContractLetters, format_result_text
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from ..closing import closing_sentence
from ..explaining import own_average_sentence
from ..field_words import field_text
from ..match_words import unit_of_totals
from ..results.classes import ExtraRankingColumn, class_columns
from ..results.figures import FirstLine, first_line
from ..results.league import TeamStanding
from ..results.scored import ScoredSession, SideScore
from ..results.sheet_stages import SheetEntry, SheetStage
from ..results.sheets import SheetRow
from ..rules.rounding import rounded_number
from ..snapshot.counted import CountedResults, RankedContestant, RankingList
from ..snapshot.lines import PlayLine
from ..winners import list_state_sentence, missing_results_text
from ..words import (
    METHODS,
    award_text,
    card_html,
    contract_html,
    number_text,
    opening_lead,
    outcome_html,
    rank_text,
    seat_letter,
    signed_score,
)
from ..words import suit_shape as draw_suit

register = template.Library()

register.filter("closing", closing_sentence)
register.filter(list_state_sentence)
register.filter(missing_results_text)
register.filter(first_line)
register.filter("contract", contract_html)
register.filter("card", card_html)
register.filter("ranks", lambda ranks: " ".join(map(rank_text, ranks)))

EXAMPLES = (
    {"contract": "4H", "declarer": "S", "tricks": 10},
    {"contract": "3NT", "declarer": "W", "tricks": 8},
    {"contract": "5Cx", "declarer": "E", "tricks": 9},
)


@register.filter
def result_examples(letters: ContractLetters) -> list[tuple[str, dict[str, Any]]]:
    """Template filter: example results as players type them in a language, each with its outcome."""
    return [(format_result_text(outcome, letters), outcome) for outcome in EXAMPLES]


register.filter("beyond", lambda every, shown: len(every) - len(shown))
register.filter("is_in", lambda line: is_outcome_known(line.outcome))


@register.filter
def outcome(outcome: Any, scored: CountedResults | None = None) -> SafeString:
    """Format the outcome of a play as HTML; adjusted scores are shown in the session's unit."""
    return outcome_html(outcome, in_imps=_is_in_imps(scored))


#: averages as keys, if a board's value is a percentage
PERCENTAGES = {"AVE+": "60", "AVE": "50", "AVE-": "40"}


@register.filter
def award_key(award: str, scored: CountedResults) -> str:
    """Format an artificial award for a key of the keypad: "60"; in IMPs "average plus"."""
    if award in ("fixed", "none"):
        return str(_("other")) if award == "fixed" else award_text(None)
    return PERCENTAGES[award] if scored.is_per_cent else award_text(award)


@register.filter
def awards_button_text(outcome: Any, scored: CountedResults) -> SafeString:
    """Template filter: both sides' artificial awards as the label of a button: "60 % and 40 %"."""
    named = (outcome or {}).get("artificial", {})
    sides = [PERCENTAGES.get(named.get(side)) for side in ("ns", "ew")]
    if scored.is_per_cent and all(sides):
        return format_html(
            "{}", _("%(ns)s %% and %(ew)s %%") % dict(zip(("ns", "ew"), sides, strict=True))
        )
    return outcome_html(outcome, in_imps=not scored.is_per_cent)


@register.filter
def printed_outcome_html(outcome: Any, scored: CountedResults | None = None) -> SafeString:
    """Template filter: the outcome of a play as HTML for print, where suit symbols need their own colour."""
    return outcome_html(outcome, filled=True, in_imps=_is_in_imps(scored))


def _is_in_imps(scored: CountedResults | None) -> bool:
    """Return whether scores are IMPs or points instead of percentages."""
    return scored is not None and not scored.is_per_cent


@register.filter
def unplayed_reason(line: PlayLine) -> str:
    """Template filter: the reason why a board was not played, such as "EW 3 left"."""
    gone = [contestant.label for contestant in (*line.ns, *line.ew) if contestant.has_left]
    return _("%(who)s left") % {"who": ", ".join(gone)} if gone else _("not played")


@register.filter
def ruling_reason(line: PlayLine, scored: ScoredSession) -> str:
    """Template filter: return the reason of the ruling on a play as the reader may read it."""
    return scored.tonight.reason_for_reader(line)


@register.filter
def void_reason(line: PlayLine, scored: ScoredSession) -> str:
    """Template filter: why a result counts for nobody, "does not count: EW 3 left"; empty if it counts."""
    leavers = scored.early_leavers_at(line)
    labels = ", ".join(contestant.label for contestant in leavers)
    return _("does not count: %(who)s left") % {"who": labels} if leavers else ""


@register.filter
def void_reason_of_stage(stage: SheetStage, scored: ScoredSession) -> str:
    """Template filter: return why boards of a sheet's round count for nobody; empty if all count."""
    reasons = (void_reason(entry.line, scored) for entry in stage.entries)
    return next(filter(None, reasons), "")


@register.filter
def own_outcome_html(entry: SheetEntry, scored: CountedResults) -> SafeString:
    """Template filter: the outcome of a board on a contestant's own score sheet, with only its own award."""
    if entry.line.is_lost:
        return format_html("{}", unplayed_reason(entry.line))
    award = (entry.outcome or {}).get("artificial")
    if award is None:
        return printed_outcome_html(entry.outcome)
    return format_html("{}", award_text(award[entry.sits], in_imps=not scored.is_per_cent))


@register.filter
def printed_lead_html(outcome: Any) -> SafeString:
    """Template filter: the opening lead as HTML for print, with a drawn suit symbol; empty if unknown."""
    lead = opening_lead(outcome)
    return card_html(lead, filled=True) if lead else SafeString("")


@register.filter
def suit_mark(suit: str) -> SafeString:
    """Return the HTML drawing of a suit that carries its own colour, for print too."""
    return draw_suit(suit, filled=True)


register.filter("seat_letter", seat_letter)


@register.filter
def field_of(lines: Iterable[PlayLine | SheetRow]) -> SafeString:
    """Template filter: a sentence that sums up all results of a board."""
    result_lines = [line.line if isinstance(line, SheetRow) else line for line in lines]
    return field_text(line.outcome for line in result_lines)


@register.filter
def value_at_table(values: dict[int, Any], table: int) -> Any:
    """Template filter: the value for a table number in a dictionary."""
    return values.get(table)


@register.filter
def lookup(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Template filter: the value under a key in a dictionary, for keys that template syntax cannot express."""
    return mapping.get(key)


@register.filter
def penalty_remark(contestant: tuple[str, str], scored: CountedResults) -> str:
    """Template filter: "with a penalty" or "with a bonus" for a contestant that has one; empty for others."""
    if contestant not in scored.fined:
        return ""
    return str(_("with a penalty") if scored.fined[contestant] else _("with a bonus"))


@register.filter
def departure_text(row: RankedContestant | TeamStanding) -> str:
    """Template filter: "left after round 3" for a contestant that has left; empty for others."""
    contestant = row.contestant if isinstance(row, RankedContestant) else row.team
    return (
        _("left after round %(round)s") % {"round": contestant.left_after}
        if contestant.has_left
        else ""
    )


@register.filter
def extra_ranking_columns(ranking: RankingList, scored: ScoredSession) -> list[ExtraRankingColumn]:
    """Return the additional columns of a ranking: the place in each stratum, masterpoints, the handicap."""
    return class_columns(scored, ranking)


#: characters of names in a list beside another: so many in small type, more without their points, and so many that
#: even a single name may have to break
SMALL, ALONE, HUGE = 29, 34, 70


@register.filter
def width_of_names(standings: Sequence[RankedContestant]) -> str:
    """Template filter: CSS classes that save width in a ranking with long names, so that no name wraps."""
    longest = max(
        (len(" & ".join(standing.contestant.full_names)) for standing in standings), default=0
    )
    sizes = (("small", SMALL), ("alone", ALONE), ("huge", HUGE))
    return " ".join(name for name, least in sizes if longest > least)


@register.filter
def section_code_of(ranked_contestant: RankedContestant, tonight: SessionSnapshot) -> str:
    """Template filter: the code of the section in which a ranked contestant plays."""
    return next(
        (section.code for section in tonight.sections if section.name == ranked_contestant.section),
        "",
    )


@register.filter
def cell(column: ExtraRankingColumn, ranked_contestant: RankedContestant) -> str:
    """Format a ranked contestant's cell of an additional column."""
    value = column.cell_of(ranked_contestant)
    return value if isinstance(value, str) else places(value)


@register.filter
def score(points: int | None) -> str:
    """Template filter: a bridge score with its sign ("+420"); empty for None."""
    return "" if points is None else signed_score(points)


@register.filter
def places(number: float | Fraction | None, maximum: int = 2) -> str:
    """Template filter: a number with `maximum` decimals, an exact half rounded away from 0; empty for None."""
    return "" if number is None else number_text(rounded_number(number, maximum), maximum)


@register.filter
def percent(number: float | Fraction | None, maximum: int = 2) -> str:
    """Format a percentage with a given number of decimals.

    An exact half is rounded away from 50, so that both sides add up to 100.
    """
    return "" if number is None else number_text(rounded_number(number, maximum, 50), maximum)


@register.filter
def first_line_text(line: FirstLine, scored: CountedResults) -> str:
    """Template filter: a contestant's place and score as first declared final: "place 3, 55.95 %"."""
    if scored.is_in_points:
        figure = total(line.value, scored)
    else:
        figure = f"{percent(line.value)} %" if line.value is not None else ""
    place = _("place %(place)s") % {"place": line.place} if line.place else _("without a place")
    return ", ".join(filter(None, [place, figure]))


@register.filter
def signed_difference(number: float) -> str:
    """Template filter: the difference between two tables' results with its sign and one decimal."""
    rounded_value = rounded_number(number, 1)
    return (
        f"+{number_text(rounded_value, 1)}" if rounded_value > 0 else number_text(rounded_value, 1)
    )


@register.filter
def points(number: float | Fraction | None, top: float | None = None) -> str:
    """Format matchpoints or IMPs as short as possible: as a whole number, or with two decimals.

    With a top, an exact half is rounded away from the average, so that both sides add up to the top.
    """
    if number is None:
        return ""
    rounded_value = rounded_number(number, 2, Fraction(str(top or 0)) / 2)
    return number_text(rounded_value, 0 if rounded_value.denominator == 1 else 2)


@register.filter
def total(number: float | Fraction | None, scored: CountedResults) -> str:
    """Format a contestant's total with the decimals that all totals of the session have."""
    return places(number, scored.total_places)


@register.filter
def value(number: float | Fraction | None, scored: CountedResults) -> str:
    """Format a side's score on a board with the decimals that all boards of the session have."""
    return places(number, scored.value_places)


@register.simple_tag
def value_of(number: float | None, scored: CountedResults, top: float | None = None) -> str:
    """Format a score on a board as `value` does; with a top, an exact half is rounded away from average."""
    if number is None:
        return ""
    most = scored.value_places
    return number_text(rounded_number(number, most, Fraction(str(top or 0)) / 2), most)


@register.filter
def overall(ranked_contestant: RankedContestant, scored: CountedResults) -> str:
    """Format the overall result of several sessions, as a percentage or points."""
    if scored.is_overall_in_points:
        return total(ranked_contestant.row.overall, scored)
    return percent(ranked_contestant.row.overall)


@register.filter
def overall_unit(scored: CountedResults) -> str:
    """Return the unit of the overall result of several sessions; empty for plain points."""
    if not scored.is_overall_in_points:
        return "%"
    if not scored.is_in_points:
        return _("MP")
    unit = unit_of_totals(scored.method, has_vps=scored.is_in_victory_points)
    return "" if unit == _("Total") else unit


@register.filter
def own_session_result(ranked_contestant: RankedContestant, scored: CountedResults) -> str:
    """Template filter: a contestant's result in this session alone: "57.65 %", "52 VP", or the total."""
    number = number_alone(ranked_contestant, scored)
    if _has_percent(ranked_contestant, scored):
        return f"{number} %"
    return _("%(number)s VP") % {"number": number} if scored.is_in_victory_points else number


def number_alone(ranked_contestant: RankedContestant, scored: CountedResults) -> str:
    """Format a contestant's result in this session alone, without its unit."""
    if _has_percent(ranked_contestant, scored):
        return percent(ranked_contestant.row.percent)
    return total(ranked_contestant.row.total, scored)


def _has_percent(ranked_contestant: RankedContestant, scored: CountedResults) -> bool:
    """Return whether a ranked contestant's result is a percentage."""
    return not scored.is_in_points and ranked_contestant.row.percent is not None


@register.filter
def worth_of_side(side: SideScore, scored: CountedResults) -> str:
    """Format a side's score on a board with its unit: "60.0 %", or points."""
    if scored.is_per_cent and side.percent is not None:
        return f"{percent(side.percent, 1)} %"
    return points(side.points) or "–"


@register.filter
def own_average(side: SideScore, scored: CountedResults) -> str:
    """Return why an artificial score is the contestant's own average; empty if it is the usual value."""
    return own_average_sentence(side.row, scored.profile)


@register.filter
def result_and_place(ranked_contestant: RankedContestant, scored: CountedResults) -> str:
    """Template filter: a ranked contestant's result and place: "58.76 %, place 2"."""
    if ranked_contestant.deciding_number == "overall":
        number = f"{overall(ranked_contestant, scored)} {overall_unit(scored)}".rstrip()
    else:
        number = own_session_result(ranked_contestant, scored)
    if not ranked_contestant.place:
        return number
    return _("%(number)s, place %(place)s") % {"number": number, "place": ranked_contestant.place}


#: share of a board from which a bar is green, and up to which it is red
MUCH, LITTLE = 80, 20


@register.filter
def percentage_bar(number: float | Fraction | None) -> SafeString:
    """Template filter: an HTML bar as long as a percentage; empty for None."""
    if number is None:
        return SafeString("")
    kind = "much" if number >= MUCH else "little" if number <= LITTLE else ""
    return format_html(
        '<svg class="bar {}" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="bg" width="100" height="12"/><rect width="{}" height="12"/></svg>',
        kind,
        str(round(number)),
    )


@register.filter
def board_unit(scored: CountedResults) -> str:
    """Return the unit of scores on boards, for the heading of a score sheet."""
    if scored.is_per_cent:
        return "%"
    return str(_("Points") if scored.method == "aggregate" else _("IMPs"))


@register.filter
def method_name(method: str) -> str:
    """Return the translated name of a scoring method."""
    return str(METHODS[method])
