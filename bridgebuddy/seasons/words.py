"""Sentences about a championship: its rule, its leaders, and the derivation of a value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from bridgebuddy.scoring.rules.rounding import round_half_away
from bridgebuddy.scoring.words import number_text

from .models import Championship
from .queries.championships import ChampionshipTable
from .queries.final_lists import FinalLine
from .rules import model as rules
from .rules.promotion import LevelTie
from .rules.totals import RULES, is_a_percentage

#: most equals named in a headline
MOST_NAMED = 3
#: decimals of a total, and the most if different totals would look equal
PLACES, MOST_PLACES = 2, 6
Counts, Ties = Championship.Counts, Championship.Ties
WHOLE = {Counts.WINS, Counts.EVENINGS}


def rule_text(championship: Championship) -> str:
    """Return a championship's rules in sentences: what counts, which sessions, handicaps and ties."""
    sentences = [
        _("%(who)s.") % {"who": capfirst(championship.get_of_display())},
        _counting_sessions_text(championship),
        _rule_text(championship),
        ""
        if championship.is_per_cent
        else _("By %(what)s.") % {"what": championship.get_counts_display()},
        _handicap_text(championship),
        _("From %(count)s boards on.") % {"count": championship.fewest_boards}
        if championship.fewest_boards
        else "",
        _("Players of a strength up to %(most)s.") % {"most": championship.most_strength}
        if championship.most_strength is not None
        else "",
        _("Members only.") if championship.has_members_only else "",
        _("Only: %(category)s.") % {"category": championship.category}
        if championship.category
        else "",
        _("Level: %(what)s.") % {"what": ties_text(championship)}
        if championship.ties or championship.then
        else "",
        _("In %(count)s groups.") % {"count": len(championship.groups)}
        if championship.groups
        else "",
    ]
    return " ".join(filter(None, sentences))


def ties_text(championship: Championship) -> str:
    """Return a sentence on how a championship orders equal totals."""
    named = [
        Ties(name).label for name in dict.fromkeys((championship.ties, championship.then)) if name
    ]
    first, *others = map(str, named)
    return _("%(first)s, then %(then)s") % {"first": first, "then": others[0]} if others else first


def day_text(day: date) -> str:
    """Format a day with its year."""
    # translators: a day with its year, see Django's date filter
    return date_format(day, pgettext("long date", "j F Y"))


def _counting_sessions_text(championship: Championship) -> str:
    """Return a sentence on which sessions count in a championship."""
    values = {"event": championship.event.name if championship.event else ""}
    if championship.is_by_hand:
        return _("Sessions ticked by hand.")
    facts = values | {
        "day": championship.get_weekday_display() if championship.weekday is not None else "",
        "since": day_text(championship.since) if championship.since else "",
        "until": day_text(championship.until) if championship.until else "",
    }
    has_day, has_event = championship.weekday is not None, championship.event is not None
    if championship.since and championship.until:
        words = (_("All sessions from %(since)s to %(until)s."),
                 _("Every %(day)s from %(since)s to %(until)s."),
                 _("Every session of %(event)s from %(since)s to %(until)s."))  # fmt: skip
    elif championship.since:
        words = (_("All sessions from %(since)s on."),
                 _("Every %(day)s from %(since)s on."),
                 _("Every session of %(event)s from %(since)s on."))  # fmt: skip
    elif championship.until:
        words = (_("All sessions to %(until)s."),
                 _("Every %(day)s to %(until)s."),
                 _("Every session of %(event)s to %(until)s."))  # fmt: skip
    else:
        words = (_("All sessions."), _("Every %(day)s."), _("Every session of %(event)s."))
    sentence = words[1 if has_day else 2 if has_event else 0] % facts
    only = _("Only sessions of %(event)s.") % values if has_day and has_event else ""
    return f"{sentence} {only}".rstrip()


def _handicap_text(championship: Championship) -> str:
    """Return a sentence on how a championship applies handicaps; empty without handicaps."""
    if not (championship.has_handicap and championship.is_per_cent):
        return ""
    return _("With the handicap of the start.") if championship.is_frozen else _("With handicap.")


def _rule_text(championship: Championship) -> str:
    """Return a sentence on how a championship adds up its values."""
    rule = RULES[championship.rule]
    sentence = rule.sentence_of_best if championship.best and rule.keeps_best else rule.sentence
    return _(sentence) % {
        "best": championship.best,
        "least": max(rule.fewest, championship.least or 1),
        "each": championship.each or 1,
    }


def season_headline(table: ChampionshipTable) -> str:
    """Return a sentence that names a championship's leaders or winners."""
    championship = table.championship
    first = [table.line_text(line.who) for line in table.leading_lines]
    if not first or len(first) > MOST_NAMED:
        return championship.name
    *most, last = first
    names = _("%(most)s and %(last)s") % {"most": ", ".join(most), "last": last} if most else last
    words = _("%(name)s: %(who)s won") if championship.is_final else _("%(name)s: %(who)s in front")
    return words % {"name": championship.name, "who": names}


def few_names(names: Sequence[str]) -> str:
    """Return the first of these names as text, with an ellipsis if there are more.

    >>> few_names(["A", "B", "C", "D"])
    'A, B, C, …'
    """
    return ", ".join([*names[:MOST_NAMED], *(["…"] if len(names) > MOST_NAMED else [])])


def total_text(championship: Championship, value: Fraction, places: int = PLACES) -> str:
    """Format a championship's total or value, rounded once; exact halves of a percentage away from 50."""
    if championship.counts in WHOLE and value.denominator == 1:
        places = 0
    middle = 50 if is_a_percentage(championship.counts, championship.rule) else 0
    return number_text(round_half_away(value, places, middle), places)


def distinct_totals(championship: Championship, totals: Sequence[Fraction]) -> list[str]:
    """Format totals in a list's order; those that differ and would look equal have up to six decimals."""
    places = decimals_of_totals(championship, totals)
    return [total_text(championship, total, places[total]) for total in totals]


def decimals_of_totals(
    championship: Championship, totals: Iterable[Fraction]
) -> dict[Fraction, int]:
    """Return the decimals of each total in a list: more than usual where it would look equal to another one."""
    alike: defaultdict[str, set[Fraction]] = defaultdict(set)
    for total in totals:
        alike[total_text(championship, total)].add(total)
    decimals: dict[Fraction, int] = {}
    for equals in alike.values():
        places = PLACES
        while places < MOST_PLACES and len(equals) > len(
            {total_text(championship, total, places) for total in equals}
        ):
            places += 1
        decimals |= dict.fromkeys(equals, places)
    return decimals


def masterpoints(points: Decimal) -> str:
    """Format masterpoints with the decimals of reports, and a typographic minus."""
    return number_text(Fraction(points), PLACES)


def total_unit(championship: Championship) -> str:
    """Return the unit to show after a championship's total."""
    return " %" if is_a_percentage(championship.counts, championship.rule) else ""


def not_counted(championship: Championship) -> str:
    """Return why a result does not count in a total by the championship's rule: "not among the best 7"."""
    reason = RULES[championship.rule].reason_omitted
    return _(reason) % {"best": championship.best} if reason else ""


def nothing_counted(
    championship: Championship, people: rules.People, line: FinalLine | None
) -> str:
    """Return why a session that the contestant `people` played gives them no value."""
    if line is None:
        return _("not there")
    if len(people) == 1 and people[0] not in line.counts_for:
        return _("counts for somebody else")
    if (
        championship.fewest_boards
        and line.boards is not None
        and line.boards < championship.fewest_boards
    ):
        return _("too few boards")
    return _("no per cent") if championship.is_per_cent else _("nothing to count")


def total_explanation(
    championship: Championship, line: rules.StandingLine, places: int = PLACES
) -> list[str]:
    """Return the calculation of a contestant's total with `places` decimals, step by step.

    It is empty if too few values count for a total.
    """
    if len(line.counted) < RULES[championship.rule].fewest:
        return []
    *steps, total = _calculation(championship, line.counted, line.total, places)
    return [*steps, f"= {total}{total_unit(championship)}"]


def rounding_sentence(
    championship: Championship, line: rules.StandingLine, places: int = PLACES
) -> str:
    """Return a sentence if the rounded values of an explanation do not give the sums shown; else an empty text."""
    middle = 50 if is_a_percentage(championship.counts, championship.rule) else 0
    rounded = [round_half_away(amount, places, middle) for amount in line.counted]
    if rounded == line.counted or len(rounded) < RULES[championship.rule].fewest:
        return ""
    total = RULES[championship.rule].total_of(rounded)
    shown = _calculation(championship, line.counted, line.total, places)
    if shown == _calculation(championship, rounded, total, places):
        return ""
    return _("Values are shown rounded; sums and total are computed from the exact ones.")


def _calculation(
    championship: Championship, amounts: list[Fraction], total: Fraction, places: int
) -> list[str]:
    """Return the steps of the championship's rule for these amounts, and the total, as texts."""
    text = partial(total_text, championship, places=places)
    return [*RULES[championship.rule].steps(amounts, text), text(total)]


def sessions_played(table: ChampionshipTable) -> str:
    """Return a sentence on how many sessions of a championship were played."""
    done, planned = len(table.sessions), table.championship.planned
    if planned:
        return _("After %(count)s of %(all)s sessions.") % {"count": done, "all": planned}
    return ngettext("After %(count)s session.", "After %(count)s sessions.", done) % {"count": done}


def group_sentences(table: ChampionshipTable) -> list[str]:
    """Return sentences on the changes between groups, and on ties at the borders."""
    championship, changes = table.championship, table.standings.promotion
    if changes is None:
        return []
    over = championship.change_over
    sentences = [
        ngettext(
            "At the end, %(count)s is promoted and %(count)s relegated between two groups. "
            "Anyone who has left or never played is removed, and so many fewer are relegated. "
            "Newcomers start in the last group.",
            "At the end, %(count)s are promoted and %(count)s relegated between two groups. "
            "Anyone who has left or never played is removed, and so many fewer are relegated. "
            "Newcomers start in the last group.",
            over,
        )
        % {"count": over}
        if over
        else _("There is no promotion or relegation between the groups.")
    ]
    sentences += [
        _border_text(upper, up) for upper, (up, _down) in enumerate(changes.borders) if up < over
    ]
    return sentences + [_level_text(table, level) for level in changes.level]


def _border_text(upper: int, up: int) -> str:
    """Return a sentence that fewer contestants than usual are promoted into group `upper`, and why."""
    facts = {"upper": group_name(upper), "lower": group_name(upper + 1), "count": up}
    if not up:
        return _("No promotion between %(upper)s and %(lower)s: a group is too small or has "
                 "too few ranked players.") % facts  # fmt: skip
    return (
        ngettext(
            "Only %(count)s is promoted between %(upper)s and %(lower)s: a group is too small "
            "or has too few ranked players.",
            "Only %(count)s are promoted between %(upper)s and %(lower)s: a group is too small "
            "or has too few ranked players.",
            up,
        )
        % facts
    )


def _level_text(table: ChampionshipTable, level: LevelTie) -> str:
    """Return a sentence on a tie at the border between two groups."""
    facts = {
        "group": group_name(level.group),
        "first": table.line_text(level.first),
        "second": table.line_text(level.second),
        "what": Ties(level.by).label if level.by else "",
    }
    if level.by:
        sentence = _(
            "At the border of group %(group)s, %(first)s and %(second)s are level. Tie-break: "
            "%(what)s. Ahead: %(first)s."
        )
    else:
        sentence = _(
            "At the border of group %(group)s, %(first)s and %(second)s are level in "
            "everything. %(first)s was higher when the groups were formed and is ahead."
        )
    return sentence % facts


def group_name(number: int) -> str:
    """Return the letter of a group, A being the highest."""
    return chr(ord("A") + number)


def signed_handicap(value: Fraction) -> str:
    """Format a handicap with its sign, without trailing zeros."""
    rounded = round_half_away(value, 2)
    text = number_text(rounded, 0 if rounded.denominator == 1 else 2)
    return f"+{text}" if rounded > 0 else text
