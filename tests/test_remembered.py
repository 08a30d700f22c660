"""An evening restored as rows equals a new one, except for its keys, its code and its time."""

from ast import literal_eval
from datetime import datetime, timedelta

import pytest
from django.apps import apps
from django.db.models import Max
from django.utils import timezone

from bridgebuddy.clubs.models import Club, User
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.services import results

from . import remembered
from .factories import ClubFactory, director_of, section_with
from .scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

EVENINGS = [
    (16, "skip-mitchell", {"round": 3}),
    (9, "two-way-rover", {"round": 2, "boards_per_round": 4}),
    (8, "howell", {}),
    (7, None, {}),
    (0, None, {}),
    (20, "rainbow", {"contest": "individual", "round": 2}),
    (8, "team-round-robin", {"contest": "teams", "boards_per_round": 4, "round": 2}),
    (12, "share-and-relay", {"round": 6}),
    (9, "swiss", {"contest": "teams", "boards_per_round": 4, "round": 1}),
    (8, "howell", {"rounds": 2, "seed": 3}),  # with results
]


@pytest.fixture(autouse=True)
def apart():
    """Patch outside of the `monkeypatch` fixture, with no evenings made before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(remembered.EVENINGS, "_made", {})
        yield patch


def asked_for():
    return sorted(
        (literal_eval(asked) for asked, *_ in remembered.EVENINGS._made), key=lambda item: item[2]
    )


def last_keys():
    return {
        model: model._base_manager.aggregate(last=Max("pk"))["last"] for model in apps.get_models()
    }


def evening(pairs, family, asked):
    """Make one in a club of its own; return it, and all its rows with keys and times that begin at its own."""
    club = ClubFactory()
    by = director_of(club)
    before, began = last_keys(), timezone.now()
    make = scored_section if "seed" in asked else section_with
    section = make(pairs, family, club=club, by=by, **asked)
    rows = {
        model: list(model._base_manager.filter(pk__gt=last or 0).order_by("pk"))
        for model, last in before.items()
        if last is None or isinstance(last, int)
    }
    first = {model: found[0].pk for model, found in rows.items() if found}
    first |= {Club: club.pk, User: by.pk}
    return section, {
        model: [comparable_row(row, first, began) for row in found] for model, found in rows.items()
    }


def comparable_row(row, first, began):
    """Return a row as it is whenever and wherever it is made."""
    found = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        of = field.related_model or (type(row) if field.primary_key else None)
        if field.attname == "subject_id":
            of = Section
        if of and value is not None:
            value -= first[of]
        if isinstance(value, datetime) and field.attname != "code_ends_at":
            value = round((value - began).total_seconds() / 60)
        found[field.attname] = value
    if "seats" in found:
        found["seats"] = {int(key) - first[Entry]: at for key, at in found["seats"].items()}
    if "code" in found:
        assert len(found.pop("code")) == 6
        found["clocks_before"] = {
            number: [
                round((datetime.fromisoformat(at) - began).total_seconds() / 60),
                round(left / 60),
                paused,
            ]
            for number, (at, left, paused) in found["clocks_before"].items()
        }
    return found


@pytest.mark.parametrize(("pairs", "family", "asked"), EVENINGS)
def test_it_is_the_same_as_if_it_were_made(pairs, family, asked, apart):
    section_with(5, "howell", round=1)  # so that keys begin elsewhere in each table
    _, made = evening(pairs, family, asked)
    came, again = [], remembered.StoredEvening.again
    apart.setattr(remembered.StoredEvening, "again", lambda *of: came.append(1) or again(*of))

    first, second_time = evening(pairs, family, asked)
    now = timezone.now
    apart.setattr(timezone, "now", lambda: now() + timedelta(hours=5))
    other, third_time = evening(pairs, family, asked)

    assert made == second_time == third_time
    assert first.code != other.code
    assert came == [1, 1]


def test_who_has_put_something_in_a_services_place_makes_their_own(monkeypatch):
    section_with(10, "mitchell", round=1)
    monkeypatch.setattr(
        "bridgebuddy.printing.rendering.cache.render_pdf", str.encode
    )  # no service asks it
    assert section_with(10, "mitchell", round=1).plays.exists()
    monkeypatch.setattr(rounds, "write_plays", lambda *_: None)

    section = section_with(10, "mitchell", round=1)

    assert not section.plays.exists()


def test_who_has_put_something_in_the_place_of_what_enters_results_makes_their_own(monkeypatch):
    scored_section(8, "howell")
    monkeypatch.setattr(results, "check_possible", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        scored_section(8, "howell")


def test_who_has_changed_a_setting_makes_their_own(settings):
    section_with(10, "mitchell", round=1)
    made = {pairs for pairs, *_ in asked_for()}
    settings.TIME_ZONE = "Asia/Seoul"

    section_with(14, "mitchell", round=1)

    assert made == {pairs for pairs, *_ in asked_for()} == {10}


def test_what_goes_on_from_an_evening_goes_on_from_what_was_made_before(apart):
    section_with(10, "mitchell", round=1)
    came, again = [], remembered.StoredEvening.again
    apart.setattr(remembered.StoredEvening, "again", lambda *of: came.append(1) or again(*of))

    section = section_with(10, "mitchell", round=2)

    assert came == [1]
    assert [round for _, _, round, *_ in asked_for()] == [0, 0, 1, 2]
    assert set(section.plays.values_list("round", flat=True)) == {1, 2}


def test_a_club_in_which_something_has_happened_makes_its_own(club, alice):
    section_with(4, "howell", club=club, by=alice)

    section_with(4, "howell", club=club, by=alice)

    assert club.people.count() == 8


def test_it_goes_on_like_any_other():
    section_with(10, "mitchell", round=1)
    section = section_with(10, "mitchell", round=1)
    by = section.session.event.club.memberships.get().user
    results.enter_result(section, section.plays.first().pk, {"passed": True}, by=by)
    section = rounds.start_next_round(section, after=1, by=by)
    rounds.take_back_round(section, round=2, by=by)

    assert Section.objects.get(pk=section.pk).round == 1
