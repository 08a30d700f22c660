"""The notes below a contestant's rounds: moves, sit-outs and line-ups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby, pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bridgebuddy.events.queries.plan.games import (
    Contestant,
    TableGame,
    TeamHalf,
    board_segments,
    board_text,
)
from movements.engine.descriptions.wording import tables_up
from movements.words.sentences import CHAIRS, LINES, table_count

from ..context import PrintJob, undrawn_rounds_sentence
from ..copies import copies_key
from ..layout import joined_with_and, round_numbers
from .guide_rows import CardRow

#: marks a table at which boards are turned
TURNED = "*"


def notes_for(job: PrintJob, contestant: Contestant, rows: list[CardRow]) -> Iterator[str]:
    """Yield the notes below a contestant's guide card: parts of rounds, sit-outs, arrow-switches and moves."""
    yield from (stint.sentence for stint in contestant.substitutes)
    if job.rovers.is_rover(contestant.number):
        yield _("You are the rover: you take the seats of other pairs, see your rover card.")
    else:
        yield from _moving_sentences(job, contestant)
    if halves := sorted({row.turn.round for row in rows if row.part}):
        yield split_rounds_sentence(halves)
    yield from _sit_outs(job, contestant, rows)
    yield from _turned_notes(job, contestant, rows)
    if job.evening.open_rounds:
        yield undrawn_rounds_sentence(job)
    shared = sorted(
        {
            row.turn.round
            for row in rows
            if row.game and job.plan.boards.tables_sharing_with(row.game)
        }
    )
    if shared:
        yield ngettext(
            "In round %(rounds)s another table has the same boards.",
            "In rounds %(rounds)s another table has the same boards.",
            len(shared),
        ) % {"rounds": round_numbers(shared)}
    lent = sorted(
        {row.turn.round for row in rows if row.game and job.plan.boards.borrowed_set(row.game)}
    )
    if lent:
        yield ngettext(
            "In round %(rounds)s your boards are on the stand of section %(letter)s.",
            "In rounds %(rounds)s your boards are on the stand of section %(letter)s.",
            len(lent),
        ) % {"rounds": round_numbers(lent), "letter": job.plan.boards.lender}
    if job.plan.boards.copies:
        yield copies_key(job)
    if job.break_sentence:
        yield job.break_sentence
    last = job.evening.rounds
    yield _("Round %(round)s is the last; it ends about %(time)s.") % {
        "round": last,
        "time": job.starts_at(last + 1),
    }


def split_rounds_sentence(rounds: list[int]) -> str:
    """Return the sentence that says which rounds are played in several parts."""
    return ngettext(
        "Round %(rounds)s has two halves: finish a, then play b.",
        "Rounds %(rounds)s have two halves: finish a, then play b.",
        len(rounds),
    ) % {"rounds": round_numbers(rounds)}


def _sit_outs(job: PrintJob, contestant: Contestant, rows: list[CardRow]) -> Iterator[str]:
    """Yield sentences on the rounds that the contestant sits out, and on the rover that takes its seat then."""
    lent: dict[str, list[str]] = {}
    for row in (row for row in rows if row.is_sit_out):
        taker = job.rovers.rover_displacing(contestant.number, row.turn.round, row.part)
        lent.setdefault(taker.label if taker else "", []).append(row.label)
    for rover, rounds in lent.items():
        words = {"rounds": _rounds_text(rounds), "rover": rover}
        if rover:
            say = ngettext(
                "You sit out in round %(rounds)s: the rover %(rover)s takes your seat.",
                "You sit out in rounds %(rounds)s: the rover %(rover)s takes your seat.",
                len(rounds),
            )
        else:
            say = ngettext(
                "You sit out in round %(rounds)s.", "You sit out in rounds %(rounds)s.", len(rounds)
            )
        yield say % words


def _turned_notes(job: PrintJob, contestant: Contestant, rows: list[CardRow]) -> Iterator[str]:
    """Yield the note that explains the star next to a table: which cards the pair holds on arrow-switched boards."""
    whole: defaultdict[str, list[str]] = defaultdict(list)
    for row in rows:
        turned = job.plan.turned_boards(row.game) if row.game else ()
        if row.game is None or not turned:
            continue
        other = str(LINES["ew" if row.game.side_of(contestant.number) == "ns" else "ns"])
        if len(turned) == len(row.game.boards):
            whole[other].append(row.label)
            continue
        words = {"round": row.label, "boards": board_text(turned), "other": other}
        say = _("Round %(round)s: turn %(boards)s, you hold the cards of %(other)s.")
        yield f"{TURNED} {say % words}"
    for other, rounds in whole.items():
        say = ngettext(
            "Round %(rounds)s: turn the boards, you hold the cards of %(other)s.",
            "Rounds %(rounds)s: turn the boards, you hold the cards of %(other)s.",
            len(rounds),
        )
        yield f"{TURNED} {say}" % {"rounds": _rounds_text(rounds), "other": other}


def _rounds_text(labels: list[str]) -> str:
    """Format round labels, whole rounds as ranges and parts one by one: "2–4", "1a and 5b"."""
    if all(label.isdecimal() for label in labels):
        return round_numbers([int(label) for label in labels])
    return joined_with_and(labels)


def _moving_sentences(job: PrintJob, contestant: Contestant) -> Iterator[str]:
    """Yield a sentence on the contestant's usual moves if they follow a simple rule."""
    seats = job.plan.people.seats.get(contestant.number, [])
    if len(seats) < 2:
        return
    if job.contest.has_halves:
        yield from _moving_sentences_of_halves(job, contestant)
        return
    chairs = {seat.chair for seat in seats}
    if len(chairs) != 1:
        yield _("Go where the list says: you change direction.")
        return
    line = CHAIRS[chairs.pop()]
    steps = {
        before.round: tables_up(before.table, after.table, job.movement.tables)
        for before, after in pairwise(seats)
        if after.round == before.round + 1
    }
    if not any(steps.values()):
        yield _("%(line)s: you keep your table.") % {"line": line}
        return
    rule, times = Counter(steps.values()).most_common(1)[0]
    others = {round: up for round, up in steps.items() if up != rule}
    if times < 2 or len(others) > 1 or rule == 0:
        yield _("%(line)s: go to the table the list says.") % {"line": line}
        return
    if rule > 0:
        say = _("%(line)s: move up %(tables)s after each round.")
    else:
        say = _("%(line)s: move down %(tables)s after each round.")
    yield say % {"line": line, "tables": table_count(abs(rule))}
    for round, up in others.items():
        if up > 0:
            say = _("After round %(round)s move up %(tables)s.")
        elif up < 0:
            say = _("After round %(round)s move down %(tables)s.")
        else:
            say = _("After round %(round)s stay where you are.")
        yield say % {"round": round, "tables": table_count(abs(up), loud=True)}


def _moving_sentences_of_halves(job: PrintJob, contestant: Contestant) -> Iterator[str]:
    """Yield sentences on a team's pairs: the home table of one, and the moves of the other."""
    home = {seat.table for seat in job.plan.people.seats_of_half(contestant.number, "ns")}
    if len(home) == 1:
        words = {
            "table": home.pop(),
            "half": _half_name(contestant, 0),
            "other": _half_name(contestant, 1),
        }
        if contestant.halves and not _has_line_up_change(job, contestant):
            yield (
                _(
                    "%(half)s: North-South at your home table %(table)s. %(other)s: East-West where the list says. You may exchange."
                )
                % words
            )
        else:
            yield (
                _(
                    "One half of the team plays North-South at your home table %(table)s all "
                    "evening; the other plays East-West where the list says."
                )
                % words
            )
    else:
        yield _("Both halves of the team go where the list says.")
    yield from _board_moving_sentences(_games_of_contestant(job, contestant))
    yield from _changing_line_ups(job, contestant)


def _games_of_contestant(job: PrintJob, contestant: Contestant) -> list[TableGame]:
    """Return all games of a contestant, in order."""
    return [game for turn in job.evening.schedule(contestant.number) for game in turn.games]


def _board_moving_sentences(games: list[TableGame]) -> Iterator[str]:
    """Yield sentences on passing boards at half-time in a team's matches, and in three-way matches."""
    match = next(
        (game for game in games if game.exchanges_with and len(game.boards_without_extension) > 1),
        None,
    )
    if match:
        low, high = (
            [
                board_text(x)
                for x in board_segments(
                    match.boards_without_extension, match.segments, begins_low=is_low
                )
            ]
            for is_low in (True, False)
        )
        if len(low) > 2:
            yield _(
                "The table with the lower number plays boards %(low)s, the other one %(high)s, in this order. Exchange them in the middle of each half."
            ) % {"low": ", ".join(low), "high": ", ".join(high)}
        else:
            yield _(
                "The table with the lower number begins with boards %(first)s, the other one with %(then)s; exchange them at half-time."
            ) % {"first": low[0], "then": high[0]}
    if triangles := sorted({game.round for game in games if game.boards_to}):
        yield ngettext(
            "The triangle begins in round %(rounds)s. After the first half the boards go to "
            "the home table of the East-West pair.",
            "Triangles begin in rounds %(rounds)s. After the first half the boards go to the "
            "home table of the East-West pair.",
            len(triangles),
        ) % {"rounds": round_numbers(triangles)}


def _line_ups(
    job: PrintJob, contestant: Contestant
) -> dict[int, tuple[tuple[TeamHalf, ...], tuple[TeamHalf, ...]]]:
    """Return a team's N-S and E-W pairs in every round, before and after half-time, by round."""
    by_round = {}
    for round in range(1, job.evening.rounds + 1):
        there = job.evening.contestant_in(contestant.number, round)
        by_round[round] = there.halves, there.then_halves
    return by_round


def _has_line_up_change(job: PrintJob, contestant: Contestant) -> bool:
    """Return whether a team's line-up changes during the session."""
    line_ups = set(_line_ups(job, contestant).values())
    return len(line_ups) > 1 or any(then for _halves, then in line_ups)


def _changing_line_ups(job: PrintJob, contestant: Contestant) -> Iterator[str]:
    """Yield a team's changing line-ups; consecutive rounds with the same one are joined."""
    if not contestant.halves or not _has_line_up_change(job, contestant):
        return
    line_ups = _line_ups(job, contestant)
    for (halves, then), group in groupby(line_ups, key=line_ups.__getitem__):
        rounds = list(group)
        words = {
            "rounds": round_numbers(rounds),
            "ns": _surnames_of_half(halves[0]),
            "ew": _surnames_of_half(halves[1]),
        }
        yield (
            ngettext(
                "Round %(rounds)s: %(ns)s North-South, %(ew)s East-West.",
                "Rounds %(rounds)s: %(ns)s North-South, %(ew)s East-West.",
                len(rounds),
            )
            % words
        )
        if then:
            words |= {"ns": _surnames_of_half(then[0]), "ew": _surnames_of_half(then[1])}
            yield (
                ngettext(
                    "Round %(rounds)s from half-time on: %(ns)s North-South, %(ew)s East-West.",
                    "Rounds %(rounds)s from half-time on: %(ns)s North-South, %(ew)s East-West.",
                    len(rounds),
                )
                % words
            )


def _surnames_of_half(half: TeamHalf) -> str:
    """Return the surnames of a team's pair."""
    return " & ".join(half.last_names)


def _half_name(contestant: Contestant, half: int) -> str:
    """Return the surnames of a team's first or second pair."""
    return " & ".join(contestant.halves[half].last_names) if contestant.halves else ""
