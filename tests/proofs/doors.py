"""Doors by chance: people come in, are late, cancel, are ticked by mistake; at each moment what can start is looked at.

    python -m tests.proofs.doors [DOORS] [FIRST]

Of every evening that is prepared it is counted again, by other means than it was made: that its movement breaks no law, that exactly
those are seated who are meant, each once, and that nobody who is late is lost. Some are started, and what is on the list then is
compared with what was shown; the press of a page that is not true any more is refused. A seed gives the same doors again.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

STEPS = 12
MOST = 14


def door(seed: int) -> Counter[str]:
    """Let one door happen in a database; return how often what was seen. Raises `AssertionError`."""
    from bridgebuddy.coming import prepared, starting
    from bridgebuddy.coming.entering import switch
    from bridgebuddy.coming.errors import PreparedAnew
    from bridgebuddy.events.models import SeatingMethod, Section, Session
    from bridgebuddy.events.services import rounds
    from tests.factories import ClubFactory, director_of, section_with

    random, seen = Random(seed), Counter[str]()
    club = ClubFactory(name=f"Club {seed}")
    by = director_of(club)
    section = section_with(0, club=club, by=by)
    Session.objects.filter(pk=section.session_id).update(date=club.today)
    section.seating = random.choice([SeatingMethod.ORDER, SeatingMethod.TURNS])
    section.save()
    section = Section.objects.get(pk=section.pk)
    switch(section, is_on=True, most=None, by=by)
    happens = _Door(random, section, by)
    old: list[str] = []
    for _ in range(STEPS):
        happens.something()
        now = Section.objects.get(pk=section.pk)
        prepared.prepare(str(section.pk))
        kept, wanted = prepared.last(now), prepared.Wanted(now)
        assert kept is not None
        assert kept.made_of == wanted.made_of, "what is prepared is not of now"
        for evening in kept.evenings:
            seen["evenings"] += 1
            _look_at(now, evening, wanted)
        if not kept.evenings:
            continue
        keys = [kept.key(one) for one in kept.evenings]
        for stale in set(old) - set(keys):
            try:
                starting.start(now, stale, by=by)
            except PreparedAnew:
                seen["refused"] += 1
            else:
                raise AssertionError("an evening was started that is not of now")
            break
        old = keys
        possible = [one for one in kept.evenings if one.is_possible]
        if possible and random.random() < 0.15:
            evening = random.choice(possible)
            lays_out = random.random() < 0.3
            act = starting.lay_out if lays_out else starting.start
            act(now, kept.key(evening), has_paper=random.random() < 0.5, by=by)
            _is_as_shown(section.pk, evening, wanted, lays_out=lays_out)
            seen["laid out" if lays_out else "started"] += 1
            if not lays_out:
                rounds.take_back_round(Section.objects.get(pk=section.pk), round=1, by=by)
    seen["doors"] += 1
    return seen


def _look_at(section, evening, wanted) -> None:
    """Count an evening again."""
    from bridgebuddy.coming.rules.chart import movement_of
    from movements.engine.laws import errors

    there = wanted.there
    meant = there.here + there.late[: evening.late]
    people = [one.pk for two in meant for one in two.people]
    assert len(people) == len(set(people)), "somebody is there twice"
    assert list(evening.who) == [two.key for two in meant], "others are seated than are meant"
    if not evening.is_possible:
        assert len(meant) < 3, "so many can play"
        return
    movement = (
        movement_of(len(meant), evening.choice) if evening.choice else section.movement.movement
    )
    assert not errors(movement)
    assert sorted(evening.seats) == sorted(movement.contestants), "not everybody has one seat"


def _is_as_shown(section: int, evening, wanted, *, lays_out: bool) -> None:
    """Compare the list with the evening that was shown."""
    from bridgebuddy.events.models import Section

    now = Section.objects.get(pk=section)
    there = wanted.there
    seated = {
        one.contestant: {person.pk for person in one.players}
        for one in now.entries.all()
        if one.contestant
    }
    shown = {seat: set(who[1:]) for seat, who in zip(evening.seats, evening.who, strict=True)}
    assert seated == shown, "it was started otherwise than it was shown"
    listed = [person.pk for one in now.entries.all() for person in one.players]
    assert len(listed) == len(set(listed)), "somebody is on the list twice"
    gone = {person.pk for one in there.gone for person in one.players}
    if not lays_out:
        expected = {one.pk for two in there.here + there.late for one in two.people}
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
        assert set(at_tables) <= {one.pk for one in now.entries.exclude(contestant=None)}
    if evening.choice:
        assert now.movement.family == evening.choice.family
        assert now.boards_per_round == evening.choice.boards


class _Door:
    """What happens at a door."""

    def __init__(self, random: Random, section, by) -> None:
        self.random, self.section, self.by = random, section, by
        self.made = 0

    def something(self) -> None:
        ways = [self.several_enter, self.comes_in, self.comes_in, self.comes_in, self.comes_in]
        ways += [self.untick, self.cancels, self.director_enters, self.withdraws, self.looks]
        self.random.choice(ways if self.made else ways[:1])()

    def people(self) -> list:
        from tests.factories import PersonFactory

        self.made += 1
        club = self.section.club
        return [PersonFactory(club=club, name=f"{one} No{self.made}x") for one in ("Ann", "Ben")]

    def several_enter(self) -> None:
        from bridgebuddy.coming.entering import come

        for _ in range(self.random.randint(1, 6)):
            if self.made < MOST:
                come(self.section.session, *self.people(), by=self.by)

    def pair(self) -> list:
        from bridgebuddy.coming.who_comes import WhoComes

        pairs = WhoComes(self.section.session).pairs
        return [one.person for one in self.random.choice(pairs).both] if pairs else []

    def comes_in(self) -> None:
        from bridgebuddy.coming.entering import come_in

        for _ in range(self.random.randint(1, 4)):
            if pair := self.pair():
                come_in(self.section.session, pair[: self.random.choice([1, 2, 2, 2])])

    def untick(self) -> None:
        from bridgebuddy.coming.entering import come_in

        if pair := self.pair():
            come_in(self.section.session, pair, is_here=False)

    def cancels(self) -> None:
        from bridgebuddy.coming.entering import stay_away

        if pair := self.pair():
            stay_away(self.section.session, pair[: self.random.choice([1, 2])])

    def looks(self) -> None:
        from bridgebuddy.coming.entering import come_in, look

        one = self.people()[0]
        look(self.section.session, one)
        come_in(self.section.session, [one])

    def director_enters(self) -> None:
        from bridgebuddy.coming.entering import make_list
        from bridgebuddy.events.models import Section
        from bridgebuddy.events.services.entries import add_pairs

        section = Section.objects.get(pk=self.section.pk)
        if self.random.random() < 0.4:
            make_list(section, by=self.by)
        else:
            add_pairs(section, [tuple(one.name for one in self.people())], by=self.by)

    def withdraws(self) -> None:
        from bridgebuddy.events.models import Section
        from bridgebuddy.events.services.entries import withdraw_pair

        entries = [*Section.objects.get(pk=self.section.pk).entries.all()]
        if entries:
            withdraw_pair(self.random.choice(entries), by=self.by)


def main(doors: int = 2000, first: int = 1) -> None:
    """Let doors happen in a database of their own, and print what was seen."""
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    django.setup()
    from django.db import connection, transaction
    from django.test.utils import setup_test_environment

    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    seen: Counter[str] = Counter()
    for seed in range(first, first + doors):
        with transaction.atomic():
            seen += door(seed)
            transaction.set_rollback(True)
        if seed % 100 == 0:
            print(seed, dict(seen), flush=True)
    print(dict(seen))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
