"""Results from everywhere at once, and a server that dies among them: none is lost, none is there twice."""

import os
import random
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from bridgebuddy.events.models import Play
from bridgebuddy.scoring.errors import ResultChanged
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.services.results import enter_result
from tests.factories import director_of, section_with
from tests.together import errors, together

pytestmark = pytest.mark.django_db(transaction=True)

#: enters the first result of each play it is told, and says which it has entered
ENTERING = """
import sys, django
django.setup()
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.services.results import enter_result
section = Section.objects.get(pk=sys.argv[1])
for play in sys.argv[2:]:
    enter_result(section, int(play), {"score": 100}, after=0, by=None)
    print(play, flush=True)
"""


def address_of_database():
    """The address of the tests' own database, for another process."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    user, password = (str(told[key]).replace("@", "%40") for key in ("USER", "PASSWORD"))
    host = str(told["HOST"]).replace("/", "%2F")
    return f"postgres://{user}:{password}@{host}:{told['PORT']}/{told['NAME']}"


def is_whole(play):
    """Return whether a play's history has no gap, and only its last result stands."""
    history = list(play.results.order_by("number").values_list("number", "stands"))
    return history == [(number, number == len(history)) for number in range(1, len(history) + 1)]


def test_two_directors_and_forty_tables_enter_at_once():
    section = section_with(80, "mitchell", round=1, rounds=4, boards_per_round=2)
    plays = list(section.plays.values_list("pk", flat=True))
    directors = [director_of(section.club, email=f"{name}@example.org") for name in "ab"]
    assert len(plays) == 80

    def enter_all(points, order, by):
        refused = []
        for play in random.Random(order).sample(plays, len(plays)):
            try:
                enter_result(section, play, {"score": points}, after=0, by=by)
            except ResultChanged:
                refused.append(play)
        return refused

    outcomes = together(
        *(
            lambda points=points, by=by: enter_all(points, points, by)
            for points, by in ((90, directors[0]), (120, directors[1]), (150, None))
        )
    )

    assert errors(outcomes) == []
    assert sum(map(len, outcomes)) == 2 * len(plays)  # of three only the first stands
    assert Result.objects.count() == Result.objects.filter(stands=True).count() == len(plays)
    # corrections of the same boards, each after what its page has shown: one of two is told what stands
    corrected = together(
        *(
            lambda points=points: enter_result(
                section, plays[0], {"score": points}, after=1, by=directors[0]
            )
            for points in (170, 200)
        )
    )
    assert [type(error) for error in errors(corrected)] == [ResultChanged]
    assert all(is_whole(play) for play in section.plays.all())
    section.refresh_from_db()
    assert section.results == len(plays) + 2  # counted from 1: each change once


def test_what_a_killed_process_has_said_is_stored_and_nothing_is_half_there():
    section = section_with(60, "mitchell", round=1, rounds=4, boards_per_round=2)
    plays = list(section.plays.values_list("pk", flat=True))
    here = {"DATABASE_URL": address_of_database(), "PYTHONPATH": str(settings.BASE_DIR)}
    writer = subprocess.Popen(
        [sys.executable, "-c", ENTERING, str(section.pk), *map(str, plays)],
        env={**os.environ, **here, "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    said = [int(writer.stdout.readline()) for _ in range(9)]

    writer.send_signal(signal.SIGKILL)
    said += [int(line) for line in writer.stdout if line.endswith("\n")]
    writer.wait()
    writer.stdout.close()

    stored = set(Result.objects.filter(stands=True).values_list("play", flat=True))
    assert set(said) <= stored
    assert len(stored - set(said)) <= 1  # stored, and killed before it could be said
    assert all(is_whole(play) for play in Play.objects.filter(pk__in=stored))
    # who did not hear that it was stored sends it again, and it is there once
    for play in plays:
        enter_result(section, play, {"score": 100}, after=0, by=None)
    assert Result.objects.count() == len(plays)
