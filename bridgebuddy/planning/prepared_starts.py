"""Sessions prepared during arrivals, with the pairs present and with late ones.

`PreparationInput` reads the needed sessions and their inputs with a page. A job computes them, never a
request. They are cached under all of their inputs, and can be started only while these are
unchanged. Decision 0027.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.cache import cache

from bridgebuddy import __version__
from bridgebuddy.events.models import MOST_PAIRS, Entry, EntryPerson, Section
from bridgebuddy.events.queries.sessions.sections import sections_with_session
from bridgebuddy.events.services.setup.seats import seats_by_method
from bridgebuddy.jobs.kinds import job_kind
from bridgebuddy.jobs.services import request_job
from bridgebuddy.registration.attendance import Attendance, AttendingPair
from bridgebuddy.registration.preparation_requests import JOB
from bridgebuddy.registration.registrations import Registrations, is_registration_open
from movements.engine.adviser import Wishes
from movements.engine.contest import Contest
from movements.engine.errors import MovementError
from movements.engine.laws import find_errors
from movements.engine.model import Movement

from .charts import own_lines, read_lines
from .equipment import club_equipment
from .rules.chart import MovementChoice, build_movement
from .rules.preparing import StartInput, choice_for

AHEAD = "choose-ahead"
KEPT, KEPT_CHOICE = 24 * 3600, 60 * 24 * 3600  # seconds
#: of two late pairs either may come alone
OTHER = 2
#: movements are also chosen for this many pairs fewer and more
NEAR = 2
KEY_LENGTH = 16
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PreparedStart:
    """A start computed before the director presses the button: pairs present, movement, and first seats.

    `pair_keys` are the keys of the pairs, `seats` their numbers in the movement. `choice` is None if all
    keep their present seats. If no movement is possible, there are no seats either.
    """

    pair_keys: tuple[tuple[int, ...], ...]
    late: int
    choice: MovementChoice | None = None
    seats: tuple[int, ...] = ()

    @property
    def is_possible(self) -> bool:
        """Return whether there is a seat for each pair."""
        return bool(self.seats)

    @property
    def pair_count(self) -> int:
        """Return the number of pairs that would play."""
        return len(self.pair_keys)


@dataclass(frozen=True)
class PreparedStarts:
    """The starts computed in advance for a section, for several numbers of late pairs, and their inputs."""

    inputs_digest: str
    evenings: tuple[PreparedStart, ...]

    def key(self, evening: PreparedStart) -> str:
        """Return a digest of a prepared start and its inputs, which the start button sends to identify it."""
        return input_digest(
            (self.inputs_digest, evening.pair_keys, repr(evening.choice), evening.seats)
        )

    def prepared_start_with_key(self, key: str) -> PreparedStart | None:
        """Return the prepared start with this key; None if there is none."""
        return next((evening for evening in self.evenings if self.key(evening) == key), None)


def input_digest(value: object) -> str:
    """Return a short digest of the data that prepared starts depend on."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:KEY_LENGTH]


def can_prepare(section: Section) -> bool:
    """Return whether a section's start can be computed in advance: pairs, today, and the only section."""
    session = section.session
    is_today = session.date == section.club.today
    is_one = section.contest == Contest.PAIRS and not section.letter
    return is_one and is_today and is_registration_open(session)


class PreparationInput:
    """The data from which a section's prepared starts are computed: pairs, chart, equipment, settings.

    Makes about ten queries.
    """

    def __init__(self, section: Section, registrations: Registrations | None = None) -> None:
        self.section = section
        self.there = Attendance(section, registrations)

    @property
    def sets(self) -> list[tuple[int, list[AttendingPair]]]:
        """Return the groups of pairs that may start, with how many late pairs each holds: none, one, or all.

        Of two late pairs also the second alone.
        """
        here, late = self.there.here, self.there.late
        some = [[], late[:1], late[1:] if len(late) == OTHER else [], late]
        those = [item for place, item in enumerate(some) if item not in some[:place]]
        return [(len(group), here + group) for group in those if here or group]

    def present_pairs(self, evening: PreparedStart) -> list[AttendingPair]:
        """Return the pairs of a prepared start in order, without pairs that have cancelled since."""
        pairs = {pair.key: pair for pair in (*self.there.here, *self.there.late)}
        return [pairs[key] for key in evening.pair_keys if key in pairs]

    @property
    def likely_pair_numbers(self) -> list[int]:
        """Return the numbers of pairs that may turn up: close to the pairs present, or to the registered pairs."""
        here, every = len(self.there.here), len(self.there.here) + len(self.there.late)
        counts = {there + more for there in (here, every) for more in range(-NEAR, NEAR + 1)}
        least = self.section.fewest_entries
        return sorted(count for count in counts if least <= count <= MOST_PAIRS)

    @cached_property
    def lines(self) -> list[Any]:
        """Return the lines of the club's movement chart as stored JSON."""
        return own_lines(self.section.club)

    @cached_property
    def start_input(self) -> StartInput:
        """Return the inputs for choosing the session's movement: wishes, chart and equipment."""
        return _start_input(self.section, self.lines, self.likely_pair_numbers)

    @cached_property
    def inputs_digest(self) -> str:
        """Return a digest of all inputs; a prepared start made with another digest is outdated."""
        section, session, owned = (
            self.section,
            self.section.session,
            club_equipment(self.section.club),
        )
        return input_digest(
            (
                section.pk,
                [
                    [_pair_data_for_digest(pair) for pair in those]
                    for those in (self.there.here, self.there.late)
                ],
                [entry.pk for entry in self.there.gone],
                (section.movement_id, section.boards_per_round, section.total_boards),
                (section.missing_line, section.movement_options, section.seating, section.seed),
                (session.fewest_boards, session.most_boards, session.minutes_per_board),
                (section.club.half_table, owned.copy_count, owned.tables),
                self.lines,
            )
        )


def _pair_data_for_digest(two: AttendingPair) -> tuple[object, ...]:
    """Return those data of a pair that change a prepared start: people, entry, seat and strength."""
    entry = two.entry
    seat = (entry.contestant, entry.must_stay_seated, entry.position) if entry else ()
    return (*two.key, seat, [person.strength for person in two.people])


def last_prepared(section: Section) -> PreparedStarts | None:
    """Return the starts last computed in advance for a section; they may be outdated. None without any.

    Not inside a page's snapshot, because they are in the cache.
    """
    prepared: PreparedStarts | None = cache.get(_cache_key(section.pk))
    return prepared


def _cache_key(section: int) -> str:
    """Return the cache key of a section's prepared starts."""
    return f"prepared-{section}"


@job_kind(JOB, tries=3, seconds=60)
def prepare(key: str) -> None:
    """Background job: compute the prepared starts of the section `key`, unless the stored ones are current."""
    section = sections_with_session().filter(pk=int(key)).first()
    if section is None or not can_prepare(section):
        cache.delete(_cache_key(int(key)))
        return
    wanted, prepared = PreparationInput(section), last_prepared(section)
    if prepared is None or prepared.inputs_digest != wanted.inputs_digest:
        cache.set(_cache_key(section.pk), compute_starts(wanted), KEPT)
        if _numbers_without_choice(wanted):
            request_job(AHEAD, section.pk)


def compute_starts(preparation: PreparationInput) -> PreparedStarts:
    """Compute the prepared starts from these inputs."""
    return PreparedStarts(
        preparation.inputs_digest,
        tuple(
            _prepared_start(preparation.section, preparation.start_input, late, pairs)
            for late, pairs in preparation.sets
        ),
    )


@job_kind(AHEAD, tries=2, seconds=60)
def choose_movement_ahead(key: str) -> None:
    """Background job: choose the movement for one more likely number of pairs of the section `key`.

    Only the movement can be known in advance, as the pairs determine the seats.
    """
    section = sections_with_session().filter(pk=int(key)).first()
    if section is None or not can_prepare(section):
        return
    wanted = PreparationInput(section)
    left = _numbers_without_choice(wanted)
    for pairs in left[:1]:
        earlier_choice(wanted.start_input, pairs)
    if len(left) > 1:
        request_job(AHEAD, section.pk)


def _numbers_without_choice(preparation: PreparationInput) -> list[int]:
    """Return those likely numbers of pairs for which no movement has been chosen in advance yet."""
    places = {
        _choice_place(preparation.start_input, pairs): pairs
        for pairs in preparation.likely_pair_numbers
    }
    return [places[place] for place in places.keys() - cache.get_many(places).keys()]


def earlier_choice(tonight: StartInput, pairs: int) -> MovementChoice | None:
    """Return the movement for `pairs` pairs from the cache; choose and cache it if it is not there."""
    place = _choice_place(tonight, pairs)
    cached: tuple[MovementChoice | None] | None = cache.get(place)
    if cached is None:
        cached = (choice_for(tonight, pairs),)
        cache.set(place, cached, KEPT_CHOICE)
    return cached[0]


def _choice_place(tonight: StartInput, pairs: int) -> str:
    """Return the cache key of the movement chosen for `pairs` pairs."""
    return f"choice-{input_digest((__version__, tonight.for_pairs(pairs)))}"


def _start_input(section: Section, lines: Sequence[Any], near: Sequence[int]) -> StartInput:
    """Return the wishes, chart and equipment for choosing a section's movement."""
    session, owned = section.session, club_equipment(section.club)
    entries = [*section.entries.all()]
    return StartInput(
        Wishes(
            pairs=len(entries),
            fewest_boards=session.fewest_boards,
            most_boards=session.most_boards,
            minutes_per_board=session.minutes_per_board,
            stationary=sum(entry.must_stay_seated for entry in entries),
            copies=owned.copy_count or 1,
            break_after_half=section.break_after is not None,
            late_pair=True,
            missing_line=section.club.half_table,
        ),
        read_lines(line for line in lines if line["pairs"] in near),
        tables=owned.tables or 0,
        copies=owned.copy_count,
        chosen=_choice_of_tonight(section),
        chosen_for=len(entries),
    )


def _choice_of_tonight(section: Section) -> MovementChoice | None:
    """Return the movement that the director has chosen for a section; None without one that a chart can list."""
    stored = section.movement
    if stored is None or section.total_boards or not section.boards_per_round:
        return None
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in section.movement_options.items()
    }
    return MovementChoice(
        stored.family,
        stored.tables,
        stored.rounds,
        section.boards_per_round,
        section.missing_line,
        options,
    )


def _prepared_start(
    section: Section, tonight: StartInput, late: int, pairs: Sequence[AttendingPair]
) -> PreparedStart:
    """Compute the start with these pairs in advance: movement, rounds and first seats."""
    keys = tuple(pair.key for pair in pairs)
    if _are_pairs_already_seated(section, pairs):
        seats = (pair.entry.contestant or 0 for pair in pairs if pair.entry)
        return PreparedStart(keys, late, None, tuple(seats))
    if not section.fewest_entries <= len(pairs) <= MOST_PAIRS:
        return PreparedStart(keys, late)
    choice = earlier_choice(tonight, len(pairs))
    if choice is None:
        return PreparedStart(keys, late)
    try:
        movement = build_movement(len(pairs), choice)
    except MovementError:
        logger.exception("a movement was chosen that cannot be: %s", choice)
        return PreparedStart(keys, late)
    if find_errors(movement) or len(movement.contestants) != len(pairs):
        logger.error("an unlawful movement was chosen: %s", choice)
        return PreparedStart(keys, late)
    return PreparedStart(keys, late, choice, _seats_of_pairs(section, pairs, movement))


def _are_pairs_already_seated(section: Section, pairs: Sequence[AttendingPair]) -> bool:
    """Return whether these pairs, and no others, already have seats in the section's movement."""
    if section.movement is None or not all(pair.entry and pair.entry.contestant for pair in pairs):
        return False
    seated = section.entries.exclude(contestant=None).count()
    return seated == len(pairs) == len(section.movement.without_seatings.contestants)


def _seats_of_pairs(
    section: Section, pairs: Sequence[AttendingPair], movement: Movement
) -> tuple[int, ...]:
    """Return the seat (number in the movement) of each pair, in the order of `pairs`."""
    entries = [
        pair.entry or entry_of_pair(section, pair, -place) for place, pair in enumerate(pairs, 1)
    ]
    labels: dict[int, str] = {}
    if section.movement is not None:
        called = section.movement.without_seatings
        labels = {entry.pk: called.label(entry.contestant) for entry in entries if entry.contestant}
    seats = seats_by_method(section, entries, movement, labels)
    return tuple(seats[entry] for entry in entries)


def entry_of_pair(section: Section, two: AttendingPair, key: int) -> Entry:
    """Make an entry of a pair with the primary key `key`, without storing it."""
    entry = Entry(pk=key, section=section)
    entry.links_read = [
        EntryPerson(entry=entry, section=section, person=person, position=place)
        for place, person in enumerate(two.people, start=1)
    ]
    return entry
