"""Plays: written when a round begins, and amended to what really happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.db.models import Prefetch
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Entry, EntryPerson, Play, Section
from bridgebuddy.events.queries.plan.games import first_half
from movements.engine import plays as engine
from movements.engine.boards import MatchBoards
from movements.engine.changes import Change, Proposal
from movements.engine.changes.change import amended_rounds
from movements.engine.model import Movement, players_of

SEATS = ("ns", "ns2", "ew", "ew2")
CHAIRS = ("north", "south", "east", "west")
#: fields of a play that may be amended afterwards; its place identifies it
AMENDED = ("parts", "turned", "shares_with", *SEATS, *CHAIRS)

#: tables of a match of two teams, and parts of a round played in halves
IN_HALVES = 2


class HistoryRewritten(RuntimeError):
    """Raised if a live change would alter a played round, which is a bug of the program."""


def write_plays(section: Section, round: int) -> None:
    """Create the `Play` rows of a round that begins, or restore those of an earlier, undone start.

    A round that has not been drawn has none.
    """
    _update_plays(section, [round])


def rewrite_plays(section: Section, from_round: int) -> None:
    """Update the `Play` rows of a round and later ones to the section's new movement.

    Call it when a contestant joins the current round, when a mistake is recorded, and when either is undone. Every
    unchanged play keeps its identity.
    """
    _update_plays(section, range(max(from_round, 1), section.round + 1))


def take_back_plays(section: Section, round: int) -> None:
    """Set the `Play` rows of a round aside, because it was started by mistake."""
    section.plays.filter(round=round, taken_back_at=None).update(taken_back_at=timezone.now())


def amend_people(section: Section, entry: Entry) -> None:
    """Update the players in an entry's plays after its line-up or substitutes have changed."""
    plays = [
        play
        for play in section.plays.filter(taken_back_at=None)
        if entry.pk in (play.ns_id, play.ns2_id, play.ew_id, play.ew2_id)
    ]
    _seat_people(section, plays)
    Play.objects.bulk_update(plays, CHAIRS)


def guard_history(proposal: Proposal, change: Change, rounds: int, numbers: Numbers) -> None:
    """Raise `HistoryRewritten` if a proposed movement would alter played rounds.

    A contestant may join the current round in an empty seat. A recorded mistake may differ in its own round.
    `numbers` are the boards of every set before and after the change.
    """
    before, after = numbers
    amended = amended_rounds(change, rounds)
    for round in range(1, rounds + 1):
        if round in amended:
            continue
        old = {
            play.renumbered(proposal.numbers)
            for play in _played_boards(proposal.before, round, before)
        }
        new = set(_played_boards(proposal.movement, round, after))
        if not old <= new or (old != new and round < proposal.from_round):
            raise HistoryRewritten(f"{proposal.kind} rewrites round {round}")


Numbers = tuple[Mapping[str, range], Mapping[str, range]]


def _played_boards(
    movement: Movement, round: int, numbers: Mapping[str, range]
) -> list[engine.BoardPlay]:
    """Return the games of a round that both sides play under a movement, board by board."""
    return [
        play for play in engine.plays_of(movement, round, numbers, MatchBoards(1)) if play.is_played
    ]


def _update_plays(section: Section, rounds: Iterable[int]) -> None:
    """Update the `Play` rows of these rounds to the section's movement."""
    rounds = list(rounds)
    if not rounds or section.movement is None:
        return
    planned = {_place_of(play): play for play in _planned_plays(section, rounds)}
    had = section.plays.filter(round__in=rounds)
    standing = {_place_of(play): play for play in had.filter(taken_back_at=None)}
    unchanged, moved = _match_plays(standing, planned)
    gone = [
        play for place, play in standing.items() if place not in unchanged and place not in moved
    ]
    for play in gone:
        play.taken_back_at = timezone.now()
    Play.objects.bulk_update(gone, ["taken_back_at"])
    amended = [_amend_play(standing[place], planned[place]) for place in unchanged]
    amended += [_amend_play(standing[old], planned[new]) for old, new in moved.items()]
    Play.objects.bulk_update([play for play in amended if play], ["board", *AMENDED])
    missing = [planned[place] for place in planned.keys() - unchanged - set(moved.values())]
    _restore_or_create_plays(had.exclude(taken_back_at=None), missing)


Place = tuple[int, int, int, int]


def _place_of(play: Play) -> Place:
    """Return the key of a play: round, table, part and board."""
    return play.round, play.table, play.part, play.board


def _is_played(play: Play) -> bool:
    """Return whether contestants sit on both sides of a play."""
    return play.ns_id is not None and play.ew_id is not None


def _match_plays(
    existing_plays: Mapping[Place, Play], planned_plays: Mapping[Place, Play]
) -> tuple[set[Place], dict[Place, Place]]:
    """Return which existing plays stay, and which become another board at the same table.

    A played board never becomes an unplayed one, nor the reverse.
    """
    unchanged = {
        place
        for place, play in existing_plays.items()
        if place in planned_plays and _is_played(play) == _is_played(planned_plays[place])
    }
    left: defaultdict[tuple[int, int, int], list[Place]] = defaultdict(list)
    for place in sorted(existing_plays.keys() - unchanged):
        left[place[:3]].append(place)
    moved = {}
    for new in sorted(planned_plays.keys() - existing_plays.keys()):
        olds = left[new[:3]]
        same = [
            old for old in olds if _is_played(existing_plays[old]) == _is_played(planned_plays[new])
        ]
        if same:
            moved[same[0]] = new
            olds.remove(same[0])
    return unchanged, moved


def _amend_play(play: Play, planned: Play) -> Play | None:
    """Set a play's fields to those of `planned`; return it if something differed, else None."""
    fields = ["board", *(f"{name}_id" if name in SEATS + CHAIRS else name for name in AMENDED)]
    if all(getattr(play, field) == getattr(planned, field) for field in fields):
        return None
    for field in fields:
        setattr(play, field, getattr(planned, field))
    return play


def _restore_or_create_plays(taken_back: Iterable[Play], missing_plays: Iterable[Play]) -> None:
    """Restore plays of an undone start with the same contestants, and create the missing ones."""
    aside = {(_place_of(play), *_seat_ids(play)): play for play in taken_back}
    back, new = [], []
    for play in missing_plays:
        old = aside.get((_place_of(play), *_seat_ids(play)))
        if old is None:
            new.append(play)
        else:
            _amend_play(old, play)
            old.taken_back_at = None
            back.append(old)
    Play.objects.bulk_update(back, ["taken_back_at", *AMENDED])
    Play.objects.bulk_create(sorted(new, key=_place_of))


def _seat_ids(play: Play) -> tuple[int | None, ...]:
    """Return the primary keys of the entries on both sides of a play."""
    return play.ns_id, play.ns2_id, play.ew_id, play.ew2_id


# ── plays of the movement ──


def planned_plays(section: Section, round: int) -> list[Play]:
    """Return unsaved plays of a round that has not begun, as the movement plans it."""
    return [play for play in _planned_plays(section, [round]) if _is_played(play)]


def _planned_plays(section: Section, rounds: Iterable[int]) -> list[Play]:
    """Return unsaved plays of these rounds, as the movement plans them."""
    stored, plain = section.movement, section.unswitched
    assert stored is not None
    entries = {entry.contestant: entry for entry in section.entries.exclude(contestant=None)}
    boards = section.boards_of_matches
    new_plays = []
    for round in rounds:
        shared = {
            (part.seating.table, part.index): stored.movement.shares_with(part.seating)
            for part in stored.movement.parts(round)
        }
        seated = {
            (line.table, line.board): line.ns
            for line in (engine.plays_of(plain.movement, round, plain.numbers) if plain else ())
        }
        usual = engine.plays_of(stored.movement, round, stored.numbers, boards)
        for line in (*usual, *_extra_board_plays(section, round, usual, entries)):
            play = Play(
                section=section,
                round=round,
                table=line.table,
                part=line.part,
                parts=line.parts,
                board=line.board,
                turned=seated.get((line.table, line.board), line.ns) != line.ns,
                shares_with=" ".join(map(str, shared.get((line.table, line.part), ()))),
            )
            for side, names in ((line.ns, ("ns", "ns2")), (line.ew, ("ew", "ew2"))):
                for name, number in zip(names, players_of(side), strict=False):
                    setattr(play, name, entries[number])
            new_plays.append(play)
    _seat_people(section, new_plays)
    return new_plays


def _extra_board_plays(
    section: Section,
    round: int,
    usual_plays: Iterable[engine.BoardPlay],
    entries: Mapping[int | None, Entry],
) -> Iterator[engine.BoardPlay]:
    """Yield unsaved plays of the boards that were added to tied team matches of a round."""
    if not any(board["round"] == round for board in section.extra_boards):
        return
    for _, lines in groupby(usual_plays, key=lambda line: (line.table, line.part)):
        last = list(lines)[-1]
        teams = [entries[number].pk for number in players_of(last.ns) + players_of(last.ew)]
        for boards in section.extra_boards_of(round, teams):
            for board in boards:
                yield replace(last, board=board)


def _seat_people(section: Section, plays: Sequence[Play]) -> None:
    """Set the players in the four seats of these plays.

    Pass all plays of a team's match, because they define its halves.
    """
    seat = _teams_in_chairs if section.contest.has_halves else _pairs_in_chairs
    for play, there in zip(plays, seat(section, plays), strict=True):
        chairs = [
            person for people in there for person in [*people, None, None][: section.contest.seats]
        ]
        for name, person in zip(CHAIRS, chairs, strict=True):
            setattr(play, name, person)


def _pairs_in_chairs(section: Section, plays: Iterable[Play]) -> Iterator[list[list[Person]]]:
    """Yield the players on each side of each play, for entries of pairs or single players."""
    people: defaultdict[int | None, list[EntryPerson]] = defaultdict(list)
    links = EntryPerson.objects.filter(section=section).select_related("person")
    for link in links.order_by("position", "from_round"):
        people[link.entry_id].append(link)
    for play in plays:
        yield [
            [link.person for link in people.get(key, ()) if link.holds_place_in(play.round)]
            for key in _seat_ids(play)[:: section.contest.seats]
        ]


def _teams_in_chairs(section: Section, plays: Sequence[Play]) -> Iterator[list[list[Person]]]:
    """Yield the players on each side of each play, by the teams' line-ups."""
    people = Prefetch("entry_people", EntryPerson.objects.select_related("person"))
    teams: dict[int | None, Entry] = {
        entry.pk: entry for entry in section.entries.prefetch_related(people)
    }
    halves = _halves_by_place(section, plays)
    for play in plays:
        yield [
            teams[key].halves_in(play.round, halves[_place_of(play)])[line] if key in teams else []
            for line, key in enumerate((play.ns_id, play.ew_id))
        ]


def _halves_by_place(section: Section, plays: Sequence[Play]) -> dict[Place, int]:
    """Return in which half of a team match each play takes place: 1 before half-time, 2 after it."""
    matches: defaultdict[tuple[int, int, frozenset[int | None]], list[Play]] = defaultdict(list)
    for play in plays:
        matches[play.round, play.part, frozenset((play.ns_id, play.ew_id))].append(play)
    if section.movement is None or not section.movement.is_draw:
        return {_place_of(play): 1 for play in plays}
    segments = section.boards_of_matches.segments
    halves = {}
    for match in matches.values():
        tables = sorted({play.table for play in match})
        teams = [key for key in _seat_ids(match[0]) if key is not None]
        extra = {
            board for boards in section.extra_boards_of(match[0].round, teams) for board in boards
        }
        for table in tables:
            here = [play for play in match if play.table == table]
            usual = sorted({play.board for play in here} - extra)
            first = first_half(usual, begins_low=table == tables[0], segments=segments)
            for play in here:
                half = play.part if play.parts == IN_HALVES else 1
                if len(tables) == IN_HALVES and play.parts == 1:
                    half = 1 if play.board in first else 2
                halves[_place_of(play)] = half
    return halves
