"""Results of the engine are computed once, and anew after a patch that may change them."""

import os

import pytest

from bridgebuddy.director.movement import views
from movements.engine import adviser
from movements.engine.adviser import Wishes

from .worked_out import WORKED_OUT

pytestmark = pytest.mark.django_db
ADVISE = "bridgebuddy.director.movement.views.advise_movements"


@pytest.fixture(autouse=True)
def anew():
    WORKED_OUT.forget()
    yield
    WORKED_OUT.forget()


def test_what_is_asked_again_is_what_the_engine_says():
    first = views.advise_movements(Wishes(8))

    assert views.advise_movements(Wishes(8)) == first == adviser.advise_movements(Wishes(8))
    assert len(WORKED_OUT._known[ADVISE]) == 1
    assert views.advise_movements(Wishes(8), family_name="howell") != first


def test_who_has_put_something_in_a_part_of_the_engines_place_has_it_worked_out(monkeypatch):
    views.advise_movements(Wishes(8))
    monkeypatch.setattr("movements.engine.adviser._all_advice", lambda *_: iter(()))

    assert views.advise_movements(Wishes(8)) == ()


def test_a_fork_works_it_out_itself():
    views.advise_movements(Wishes(8))

    if not (fork := os.fork()):
        os._exit(len(WORKED_OUT._known[ADVISE]))

    assert os.waitpid(fork, 0)[1] == 0
    assert len(WORKED_OUT._known[ADVISE]) == 1
