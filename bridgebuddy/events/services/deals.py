"""Board numbers if sections play different deals: each continues after the section before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from movements.engine.borrowed_sets import borrowed
from movements.models import StoredMovement
from movements.services import store

from ..models import Section, SectionMovement
from .locking import lock_later
from .recording import note_decision
from .stored_movements import begin_with

Numbers = Mapping[str, range]


def deals_from(section: Section, numbers: Numbers) -> dict[str, range]:
    """Return the board numbers of every set for the section, from those that begin with 1.

    They follow those of the sections before it. If a section in play already has these boards, they follow those of
    all others.
    """
    others = _others(section)
    before = [other for other in others if other.pk < section.pk]
    numbers_of_deals = _moved(numbers, _last(before))
    playing = {board for other in others if other.is_started for board in _boards(other)}
    if playing & {board for boards in numbers_of_deals.values() for board in boards}:
        numbers_of_deals = _moved(numbers, _last(others))
    return numbers_of_deals


def last_deal(section: Section) -> int:
    """Return the highest board of other sections, if their deals differ; otherwise 0."""
    return _last(_others(section))


def renumber_later(section: Section) -> None:
    """Renumber the boards of the sections after a locked one that have not begun."""
    if section.session.same_deals:
        return
    for later in lock_later(section):
        if renumber(later):
            note_decision(later, "section.boards", by=None, first=_first(later))


def renumber(section: Section) -> bool:
    """Renumber the boards of a locked section. Return whether the numbers changed.

    All seats stay.
    """
    stored, plain = section.movement, section.unswitched
    if stored is None or section.is_started or not stored.boards:
        return False
    numbers = deals_from(section, _moved(stored.numbers, 1 - _first(section)))
    if numbers == stored.numbers:
        return False
    begin_with(section, _with(stored, numbers), plain and _with(plain, _like(plain, numbers)))
    SectionMovement.objects.filter(section=section).update(seats=section.seats())
    return True


def _with(stored: StoredMovement, numbers: Numbers) -> StoredMovement:
    return store(stored.movement, numbers=numbers)


def _like(stored: StoredMovement, numbers: Numbers) -> dict[str, range]:
    """Return the boards of another movement of the section, shifted by as much."""
    first = min(boards[0] for boards in numbers.values())
    by = first - min(boards[0] for boards in stored.numbers.values())
    return _moved(stored.numbers, by)


def _others(section: Section) -> list[Section]:
    """Return the other sections of the session that have boards of their own."""
    if section.session.same_deals:
        return []
    others = Section.objects.filter(session=section.session_id).exclude(pk=section.pk)
    return list(others.select_related("movement").order_by("pk"))


def _moved(numbers: Numbers, by: int) -> dict[str, range]:
    return {name: range(boards[0] + by, boards[-1] + 1 + by) for name, boards in numbers.items()}


def _boards(section: Section) -> Iterable[int]:
    """Return the section's own boards, without those it got from others by mistake."""
    numbers = section.movement.numbers if section.movement else {}
    return (board for name, boards in numbers.items() if not borrowed(name) for board in boards)


def _first(section: Section) -> int:
    return min(_boards(section), default=1)


def _last(found: Iterable[Section]) -> int:
    return max(
        (board for session_section in found for board in _boards(session_section)), default=0
    )
