"""The words of the session review: luck of the draw, times, rulings, and a suggestion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.lateness import SessionTimes
from bridgebuddy.events.queries.plan.games import board_text
from bridgebuddy.planning.next_session import NextSessionAdvice
from bridgebuddy.planning.rules.chart import MovementChoice
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.templatetags.results import signed_difference
from bridgebuddy.seasons.queries.luck import LuckRow
from bridgebuddy.seasons.rules.luck import LuckShare
from movements.words.sentences import family_title

#: smaller values are left out: they would read 0.0
LEAST = 0.05
#: minutes that still count as on time
ON_TIME = 2


def luck_explanation(row: LuckRow) -> str:
    """Return sentences on a contestant's luck in the review: its largest parts, and rounds sat out."""
    told = [
        _luck_share_pattern(share)
        % {"names": other.surnames, "brought": signed_difference(share.brought)}
        for other, share in row.shares
    ]
    if abs(row.luck.turned) >= LEAST:
        told.append(
            _("turned boards (%(brought)s)") % {"brought": signed_difference(row.luck.turned)}
        )
    if row.sat_out:
        told.append(
            ngettext(
                "sat out in round %(rounds)s", "sat out in rounds %(rounds)s", len(row.sat_out)
            )
            % {"rounds": board_text(row.sat_out)}
        )
    return " · ".join(told)


def _luck_share_pattern(share: LuckShare) -> str:
    """Return the sentence pattern for opponents that a contestant met, or was compared with, more or less."""
    if share.is_at_the_table and not share.is_met:
        return _("not met: %(names)s (%(brought)s)")
    if share.is_at_the_table:
        more, less = _("met more: %(names)s (%(brought)s)"), _("met less: %(names)s (%(brought)s)")
    else:
        more = _("compared more with %(names)s (%(brought)s)")
        less = _("compared less with %(names)s (%(brought)s)")
    return more if share.is_more else less


def time_sentences(times: SessionTimes) -> Iterator[str]:
    """Yield sentences on the session's end, a late start and rounds that took too long."""
    words = {"time": localtime(times.ended).strftime("%H:%M"), "minutes": abs(times.late)}
    if times.is_cut:
        cut = {"rounds": times.rounds, "planned": times.planned_rounds}
        yield _("Ended at %(time)s, after %(rounds)s of %(planned)s rounds") % {**words, **cut}
    elif abs(times.late) < ON_TIME:
        yield _("Ended at %(time)s, as planned") % words
    elif times.late > 0:
        yield _("Ended at %(time)s, %(minutes)s minutes after the plan") % words
    else:
        yield _("Ended at %(time)s, %(minutes)s minutes before the plan") % words
    if times.began_late >= ON_TIME:
        yield _("Began %(minutes)s minutes late") % {"minutes": times.began_late}
    over = [(minutes, round) for round, minutes in times.over if minutes >= ON_TIME]
    if over:
        minutes, round = max(over, key=lambda item: (item[0], -item[1]))
        yield ngettext(
            "Round %(round)s ran over by %(minutes)s minutes",
            "%(count)s rounds ran over, round %(round)s the most: by %(minutes)s minutes",
            len(over),
        ) % {"round": round, "minutes": minutes, "count": len(over)}


def ruling_sentences(scored: ScoredSession) -> Iterator[str]:
    """Yield sentences that count the director's rulings, with their boards."""
    boards = defaultdict[str, list[int]](list)
    for line in scored.tonight.lines:
        for kind in line.outcome or ():
            boards[kind].append(line.board)
    if numbers := boards["artificial"]:
        yield _text_with_boards(
            numbers,
            ngettext("%(count)s artificial score", "%(count)s artificial scores", len(numbers)),
        )
    if numbers := boards["assigned"]:
        yield _text_with_boards(
            numbers, ngettext("%(count)s assigned score", "%(count)s assigned scores", len(numbers))
        )
    if count := len(scored.document.session.penalties):
        yield ngettext("%(count)s penalty", "%(count)s penalties", count) % {"count": count}


def _text_with_boards(boards: list[int], text: str) -> str:
    """Return a text followed by the boards that it is about."""
    return _("%(what)s (board %(boards)s)") % {
        "what": text % {"count": len(boards)},
        "boards": board_text(tuple(sorted(set(boards)))),
    }


def chart_choice(after: NextSessionAdvice) -> str:
    """Return the chart's movement for the next session of this size as text."""
    line = after.line
    return _("With %(pairs)s pairs the chart says: %(choice)s") % {
        "pairs": line.pairs,
        "choice": _movement_choice_text(line.choice),
    }


def suggestion_sentence(after: NextSessionAdvice) -> str:
    """Return the sentence that suggests an improvement for the next session; empty if none."""
    suggestion = after.to_try
    if suggestion is None:
        return ""
    if suggestion.kind == "fairer":
        return _("Worth trying: %(choice)s. Fairer, %(after)s of 100 instead of %(before)s") % {
            "choice": _movement_choice_text(suggestion.choice),
            "after": suggestion.after,
            "before": suggestion.before,
        }
    return _("Worth trying: %(choice)s. It ends about %(minutes)s minutes sooner") % {
        "choice": _movement_choice_text(suggestion.choice),
        "minutes": suggestion.minutes,
    }


def _movement_choice_text(choice: MovementChoice) -> str:
    """Return a movement with rounds and boards a round as text."""
    return _("%(movement)s, %(rounds)s × %(boards)s") % {
        "movement": family_title(choice.family),
        "rounds": choice.rounds,
        "boards": choice.boards,
    }
