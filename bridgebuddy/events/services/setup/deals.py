"""Board numbers if sections play different deals: each continues after the section before it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridgebuddy.events.models import Section, SectionMovement
from movements.engine.board_copies.borrowed_sets import borrowed_set
from movements.models import StoredMovement
from movements.services import store_movement

from ..locking import lock_following_sections
from ..recording import record_plan_change
from ..stored_movements import set_first_movement

Numbers = Mapping[str, range]


def section_board_numbers(section: Section, numbers: Numbers) -> dict[str, range]:
    """Return the section's board numbers by set, shifted so that they follow other sections' boards.

    They follow those of the sections before it. If a section in play already has these boards, they follow those of
    all others.
    """
    others = _other_sections(section)
    before = [other for other in others if other.pk < section.pk]
    numbers_of_deals = _shifted_numbers(numbers, _last_board(before))
    playing = {board for other in others if other.is_started for board in _own_boards(other)}
    if playing & {board for boards in numbers_of_deals.values() for board in boards}:
        numbers_of_deals = _shifted_numbers(numbers, _last_board(others))
    return numbers_of_deals


def last_deal(section: Section) -> int:
    """Return the highest board number of the other sections; 0 if all sections play the same deals."""
    return _last_board(_other_sections(section))


def renumber_later(section: Section) -> None:
    """Renumber the boards of the sections after a locked one, if they have not begun."""
    if section.session.same_deals:
        return
    for later in lock_following_sections(section):
        if renumber_boards(later):
            record_plan_change(later, "section.boards", by=None, first=_first_board(later))


def renumber_boards(section: Section) -> bool:
    """Renumber the boards of a locked section after those before it. Return whether numbers changed.

    All seats stay.
    """
    stored, plain = section.movement, section.unswitched
    if stored is None or section.is_started or not stored.boards:
        return False
    numbers = section_board_numbers(
        section, _shifted_numbers(stored.numbers, 1 - _first_board(section))
    )
    if numbers == stored.numbers:
        return False
    set_first_movement(
        section,
        _renumbered_movement(stored, numbers),
        plain and _renumbered_movement(plain, _shifted_alike(plain, numbers)),
    )
    SectionMovement.objects.filter(section=section).update(seats=section.seats())
    return True


def _renumbered_movement(stored_movement: StoredMovement, numbers: Numbers) -> StoredMovement:
    """Store a copy of a stored movement with other board numbers."""
    return store_movement(stored_movement.movement, numbers=numbers)


def _shifted_alike(stored_movement: StoredMovement, numbers: Numbers) -> dict[str, range]:
    """Return another stored movement's board numbers, shifted to begin at the lowest number in `numbers`."""
    first = min(boards[0] for boards in numbers.values())
    by = first - min(boards[0] for boards in stored_movement.numbers.values())
    return _shifted_numbers(stored_movement.numbers, by)


def _other_sections(section: Section) -> list[Section]:
    """Return the other sections of the session whose deals differ from the section's."""
    if section.session.same_deals:
        return []
    others = Section.objects.filter(session=section.session_id).exclude(pk=section.pk)
    return list(others.select_related("movement").order_by("pk"))


def _shifted_numbers(numbers: Numbers, by: int) -> dict[str, range]:
    """Return board numbers by set that are higher by `by`."""
    return {name: range(boards[0] + by, boards[-1] + 1 + by) for name, boards in numbers.items()}


def _own_boards(section: Section) -> Iterable[int]:
    """Return the boards that belong to a section, without other sections' boards played by mistake."""
    numbers = section.movement.numbers if section.movement else {}
    return (board for name, boards in numbers.items() if not borrowed_set(name) for board in boards)


def _first_board(section: Section) -> int:
    """Return the lowest board number of a section."""
    return min(_own_boards(section), default=1)


def _last_board(sections: Iterable[Section]) -> int:
    """Return the highest board number of these sections; 0 without any."""
    return max(
        (board for session_section in sections for board in _own_boards(session_section)), default=0
    )
