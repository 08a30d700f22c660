"""Random arrivals: people come in, are late, cancel, are ticked by mistake; after each event the possible starts are
checked.

    DOORS=2000 python -m pytest tests/registration/test_doors.py

Independent code checks every prepared evening: its movement breaks no law, exactly the expected people are seated,
each once, and late pairs stay on the list. Some evenings are started, and the list is then compared with the page;
the press of an outdated page is refused. A seed gives the same events again.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import time
from random import Random

from bridgebuddy.clubs.models import Club, Person, User, searchable
from bridgebuddy.events.models import Event, SeatingMethod, Section, Session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries
from bridgebuddy.planning import prepared_starts, starting
from bridgebuddy.planning.prepared_starts import PreparationInput, PreparedStart
from bridgebuddy.planning.rules.chart import build_movement
from bridgebuddy.registration import registering
from bridgebuddy.registration.errors import PreparationOutdated, RegistrationRefused
from bridgebuddy.registration.late_arrivals import MINUTES
from bridgebuddy.registration.registrations import Registrations
from movements.engine.laws import find_errors

STEPS = 12
MOST = 14


def door(seed: int, club: Club, by: User) -> Counter[str]:
    """Run one random arrival in a club; return counts of the events. Raises `AssertionError`."""
    random, seen = Random(seed), Counter[str]()
    event = Event.objects.create(club=club, name=f"Door {seed}")
    session = Session.objects.create(event=event, date=club.today, starts_at=time(19))
    section = Section.objects.create(session=session, name="A")
    section.seating = random.choice([SeatingMethod.ORDER, SeatingMethod.TURNS])
    section.save()
    section = Section.objects.get(pk=section.pk)
    registering.switch_registration(section, is_on=True, maximum=None, by=by)
    happens = _Door(random, section, by)
    old: list[str] = []
    for _ in range(STEPS):
        happens.something()
        now = Section.objects.get(pk=section.pk)
        prepared_starts.prepare(str(section.pk))
        kept, wanted = prepared_starts.last_prepared(now), prepared_starts.PreparationInput(now)
        assert kept is not None
        assert kept.inputs_digest == wanted.inputs_digest, "what is prepared is not of now"
        for evening in kept.evenings:
            seen["evenings"] += 1
            _look_at(now, evening, wanted)
        if not kept.evenings:
            continue
        keys = [kept.key(evening) for evening in kept.evenings]
        for stale in sorted({*old} - {*keys}):
            try:
                starting.start_prepared_session(now, stale, by=by)
            except PreparationOutdated:
                seen["refused"] += 1
            else:
                raise AssertionError("an evening was started that is not of now")
            break
        old = keys
        possible = [evening for evening in kept.evenings if evening.is_possible]
        if possible and random.random() < 0.15:
            evening = random.choice(possible)
            lays_out = random.random() < 0.3
            act = starting.lay_out_prepared_session if lays_out else starting.start_prepared_session
            act(now, kept.key(evening), has_paper=random.random() < 0.5, by=by)
            _is_as_shown(section.pk, evening, wanted, lays_out=lays_out)
            seen["laid out" if lays_out else "started"] += 1
            if not lays_out:
                rounds.take_back_round(Section.objects.get(pk=section.pk), round=1, by=by)
    seen["doors"] += 1
    return seen


def _look_at(section: Section, evening: PreparedStart, wanted: PreparationInput) -> None:
    """Count an evening again."""

    there = wanted.there
    late = [two for two in there.late if two.key in evening.pair_keys]
    assert len(late) == evening.late, "others are late than are said"
    meant = there.here + late
    people = [person.pk for two in meant for person in two.people]
    assert len(people) == len(set(people)), "somebody is there twice"
    assert list(evening.pair_keys) == [two.key for two in meant], "others are seated than are meant"
    if not evening.is_possible:
        assert len(meant) < 3, "so many can play"
        return
    choice = evening.choice
    movement = build_movement(len(meant), choice) if choice else section.stored.movement
    assert not find_errors(movement)
    assert sorted(evening.seats) == sorted(movement.contestants), "not everybody has one seat"


def _is_as_shown(
    section: int, evening: PreparedStart, wanted: PreparationInput, *, lays_out: bool
) -> None:
    """Compare the list with the evening that was shown."""

    now = Section.objects.get(pk=section)
    there = wanted.there
    seated = {
        entry.contestant: {person.pk for person in entry.players}
        for entry in now.entries.all()
        if entry.contestant
    }
    shown = {
        seat: set(people[1:]) for seat, people in zip(evening.seats, evening.pair_keys, strict=True)
    }
    assert seated == shown, "it was started otherwise than it was shown"
    listed = [person.pk for entry in now.entries.all() for person in entry.players]
    assert len(listed) == len(set(listed)), "somebody is on the list twice"
    gone = {person.pk for entry in there.gone for person in entry.players}
    if not lays_out:
        expected = {person.pk for two in there.here + there.late for person in two.people}
        assert set(listed) == expected - gone, "somebody was forgotten"
        assert now.round == 1
        at_tables = [
            side
            for play in now.plays.filter(round=1, taken_back_at=None).values_list(
                "table", "ns", "ew"
            )
            for side in play[1:]
            if side
        ]
        assert set(at_tables) <= {entry.pk for entry in now.entries.exclude(contestant=None)}
    if evening.choice:
        assert now.stored.family == evening.choice.family
        assert now.boards_per_round == evening.choice.boards


class _Door:
    """Events of an arrival."""

    def __init__(self, random: Random, section: Section, by: User) -> None:
        self.random, self.section, self.by = random, section, by
        self.made = 0

    def something(self) -> None:
        ways = [self.several_enter, self.comes_in, self.comes_in, self.comes_in, self.comes_in]
        ways += [self.untick, self.cancels, self.director_enters, self.withdraws, self.looks]
        ways += [self.is_late, self.is_late]
        self.random.choice(ways if self.made else ways[:1])()

    def people(self) -> list[Person]:

        self.made += 1
        club = self.section.club
        names = [f"{text} No{self.made}x" for text in ("Ann", "Ben")]
        known = entries.people_named(club, names)
        return [known[searchable(name)] for name in names]

    def several_enter(self) -> None:

        for _ in range(self.random.randint(1, 6)):
            if self.made < MOST:
                registering.register_pair(self.section.session, *self.people(), by=self.by)

    def pair(self) -> list[Person]:

        pairs = Registrations(self.section.session).pairs
        return [link.person for link in self.random.choice(pairs).attendees] if pairs else []

    def comes_in(self) -> None:

        for _ in range(self.random.randint(1, 4)):
            if pair := self.pair():
                registering.record_arrivals(
                    self.section.session, pair[: self.random.choice([1, 2, 2, 2])]
                )

    def untick(self) -> None:

        if pair := self.pair():
            registering.record_arrivals(self.section.session, pair, is_here=False)

    def is_late(self) -> None:

        if pair := self.pair():
            people = pair[: self.random.choice([1, 2])]
            with suppress(RegistrationRefused):
                registering.record_delay(
                    self.section.session, people, self.random.choice([0, *MINUTES])
                )

    def cancels(self) -> None:

        if pair := self.pair():
            registering.record_absence(self.section.session, pair[: self.random.choice([1, 2])])

    def looks(self) -> None:

        one = self.people()[0]
        registering.seek_partner(self.section.session, one)
        registering.record_arrivals(self.section.session, [one])

    def director_enters(self) -> None:

        section = Section.objects.get(pk=self.section.pk)
        if self.random.random() < 0.4:
            registering.enter_registered_pairs(section, by=self.by)
        else:
            entries.add_pairs(section, [tuple(person.name for person in self.people())], by=self.by)

    def withdraws(self) -> None:

        found = [*Section.objects.get(pk=self.section.pk).entries.all()]
        if found:
            entries.withdraw_pair(self.random.choice(found), by=self.by)
