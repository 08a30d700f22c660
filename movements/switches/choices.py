"""Arrow-switches for a stored movement: the gain, the announcement and the new movement of each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from movements.engine.boards import board_ranges
from movements.engine.fairness.balance import balance
from movements.engine.fairness.bounds import highest_quality, highest_score
from movements.engine.fairness.switching import ITERATIONS, RoundSwitch, Switching, switchings
from movements.engine.files import document
from movements.engine.files.document import MovementDocument
from movements.engine.model import Movement
from movements.engine.options import merge_fields

from ..models import StoredMovement

#: seconds for which a movement's choices are stored: longer than an evening takes to prepare
KEPT = 24 * 3600
#: increased when a choice's fields change, so that choices stored by older versions are not read
FORMAT = 1
SEED = 1
TRIALS = ITERATIONS
#: below this quality figure a movement is called unbalanceable in one field
LOWEST_CEILING = 90.0

#: a difference in the score that is not noticeable
ABOUT_AS_FAIR = 2

LEVELS = {
    "none": gettext_lazy("No arrow-switch"),
    "rounds": gettext_lazy("Whole rounds"),
    "room": gettext_lazy("One board, the whole room"),
    "tables": gettext_lazy("Single tables"),
}


@dataclass(frozen=True)
class SwitchChoice:
    """A way of arrow-switching a stored movement: its fairness, its switches and the resulting movement."""

    level: str
    turns: tuple[RoundSwitch, ...]
    switches: int
    score: int
    word: str
    document: dict[str, Any]
    boards: dict[str, list[int]]  # first and last board of every set

    @property
    def movement(self) -> Movement:
        """Return the switched movement as the engine's `Movement`."""
        return document.read_movement(self.document).movement

    @property
    def numbers(self) -> dict[str, range]:
        """Return the board numbers of every set."""
        return {name: range(first, last + 1) for name, (first, last) in self.boards.items()}

    @property
    def title(self) -> str:
        """Return the name of this way of arrow-switching."""
        return str(LEVELS[self.level])

    @property
    def sentences(self) -> list[str]:
        """Return the announcements of the arrow-switches, one sentence per round."""
        return list(switch_announcements(self.turns))


def recommended_switch(choices: Sequence[SwitchChoice]) -> SwitchChoice | None:
    """Return the easiest arrow-switch that is nearly as fair as the fairest; None if none is fairer."""
    best = max((choice.score for choice in choices), default=0)
    return next((choice for choice in choices[1:] if choice.score >= best - ABOUT_AS_FAIR), None)


@dataclass(frozen=True)
class BalanceCeiling:
    """The highest fairness that one field of a movement can reach by arrow-switches."""

    score: int


def can_be_switched(stored_movement: StoredMovement) -> bool:
    """Return whether arrow-switches are possible: pairs in one field, and known rounds."""
    return (
        stored_movement.contest.fills_a_side
        and not stored_movement.is_drawn_as_played
        and all(label.isdecimal() for labels in stored_movement.fields.values() for label in labels)
    )


def switch_choices(stored_movement: StoredMovement) -> tuple[SwitchChoice, ...]:
    """Return the arrow-switches worth offering for a stored movement: none first, then the easiest.

    All are in one field. Board numbers stay: sets that are divided into their boards keep every board's number. A
    switch that is harder to announce is left out unless it is visibly fairer. The search takes a second or two, so
    its result is cached for a day.
    """
    key = f"switches:{FORMAT}:{_digest_of_movement(stored_movement)}"
    stored_choices = cache.get(key)
    if stored_choices is None:
        stored_choices = [asdict(choice) for choice in _search_choices(stored_movement)]
        cache.set(key, stored_choices, KEPT)
    return tuple(
        SwitchChoice(
            **{**choice_data, "turns": tuple(RoundSwitch(**turn) for turn in choice_data["turns"])}
        )
        for choice_data in stored_choices
    )


def balance_ceiling(stored_movement: StoredMovement) -> BalanceCeiling | None:
    """Return the highest fairness that one field can reach, if that is too low; otherwise None."""
    movement = stored_movement.movement
    if highest_quality(movement) >= LOWEST_CEILING:
        return None
    return BalanceCeiling(highest_score(movement))


def _digest_of_movement(stored_movement: StoredMovement) -> str:
    """Return a digest of a stored movement and its board numbers, as a cache key."""
    text = json.dumps([stored_movement.document, stored_movement.boards], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _search_choices(stored_movement: StoredMovement) -> Iterator[SwitchChoice]:
    """Yield the arrow-switches of a stored movement that are fairer than all easier ones."""
    movement, numbers = merge_fields(stored_movement.movement), stored_movement.numbers
    longest = max(len(boards) for boards in numbers.values())
    best_score = 0
    for switching in switchings(movement, longest, rng=Random(SEED), iterations=TRIALS):
        finished, boards = restore_board_numbers(switching, movement, numbers, longest)
        measured = switching.balance if finished == switching.movement else balance(finished)
        if switching.level != "none" and measured.score <= best_score:
            continue
        best_score = measured.score
        yield SwitchChoice(
            level=switching.level,
            turns=switching.turns,
            switches=switching.switches,
            score=measured.score,
            word=measured.word,
            document=document.movement_dict(MovementDocument(finished)),
            boards={name: [here[0], here[-1]] for name, here in boards.items()},
        )


def restore_board_numbers(
    switching: Switching, movement: Movement, numbers: dict[str, range], longest: int
) -> tuple[Movement, dict[str, range]]:
    """Return a switched movement's board numbers as they were before its sets were divided.

    A set that is shorter than the others loses the boards it never had.
    """
    if switching.movement.sets == movement.sets:
        return switching.movement, numbers
    boards: dict[str, range] = {}
    for index, name in enumerate(movement.sets):
        parts = switching.movement.sets[index * longest : (index + 1) * longest]
        boards |= {
            part: range(board, board + 1) for part, board in zip(parts, numbers[name], strict=False)
        }

    def kept_names(names: Sequence[str]) -> tuple[str, ...]:
        """Return the names that are board sets of the movement."""
        return tuple(name for name in names if name in boards)

    finished = switching.movement
    return (
        replace(
            finished,
            sets=kept_names(finished.sets),
            seatings=tuple(
                replace(seating, sets=kept_names(seating.sets))
                for seating in finished.seatings
                if kept_names(seating.sets)
                or not seating.sets  # a half table may have no boards at all
            ),
            shared=tuple(
                replace(share, sets=kept_names(share.sets))
                for share in finished.shared
                if kept_names(share.sets) or not share.sets
            ),
            stands=tuple(replace(stand, sets=kept_names(stand.sets)) for stand in finished.stands),
        ),
        boards,
    )


# ── in words ──


def switch_announcements(turns: Sequence[RoundSwitch]) -> Iterator[str]:
    """Yield the announcements of arrow-switches, one sentence for all rounds with the same ones."""
    together: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for turn in turns:
        together.setdefault((turn.tables, turn.boards), []).append(turn.round)
    for (tables, boards), rounds in together.items():
        yield _turn_sentence(len(rounds), tables, is_whole=not tables and not boards) % {
            "rounds": number_list(rounds),
            "tables": number_list(tables),
            "boards": _boards_text(boards),
        }


def _turn_sentence(rounds: int, tables: Sequence[int], *, is_whole: bool) -> str:
    """Return the announcement of an arrow-switch in these rounds at these tables."""
    if is_whole:
        return ngettext(
            "Round %(rounds)s: arrow-switch: turn the boards, North-South play as East-West.",
            "Rounds %(rounds)s: arrow-switch: turn the boards, North-South play as East-West.",
            rounds,
        )
    if not tables:
        return ngettext(
            "In round %(rounds)s everybody turns %(boards)s.",
            "In rounds %(rounds)s everybody turns %(boards)s.",
            rounds,
        )
    if len(tables) == 1:
        return ngettext(
            "In round %(rounds)s table %(tables)s turns %(boards)s.",
            "In rounds %(rounds)s table %(tables)s turns %(boards)s.",
            rounds,
        )
    return ngettext(
        "In round %(rounds)s tables %(tables)s turn %(boards)s.",
        "In rounds %(rounds)s tables %(tables)s turn %(boards)s.",
        rounds,
    )


def _boards_text(boards: Sequence[int]) -> str:
    """Return which boards of a set are switched, as text, counted from the first of the set."""
    if not boards:
        return _("all boards")
    return ngettext("board %(boards)s of the set", "boards %(boards)s of the set", len(boards)) % {
        "boards": number_list(boards)
    }


def number_list(numbers: Sequence[int]) -> str:
    """Format numbers as text: "1", "1 and 4", "1, 4 and 7", "1–7 and 9"."""
    parts: list[str] = []
    for first, last in board_ranges(numbers):
        parts += [f"{first}–{last}"] if last > first + 1 else map(str, range(first, last + 1))
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s and %(last)s") % {"first": ", ".join(parts[:-1]), "last": parts[-1]}
