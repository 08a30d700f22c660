"""What a process has worked out of a section is shown no longer than it holds, nor to whom it is not meant."""

import random
import re
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries import kept
from bridgebuddy.events.services import entries, people, rounds
from bridgebuddy.events.services import movement as movements
from bridgebuddy.scoring.services.reminders import remind
from tests.factories import director_of, section_with
from tests.pages.meanwhile import SECRETS, seat_late_pair

pytestmark = pytest.mark.django_db

#: by the clock on the wall: a page that is asked for a minute later has another one
SINCE = re.compile(r'(?<=<span id="since">)[\d:]+')
PAGES = ("NS1/", "EW2/", "", "room/")


class Process:
    """A process with a memory of its own, and a phone that asks it."""

    def __init__(self, language: str) -> None:
        self.language, self.memory = language, type(kept._kept)()
        self.phone = Client(headers={"Accept-Language": language})

    def shows(self, section: Section) -> list[str]:
        with patch.object(kept, "_kept", self.memory):
            answers = [self.phone.get(f"/p/{section.code}/{page}") for page in PAGES]
        told = [f"{one.status_code} {one.content.decode()}" for one in answers]
        return [SINCE.sub("", SECRETS.sub("", one)) for one in told]


def start(section, by):
    rounds.start_next_round(section, after=section.round, by=by)


def take_back(section, by):
    rounds.take_back_round(section, round=section.round, by=by)


def rename(section, by):
    person = random.choice(Person.objects.filter(club=section.club).order_by("pk"))
    person.name = f"{person.name} {random.random()}"
    person.save()


def number_otherwise(section, by):
    club = section.club
    club.numbers_in_hundreds = not club.numbers_in_hundreds
    club.save()


def rename_club(section, by):
    club = section.club
    club.stand_word = "relay" if club.stand_word != "relay" else "stand"
    club.phones_show_names = not club.phones_show_names
    club.save()


def substitute(section, by):
    people.substitute(
        section.entries.first(), 1, f"Zoë {random.random()}", from_round=2, until_round=3, by=by
    )


def choose(section, by):
    name = random.choice(["howell", "mitchell", "scrambled-mitchell"])
    movements.choose_movement(section, name, boards_per_round=random.choice([2, 3]), by=by)


def late_pair(section, by):
    if section.round:
        seat_late_pair(section, by)


CHANGES = {
    "a round starts": start,
    "it is taken back": take_back,
    "the clock stops": lambda section, by: rounds.pause_clock(section, by=by),
    "it goes on": lambda section, by: rounds.resume_clock(section, by=by),
    "a minute more": lambda section, by: rounds.add_minute(section, by=by),
    "somebody has another name": rename,
    "the club numbers otherwise": number_otherwise,
    "the club says otherwise": rename_club,
    "a substitute comes": substitute,
    "another movement": choose,
    "a pair is late": late_pair,
    "a pair leaves": lambda section, by: entries.withdraw_pair(section.entries.last(), by=by),
    "a table is reminded": lambda section, by: remind(section, section.round, 1, by=by),
    "the end": lambda section, by: rounds.finish(section, round=section.round, by=by),
    "a result comes in": lambda section, by: Section.objects.filter(pk=section.pk).update(
        results=section.results + 1
    ),
}


@pytest.mark.parametrize("seed", range(4))
def test_two_processes_show_what_a_new_one_would_whatever_has_changed(seed, monkeypatch):
    dice = random.Random(seed)
    random.seed(seed)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    section = section_with(10, "mitchell", round=dice.choice([0, 2]))
    by = director_of(section.club)
    processes = [Process("en"), Process("de")]
    made = []
    for name in dice.choices(list(CHANGES), k=14):
        section = Section.objects.get(pk=section.pk)
        try:
            CHANGES[name](section, by)
        except ChangeRefused:
            continue  # what cannot be done now
        made.append(name)
        for process in dice.sample(processes, dice.choice([1, 2])):
            assert process.shows(section) == Process(process.language).shows(section), made

    assert len(made) > 3


def test_what_is_kept_of_another_state_is_not_shown(client, skip_section):
    """As where a backup has been brought back under a server that runs."""
    before = client.get(f"/p/{skip_section.code}/NS1/").content
    Section.objects.filter(pk=skip_section.pk).update(round=1)

    after = client.get(f"/p/{skip_section.code}/NS1/").content

    assert b"Round 4" in before
    assert b"Round 1" in after


def test_only_so_many_sections_are_kept(client, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 2)
    sections = [section_with(6, "mitchell", round=1) for _ in range(3)]

    for section in sections:
        client.get(f"/p/{section.code}/NS1/")

    known = [where[1] for where in kept._kept if where[0] == connection.settings_dict["NAME"]]
    assert known == [section.pk for section in sections[1:]]
