"""A large club's rating: of what it was worked out from last, where only a few sessions are others now."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import chain, islice

from ..models import RatingKept
from ..queries.final_lists import lines_of
from ..queries.ratings import ToRate, fields_of
from ..rules.linear import Matrix
from ..rules.moved import Moved, Together, together
from ..rules.rating import Played, Rating

Fields = list[list[Played]]
Sessions = dict[str, tuple[str, Fields]]
"""By session the state of its list, and its fields of play."""

#: so many sessions may be others: each costs a tenth of what all cost
FEW = 5
#: after so many all is worked out from nothing, so that what was rounded does not add up
MOST = 100


def worked_out(wanted: ToRate) -> dict[str, Rating]:
    """Return everybody's rating, and keep what it was made of."""
    kept, _ = RatingKept.objects.get_or_create(club=wanted.club)
    before = _sessions_of(kept)
    states = {str(one.session): one.state for one in wanted.finals}
    same = {key for key, (state, _) in before.items() if states.get(key) == state}
    lines = lines_of(one for one in wanted.finals if str(one.session) not in same)
    now: Sessions = {
        key: before[key] if key in same else (state, list(fields_of(lines[int(key)])))
        for key, state in states.items()
    }
    come = [fields for key, (_, fields) in now.items() if key not in same]
    gone = [fields for key, (_, fields) in before.items() if key not in same]
    changes = len(come) + len(gone)
    fields = list(chain.from_iterable(fields for _, fields in now.values()))
    if changes <= FEW and kept.changes + changes <= MOST:
        all_come, all_gone = chain.from_iterable(come), chain.from_iterable(gone)
        known = _together_of(kept).moved(all_come, all_gone)
        changes += kept.changes
    else:
        known, changes = together(fields), 0
    found = Moved(fields, known)
    _keep(kept, now, found.together, changes)
    return found.all()


def forget(club: int) -> None:
    """Keep nothing: somebody of a club is another one now."""
    RatingKept.objects.filter(club=club).delete()


def _sessions_of(kept: RatingKept) -> Sessions:
    return {
        key: (state, [[Played(tuple(who), *had) for who, *had in field] for field in fields])
        for key, (state, fields) in json.loads(kept.sessions).items()
    }


def _together_of(kept: RatingKept) -> Together:
    people = json.loads(kept.people)
    numbers = array("d", bytes(kept.inverse))
    found: Matrix = [[0.0] * len(people) for _ in people]
    each = iter(numbers)
    for at, line in enumerate(found):
        line[: at + 1] = islice(each, at + 1)
        for to in range(at):
            found[to][at] = line[to]
    return Together(people, found)


def _keep(kept: RatingKept, sessions: Sessions, known: Together, changes: int) -> None:
    """Keep it where the row is still there: whoever was merged meanwhile has taken it away."""
    numbers = array("d")
    for at, line in enumerate(known.inverse):
        numbers.extend(line[: at + 1])
    RatingKept.objects.filter(pk=kept.pk).update(
        sessions=json.dumps({key: _plainly(*one) for key, one in sessions.items()}),
        people=json.dumps(known.people),
        inverse=numbers.tobytes(),
        changes=changes,
    )


def _plainly(state: str, fields: Sequence[Sequence[Played]]) -> list[object]:
    return [state, [[[one.who, one.percentage, one.boards] for one in each] for each in fields]]
