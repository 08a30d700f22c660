"""The results that a departure would cost: those that would count for nobody (White Book 2.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from bridgebuddy.events.queries.plan.games import Contestant

from ..rules.counted_plays import CountedPlay, counted_plays
from ..rules.model import ContestantKey, Departure, NotPlayed, PassedOut, Play, Session
from ..snapshot.lines import PlayLine
from ..snapshot.session_snapshot import SessionSnapshot

#: a planned encounter: round, board and the contestants at the table
Encounter = tuple[int, int, tuple[Contestant, ...]]


def results_voided_by_leaving(
    tonight: SessionSnapshot,
    leavers: Collection[Contestant],
    after: int,
    to_come: Iterable[Encounter],
) -> list[PlayLine]:
    """Return the plays up to round `after` that count for nobody if `leavers` of the page's section leave then.

    `to_come` are the encounters of the later rounds without them. Results still missing count as entered.
    """
    section = tonight.section
    mine = [line for line in tonight.lines if line.section.pk == section.pk]
    gone = {ContestantKey(section.name, leaver.slug) for leaver in leavers}
    past = [line for line in mine if line.round <= after]
    missed = [line for line in mine if line.round > after and gone & _keys_of_line(line)]
    encounters = [(line.round, line.board, line.ns + line.ew) for line in past]
    lost = _lost_indexes(missed, [*encounters, *to_come], {leaver.slug for leaver in leavers})
    session = tonight.session_only_document.session
    past_indexes = {line.index for line in past}
    missed_indexes = {line.index for line in missed} - lost

    def supposed_play(play: Play) -> Play:
        """Return a play as it will count: missing results as entered, boards that others play as not due."""
        if play.index in missed_indexes:
            return replace(play, outcome=NotPlayed("sit-out"))
        is_missing = play.index in past_indexes and play.outcome is None
        return replace(play, outcome=PassedOut()) if is_missing else play

    before = replace(session, plays=tuple(map(supposed_play, session.plays)))
    may_stand = tonight.session_only_document.profile.leavers == "stand"
    counted = counted_plays(before, may_stand=may_stand)
    without = counted_plays(_without_contestants(before, gone, after), may_stand=may_stand)
    return [
        line for line in past if _counts(counted[line.index]) and not _counts(without[line.index])
    ]


def _counts(play: CountedPlay) -> bool:
    """Return whether a play has a result that counts."""
    return play.fate in ("scored", "artificial")


def _keys_of_line(line: PlayLine) -> set[ContestantKey]:
    """Return the keys of the contestants at the table of a play."""
    return {ContestantKey(line.section.name, contestant.slug) for contestant in line.ns + line.ew}


def _lost_indexes(
    missed: Iterable[PlayLine], encounters: Iterable[Encounter], gone: Collection[str]
) -> set[int]:
    """Return the indexes of the missed plays whose other contestants play nothing instead, as in 0017."""
    busy: set[tuple[str, int]] = set()
    boards: set[tuple[str, int]] = set()
    for round, board, people in encounters:
        busy |= {(person.slug, round) for person in people}
        boards |= {(person.slug, board) for person in people}
    return {
        line.index
        for line in missed
        if not any(
            (other.slug, line.round) in busy or (other.slug, line.board) in boards
            for other in line.ns + line.ew
            if other.slug not in gone
        )
    }


def _without_contestants(session: Session, gone: set[ContestantKey], after: int) -> Session:
    """Return a session in which these contestants have left after a round."""
    contestants = (
        replace(contestant, left=Departure(after, listed=True))
        if contestant.who in gone
        else contestant
        for contestant in session.contestants
    )
    return replace(session, contestants=tuple(contestants))
