"""An invented evening, without an account: limited, apart from all clubs, and gone after a day."""

import datetime

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import TRIAL, Club, User
from bridgebuddy.clubs.sign_in.limits import AttemptLimit
from bridgebuddy.demo.season import make_demo_club
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.forecast import round_beginnings
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import digits_of
from tests.director.reading import text
from tests.factories import section_with
from tests.table_phones.tapping import with_phones

pytestmark = pytest.mark.django_db
TRY = reverse("trial")


@pytest.mark.parametrize("to", ["desk", "player", "late", "end"])
def test_a_stranger_sits_down_with_one_press(client, to):
    page = client.post(TRY, {"to": to}, follow=True)

    section = Section.objects.get()
    assert page.status_code == 200
    assert f"/{section.code}/" in page.request["PATH_INFO"]
    assert section.session.is_rehearsal
    assert section.is_finished == (to == "end")
    assert Club.objects.get().memberships.get().is_helper


@pytest.mark.parametrize(("to", "round"), [("desk", 4), ("player", 4), ("late", 2)])
def test_a_visitor_arrives_in_a_round_with_results_and_a_clock_that_can_be_true(client, to, round):
    client.post(TRY, {"to": to})

    section = Section.objects.get()
    known = Result.objects.filter(play__section=section, stands=True)
    began, now = round_beginnings(section), timezone.now()
    assert section.round == round
    assert known.filter(play__round__lt=round).count() == 24 * (round - 1)
    assert known.filter(play__round=round).count() == 8
    assert section.session.planned_start <= began[1]
    assert began[round] < now < section.clock_ends_at
    assert not known.filter(at__gt=now).exists()


def test_whoever_tries_has_no_club_of_their_own_and_no_settings(client, settings):
    settings.SIGN_UP = False
    client.post(TRY)
    club = Club.objects.get()

    for name in ("club-settings", "members", "club-privacy"):
        assert client.get(reverse(name, args=[club.pk])).status_code == 404
    answer = client.post(reverse("new-club"), {"name": "For ever"})
    assert answer.url == reverse("account_signup")
    assert list(Club.objects.all()) == [club]
    # nobody has an account yet: the first director may still make one
    assert 'name="email"' in Client().get(reverse("account_signup")).content.decode()


def test_after_a_day_nothing_of_it_is_left(client, club, alice):
    ours = section_with(4, club=club, by=alice)
    client.post(TRY)
    Club.objects.exclude(trial_until=None).update(
        trial_until=timezone.now() - datetime.timedelta(minutes=1)
    )

    call_command("tidy", verbosity=0)

    assert list(Club.objects.all()) == [club]
    assert list(Section.objects.all()) == [ours]
    assert not User.objects.filter(email__endswith="invalid").exists()


def test_a_director_tries_in_their_own_club_and_nobody_joins_its_roster_for_good(
    club, alice, signed_in
):
    section_with(4, club=club, by=alice)
    before = set(club.people.all())

    signed_in(alice).post(TRY)
    session = club.events.get(name="Trial session").sessions.get()
    session.rehearsal_until = timezone.now()
    session.save()
    call_command("tidy", verbosity=0)

    assert set(club.people.all()) == before
    assert Club.objects.filter(trial_until=None).count() == Club.objects.count()


def test_so_many_may_try_and_no_more(client, monkeypatch):
    monkeypatch.setattr(
        "bridgebuddy.director.sessions.trial.OF_A_NETWORK",
        AttemptLimit("trials of a network", 0, 60),
    )

    assert client.post(TRY).status_code == 429
    assert not Club.objects.exists()


def test_a_server_may_want_no_trials(client, settings):
    settings.TRIALS = False

    assert client.get(TRY).status_code == 404
    assert TRY not in client.get("/").content.decode()


def test_pressed_on_to_the_end_every_result_is_there_and_little_is_left_to_check(client):
    client.post(TRY)
    section = Section.objects.get()

    client.post(reverse("press-on", args=[section.code]))

    section.refresh_from_db()
    tonight = SessionSnapshot(section)
    assert section.is_finished
    assert len(tonight.lines) == 7 * 24
    assert all(is_outcome_known(line.outcome) for line in tonight.lines)
    assert len(SectionDoubts(tonight).open_doubts) <= 1
    places = [row.place for row in ScoredSession(tonight).main_lists[0].standings]
    assert len(places) == 8
    assert places[0] == "1"


def test_after_the_end_no_pair_sits_out_now(browser, club, alice):
    section = section_with(13, "mitchell", round=6, club=club, by=alice)
    section = rounds.start_next_round(section, after=6, by=alice)
    desk = reverse("desk", args=[section.code])
    assert "Sits out now" in text(browser.get(desk))

    rounds.finish_session(section, round=7, by=alice)

    assert "Sits out now" not in text(browser.get(desk))


def test_visitors_read_the_words_of_the_demo_club_in_their_language(client):
    make_demo_club("a long password")

    page = text(client.get(reverse("home"), headers={"accept-language": "de"}))

    assert "Offenes Paarturnier, Runde 4 von 7" in page
    assert "Open Pairs" not in page


def test_the_phone_of_a_trial_shows_the_digits_that_open_its_table(client):
    client.post(TRY, {"to": "player"})
    section = Section.objects.get()
    pair = section.entries.first()
    table = reverse("table", args=[section.code, 1])

    asked = client.get(f"{table}?who={pair.pk}")
    digits = digits_of(section, 1, phone_settings_of(section))

    assert f'value="{digits}"' in asked.content.decode()
    assert f"the four digits of table 1 are {digits}" in text(asked)
    opened = client.post(
        reverse("table-digits", args=[section.code, 1]), {"digits": digits, "who": pair.pk}
    )
    assert opened.url.startswith(table)


def test_a_real_session_shows_no_digits(client, club, alice):
    section = with_phones(section_with(8, "howell", round=1, club=club, by=alice))
    digits = digits_of(section, 1, phone_settings_of(section))

    asked = Client().get(reverse("table", args=[section.code, 1]))

    assert asked.status_code == 403
    assert digits not in asked.content.decode()


def test_a_visitor_leaves_a_trial_by_the_first_page(client, alice):
    alice.set_password("long-enough-1")
    alice.save()
    client.post(TRY)
    trial_user = User.objects.get(email__endswith=TRIAL)

    page = client.get("/").content.decode()
    for name in ("account_login", "account_signup"):
        assert reverse(name) in page
        assert client.get(reverse(name)).status_code == 200
    assert 'name="code"' in page
    assert client.get("/").context["user"] == trial_user  # looking ends no trial

    answers = {"login": alice.email, "password": "long-enough-1"}
    home = client.post(reverse("account_login"), answers, follow=True)
    assert home.context["user"] == alice
    assert 'name="code"' not in home.content.decode()


def test_a_visitor_of_a_trial_creates_an_account_and_a_club(client):
    client.post(TRY)

    answers = {"email": "gerda@example.org", "password1": "long-enough-1"}
    page = client.post(reverse("account_signup"), answers, follow=True)

    assert page.context["user"].email == "gerda@example.org"
    assert page.redirect_chain[-1][0] == reverse("new-club")
