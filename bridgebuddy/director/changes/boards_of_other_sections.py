"""Boards of another section that a table played by mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from bridgebuddy.events.models import Section, Session
from bridgebuddy.scoring.models import ScoringSettings
from movements.engine.board_copies.borrowed_sets import borrowed_name, borrowed_set


def boards_by_owning_section(boards: Sequence[int], section: Section) -> dict[str, range]:
    """Return which sections own `boards`, as board sets of those sections; empty if a board has no owner."""
    others = list(section.session.sections.exclude(pk=section.pk).exclude(movement=None))
    owners = {
        board: other.name
        for other in reversed(others)
        for name, own in other.stored.numbers.items()
        for board in own
        if board in boards and not borrowed_set(name)
    }
    if len(owners) < len(set(boards)):
        return {}
    return {borrowed_name(owner, those): those for owner, those in _board_runs_by_owner(owners)}


def _board_runs_by_owner(owners: Mapping[int, str]) -> Iterator[tuple[str, range]]:
    """Yield runs of consecutive boards that the same section owns.

    >>> list(_board_runs_by_owner({20: "B", 21: "B", 23: "B", 24: "C"}))
    [('B', range(20, 22)), ('B', range(23, 24)), ('C', range(24, 25))]
    """

    def run_of_board(numbered_board: tuple[int, int]) -> tuple[str, int]:
        """Return a key that the boards of a run have in common."""
        place, board = numbered_board
        return owners[board], board - place

    for (owner, _), boards in groupby(enumerate(sorted(owners)), key=run_of_board):
        run = [board for _place, board in boards]
        yield owner, range(run[0], run[-1] + 1)


def owning_section(name: str) -> str:
    """Return the name of the section that owns a board set, read from the set's name."""
    owned = borrowed_set(name)
    return owned.owner if owned else ""


def is_compared_within_sections(session: Session) -> bool:
    """Return whether all sections play the same deals, but results are compared only within each."""
    scoring = ScoringSettings.objects.filter(session=session).first()
    is_apart = scoring is not None and scoring.profile.get("scope") == "section"
    return session.same_deals and is_apart
