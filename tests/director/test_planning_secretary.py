"""The secretary plans sessions without running them: new ones, and changes of those that are coming."""

import datetime

import pytest

from bridgebuddy.clubs.models import Membership, Role, User
from bridgebuddy.director.sessions.forms import SessionForm
from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.services.setup.sections import divide_entries
from tests.factories import ClubFactory, member_of, section_to_enter, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def secretary(club, signed_in):
    return signed_in(member_of(club, Role.SECRETARY))


def answers(club, **other):
    return {
        "club": club.pk,
        "name": "Tuesday O'Pairs",
        "date": (club.today + datetime.timedelta(days=3)).isoformat(),
        "starts_at": "19:00",
        "fewest_boards": "20",
        "most_boards": "26",
        "minutes_per_board": "7",
        "contest": "pairs",
        **other,
    }


def test_a_secretary_plans_a_session_and_returns_to_the_coming_weeks(secretary, club):
    form = secretary.get("/sessions/new/").content.decode()
    assert "Plan the session" in form
    assert "Paste a list" not in form

    answer = secretary.post("/sessions/new/", answers(club), follow=True)

    assert answer.redirect_chain == [(f"/clubs/{club.pk}/weeks/", 302)]
    assert Session.objects.get().event.name == "Tuesday O'Pairs"
    page = answer.content.decode()
    assert "Tuesday O&#x27;Pairs" in page
    assert "/coming/" not in page


def test_a_pasted_list_of_a_secretary_is_not_lost_without_a_word(secretary, club):
    """Pasted for a club that one runs, then the club is changed to one that one only plans for."""
    answer = secretary.post("/sessions/new/", answers(club, pairs="Anna North & Ben South"))

    assert answer.status_code == 422
    assert "Take the list away" in answer.content.decode()
    assert "Anna North &amp; Ben South" in answer.content.decode()
    assert not Session.objects.exists()


def test_the_chosen_club_counts_before_that_of_the_address(secretary, club):
    other = ClubFactory()
    membership = Membership(
        club=other, user=User.objects.get(pk=secretary.session["_auth_user_id"])
    )
    membership.set_roles([Role.SECRETARY])
    membership.save()

    secretary.post(f"/sessions/new/?club={club.pk}", answers(other))

    assert Session.objects.get().event.club == other


def test_a_secretary_moves_a_coming_session_and_reaches_nothing_else_of_it(secretary, club, alice):
    section = section_to_enter(club, alice)
    later = (section.session.date + datetime.timedelta(days=7)).isoformat()
    sent = answers(club, date=later, name="Wednesday")

    form = secretary.get(f"/s/{section.code}/edit/")
    answer = secretary.post(f"/s/{section.code}/edit/", sent)

    assert form.status_code == 200
    assert "/s/" not in form.content.decode().partition('id="main"')[2]
    assert answer.url == f"/clubs/{club.pk}/weeks/"
    section.session.refresh_from_db()
    assert section.session.date.isoformat() == later
    for page in ("entries/", "coming/", "desk/", "delete/"):
        assert secretary.get(f"/s/{section.code}/{page}").status_code == 404


@pytest.mark.parametrize("begun", [True, False])
def test_a_session_that_has_begun_or_is_over_stays_with_those_who_run_it(
    secretary, club, alice, begun
):
    section = section_with(4, "howell", round=int(begun), club=club, by=alice)
    section.session.date = club.today - datetime.timedelta(days=0 if begun else 1)
    section.session.save()

    answer = secretary.post(f"/s/{section.code}/edit/", answers(club, name="Taken over"))

    assert answer.status_code == 404
    section.session.event.refresh_from_db()
    assert section.session.event.name != "Taken over"


def test_a_session_that_begins_while_a_secretary_saves_it_stays_as_it_was(
    secretary, club, alice, monkeypatch
):
    section = section_to_enter(club, alice)
    valid = SessionForm.is_valid

    def begins_meanwhile(form):
        Section.objects.filter(pk=section.pk).update(round=1)
        return valid(form)

    monkeypatch.setattr(SessionForm, "is_valid", begins_meanwhile)
    answer = secretary.post(
        f"/s/{section.code}/edit/", answers(club, name="Taken over"), follow=True
    )

    assert "The session has begun" in answer.content.decode()
    assert not Session.objects.filter(event__name="Taken over").exists()


@pytest.mark.parametrize("role", [Role.MEMBER, Role.SCORER, Role.TREASURER])
def test_no_other_role_plans(club, signed_in, role):
    other = signed_in(member_of(club, role))

    assert other.get("/sessions/new/").status_code == 404
    assert other.post("/sessions/new/", answers(club)).status_code == 404
    assert not Session.objects.exists()


def test_a_secretary_of_one_club_plans_nothing_in_another(secretary, club, carol):
    other = carol.clubs.get()

    secretary.post("/sessions/new/", answers(other))

    assert [session.event.club for session in Session.objects.all()] in ([], [club])
    assert not Session.objects.filter(event__club=other).exists()


def test_the_home_of_a_secretary_leads_to_the_plan(secretary, club):
    home = secretary.get(f"/clubs/{club.pk}/home/").content.decode()

    assert f'href="/clubs/{club.pk}/weeks/"' in home
    assert "/sessions/new/" in secretary.get(f"/clubs/{club.pk}/weeks/").content.decode()


def test_a_session_of_which_another_section_plays_stays_with_those_who_run_it(
    secretary, club, alice
):
    section = section_with(8, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    both = divide_entries(section, [keys[:4], keys[4:]], same_deals=True, by=alice)
    Session.objects.update(date=club.today)
    Section.objects.filter(pk=both[1].pk).update(round=1)

    answer = secretary.post(f"/s/{both[0].code}/edit/", answers(club, name="Taken over"))

    assert answer.status_code == 404


def test_the_coming_weeks_lead_to_no_change_of_a_session_that_is_played(secretary, club, alice):
    section = section_with(4, "howell", round=1, club=club, by=alice)
    Session.objects.update(date=club.today)
    weeks = f"/clubs/{club.pk}/weeks/"

    assert f"/s/{section.code}/edit/" not in secretary.get(weeks).content.decode()
    Section.objects.update(round=0)
    assert f"/s/{section.code}/edit/" in secretary.get(weeks).content.decode()
