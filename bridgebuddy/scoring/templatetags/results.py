"""Results in templates: what came of a play, scores with their sign, numbers to so many places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ..closing import closing
from ..field_words import field_text
from ..queries.classes import Column, columns
from ..queries.coming_in import is_in
from ..queries.counted import Counted, RankingList, Standing
from ..queries.figures import has_new_figures
from ..queries.league import TeamStanding
from ..queries.lines import Line
from ..queries.scored import Scored, Side
from ..queries.sheets import Entry, Row
from ..queries.tonight import Tonight
from ..rules.rounding import rounded
from ..rules.slips import Letters, write_slip
from ..words import (
    METHODS,
    award_text,
    card_html,
    contract_html,
    lead_of,
    outcome_html,
    rank,
    seat_letter,
    signed,
    written,
)
from ..words import suit as draw_suit

register = template.Library()

register.filter("closing", closing)
register.filter(has_new_figures)
register.filter("contract", contract_html)
register.filter("card", card_html)
register.filter("ranks", lambda ranks: " ".join(map(rank, ranks)))

EXAMPLES = (
    {"contract": "4H", "declarer": "S", "tricks": 10},
    {"contract": "3NT", "declarer": "W", "tricks": 8},
    {"contract": "5Cx", "declarer": "E", "tricks": 9},
)


@register.filter
def examples(letters: Letters) -> list[tuple[str, dict[str, Any]]]:
    """Return lines as they are typed in a language, with what they say."""
    return [(write_slip(outcome, letters), outcome) for outcome in EXAMPLES]


register.filter("beyond", lambda every, shown: len(every) - len(shown))
register.filter("is_in", lambda line: is_in(line.outcome))


@register.filter
def outcome(outcome: Any, scored: Counted | None = None) -> SafeString:
    """Write what came of a play; numbers a director has given in the unit of the session."""
    return outcome_html(outcome, in_imps=_in_imps(scored))


#: averages as keys, where a board is worth a percentage
PERCENTAGES = {"AVE+": "60", "AVE": "50", "AVE-": "40"}


@register.filter
def award_key(award: str, scored: Counted) -> str:
    """Write what a side may be given on a key: "60"; in IMPs "average plus"."""
    if award in ("fixed", "none"):
        return str(_("other")) if award == "fixed" else award_text(None)
    return PERCENTAGES[award] if scored.is_per_cent else award_text(award)


@register.filter
def given(outcome: Any, scored: Counted) -> SafeString:
    """Write what a director gives, as short as a button wants it: "60 % and 40 %"."""
    named = (outcome or {}).get("artificial", {})
    sides = [PERCENTAGES.get(named.get(side)) for side in ("ns", "ew")]
    if scored.is_per_cent and all(sides):
        return format_html(
            "{}", _("%(ns)s %% and %(ew)s %%") % dict(zip(("ns", "ew"), sides, strict=True))
        )
    return outcome_html(outcome, in_imps=not scored.is_per_cent)


@register.filter
def drawn(outcome: Any, scored: Counted | None = None) -> SafeString:
    """Write what came of a play for paper, where a drawing has its own colour."""
    return outcome_html(outcome, filled=True, in_imps=_in_imps(scored))


def _in_imps(scored: Counted | None) -> bool:
    return scored is not None and not scored.is_per_cent


@register.filter
def lost(line: Line) -> str:
    """Say why nobody could play a board any more: "EW 3 left"."""
    gone = [contestant.label for contestant in (*line.ns, *line.ew) if contestant.has_left]
    return _("%(who)s left") % {"who": ", ".join(gone)} if gone else _("not played")


@register.filter
def own(entry: Entry, scored: Counted) -> SafeString:
    """Write what came of a board for the paper of whoever sat there: of averages their own alone."""
    if entry.line.is_lost:
        return format_html("{}", lost(entry.line))
    award = (entry.outcome or {}).get("artificial")
    if award is None:
        return drawn(entry.outcome)
    return format_html("{}", award_text(award[entry.sits], in_imps=not scored.is_per_cent))


@register.filter
def drawn_lead(outcome: Any) -> SafeString:
    """Write the card that was led for paper; nothing where it is not known."""
    lead = lead_of(outcome)
    return card_html(lead, filled=True) if lead else SafeString("")


@register.filter
def suit_mark(suit: str) -> SafeString:
    """Draw a suit; its own colour shows it on paper too."""
    return draw_suit(suit, filled=True)


register.filter("seat_letter", seat_letter)


@register.filter
def field_of(lines: Iterable[Line | Row]) -> SafeString:
    """Say what the field did with a board: of lines, or of a traveller's rows."""
    found = [line.line if isinstance(line, Row) else line for line in lines]
    return field_text(line.outcome for line in found)


@register.filter
def at_table(found: dict[int, Any], table: int) -> Any:
    """Return what there is for a table."""
    return found.get(table)


@register.filter
def of_key(found: Mapping[Any, Any], key: Any) -> Any:
    """Return what a table has under a key that no address could say."""
    return found.get(key)


@register.filter
def fined(who: tuple[str, str], scored: Counted) -> str:
    """Say whether somebody has had a penalty or a bonus; nothing of what it was for."""
    if who not in scored.fined:
        return ""
    return str(_("with a penalty") if scored.fined[who] else _("with a bonus"))


@register.filter
def gone(one: Standing | TeamStanding) -> str:
    """Say after which round somebody has left; nothing of who is still there."""
    who = one.contestant if isinstance(one, Standing) else one.team
    return _("left after round %(round)s") % {"round": who.left_after} if who.has_left else ""


@register.filter
def columns_of(ranking: RankingList, scored: Scored) -> list[Column]:
    """Return what a list has beside: the place in each stratum, masterpoints."""
    return columns(scored, ranking)


#: letters of names in a list beside another one: so many in small type, more without their points, and
#: so many that even one name may have to break
SMALL, ALONE, HUGE = 29, 34, 70


@register.filter
def width_of_names(standings: Sequence[Standing]) -> str:
    """Say what a list gives up so that no name in it breaks: size, then the column of points."""
    longest = max(
        (len(" & ".join(standing.contestant.full_names)) for standing in standings), default=0
    )
    sizes = (("small", SMALL), ("alone", ALONE), ("huge", HUGE))
    return " ".join(name for name, least in sizes if longest > least)


@register.filter
def code_of(standing: Standing, tonight: Tonight) -> str:
    """Return the code of the section somebody played in."""
    return next(
        (section.code for section in tonight.sections if section.name == standing.section), ""
    )


@register.filter
def cell(column: Column, standing: Standing) -> str:
    """Write what somebody has in a column."""
    found = column.of(standing)
    return found if isinstance(found, str) else places(found)


@register.filter
def score(points: int | None) -> str:
    """Write a score with its sign; nothing where there is none."""
    return "" if points is None else signed(points)


@register.filter
def places(number: float | Fraction | None, most: int = 2) -> str:
    """Write a number to so many places, an exact half away from 0; nothing where there is none."""
    return "" if number is None else written(rounded(number, most), most)


@register.filter
def percent(number: float | Fraction | None, most: int = 2) -> str:
    """Write a percentage to so many places, an exact half away from 50, so that both sides' add to 100."""
    return "" if number is None else written(rounded(number, most, 50), most)


@register.filter
def swing(number: float) -> str:
    """Write what somebody has more or less, to one place, with its sign."""
    shown = rounded(number, 1)
    return f"+{written(shown, 1)}" if shown > 0 else written(shown, 1)


@register.filter
def points(number: float | Fraction | None, top: float | None = None) -> str:
    """Write a sum of points as short as it is: whole, or to its two places.

    Of points of a top an exact half goes away from the average, so that both sides' make the top.
    """
    if number is None:
        return ""
    shown = rounded(number, 2, Fraction(str(top or 0)) / 2)
    return written(shown, 0 if shown.denominator == 1 else 2)


@register.filter
def total(number: float | Fraction | None, scored: Counted) -> str:
    """Write a total with as many decimals as every other total of the session."""
    return places(number, scored.total_places)


@register.filter
def value(number: float | Fraction | None, scored: Counted) -> str:
    """Write what a side has of a board with as many decimals as everybody has of every board."""
    return places(number, scored.value_places)


@register.simple_tag
def value_of(number: float | None, scored: Counted, top: float | None = None) -> str:
    """Write what a score is worth as `value` does; of a top an exact half goes away from the average."""
    if number is None:
        return ""
    most = scored.value_places
    return written(rounded(number, most, Fraction(str(top or 0)) / 2), most)


@register.filter
def overall(standing: Standing, scored: Counted) -> str:
    """Write what somebody has of all sessions together, a percentage or points."""
    if scored.is_overall_in_points:
        return total(standing.row.overall, scored)
    return percent(standing.row.overall)


@register.filter
def alone(standing: Standing, scored: Counted) -> str:
    """Write what somebody has of this session: "57.65 %", "52 VP", or their total."""
    number = number_alone(standing, scored)
    if _has_percent(standing, scored):
        return f"{number} %"
    return _("%(number)s VP") % {"number": number} if scored.is_in_victory_points else number


def number_alone(standing: Standing, scored: Counted) -> str:
    """Write the same without its unit."""
    if _has_percent(standing, scored):
        return percent(standing.row.percent)
    return total(standing.row.total, scored)


def _has_percent(standing: Standing, scored: Counted) -> bool:
    return not scored.is_in_points and standing.row.percent is not None


@register.filter
def worth_of_side(side: Side, scored: Counted) -> str:
    """Write what a side has of a board: "60.0 %", or points."""
    if scored.is_per_cent and side.percent is not None:
        return f"{percent(side.percent, 1)} %"
    return points(side.points) or "–"


@register.filter
def stands(standing: Standing, scored: Counted) -> str:
    """Write where somebody stands: "58.76 %, place 2"."""
    if standing.decides == "overall":
        unit = "" if scored.is_overall_in_points else " %"
        number = f"{overall(standing, scored)}{unit}"
    else:
        number = alone(standing, scored)
    if not standing.place:
        return number
    return _("%(number)s, place %(place)s") % {"number": number, "place": standing.place}


#: from which share of a board a bar is green, and up to which it is red
MUCH, LITTLE = 80, 20


@register.filter
def bar(number: float | Fraction | None) -> SafeString:
    """Draw a share as a bar beside its number; nothing where there is none."""
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
def board_unit(scored: Counted) -> str:
    """Return in what boards are counted on sheets."""
    if scored.is_per_cent:
        return "%"
    return str(_("Points") if scored.method == "aggregate" else _("IMPs"))


@register.filter
def method_name(method: str) -> str:
    """Return what a method of scoring is called."""
    return str(METHODS[method])
