"""Accounts, clubs and rosters."""

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club, Membership, Person, Role, User, searchable
from bridgebuddy.clubs.people.names import parts_that_identify
from tests.factories import ClubFactory, PersonFactory
from tests.markup import words

pytestmark = pytest.mark.django_db


def test_an_account_is_made_with_an_address_and_a_password(client):
    answer = client.post(
        reverse("account_signup"),
        {"email": "new@example.org", "password1": "right horse battery"},
        follow=True,
    )

    assert User.objects.get(email="new@example.org").has_usable_password()
    assert "Create your club" in words(answer)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"email": "no address", "password1": "right horse battery"}, "valid email address"),
        ({"email": "new@example.org", "password1": "short"}, "too short"),
        ({"email": "new@example.org", "password1": ""}, "This field is required."),
    ],
)
def test_bad_sign_ups_get_a_sentence(client, answers, sentence):
    answer = client.post(reverse("account_signup"), answers)

    assert sentence in words(answer)
    assert not User.objects.exists()


def test_a_wrong_password_is_refused_kindly(client, alice):
    answer = client.post(
        reverse("account_login"), {"login": "alice@example.org", "password": "wrong"}
    )

    assert "not correct" in words(answer)


def test_signing_in_and_out(client, alice):
    client.post(
        reverse("account_login"), {"login": "alice@example.org", "password": "right horse battery"}
    )
    assert "Sign out" in words(client.get(reverse("account")))

    client.post(reverse("account_logout"))
    assert "Are you playing today?" in words(client.get(reverse("home")))


@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"],
)
def test_every_account_page_is_in_the_house_style(client, name):
    assert "topbar" in client.get(reverse(name)).content.decode()


def test_settings_are_saved_and_bad_ones_refused(club, alice, signed_in):
    address = reverse("club-paper", args=[club.pk])
    browser = signed_in(alice)

    browser.post(address, {"name": "New Name", "paper": "letter", "stand_word": "relay"})
    club.refresh_from_db()
    assert (club.name, club.paper, club.stand_word) == ("New Name", "letter", "relay")

    answer = browser.post(address, {"name": "", "paper": "papyrus", "stand_word": "relay"})
    assert answer.status_code == 422
    club.refresh_from_db()
    assert club.name == "New Name"


def test_people_are_spelt_anew_but_never_alike(club, alice, signed_in):
    person, other = PersonFactory(club=club, name="Jurgen Wolf"), PersonFactory(club=club)
    browser = signed_in(alice)

    def rename(user, name):
        address = reverse("edit-player", args=[club.pk, user.pk])
        return browser.post(address, {"name": name})

    rename(person, "Jürgen Wolf")
    assert Person.objects.get(pk=person.pk).name == "Jürgen Wolf"
    assert "tells them apart" in words(rename(other, "jurgen wolf"))
    assert rename(PersonFactory(), "Stolen").status_code == 404


def test_names_are_folded_for_searching():
    assert searchable("  Jürgen  GROẞ ") == "jurgen gross"
    assert searchable("Zoë O'Neill") == "zoe o'neill"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("남궁민수", ["남궁민수", "남궁", "민수"]),
        ("독고영재", ["독고영재", "독고", "영재"]),
        ("동방신기", ["동방신기", "동방", "신기"]),
        ("사공일지", ["사공일지", "사공", "일지"]),
        ("서문영수", ["서문영수", "서문", "영수"]),
        ("선우용녀", ["선우용녀", "선우", "용녀"]),
        ("제갈공명", ["제갈공명", "제갈", "공명"]),
        ("황보혜정", ["황보혜정", "황보", "혜정"]),
        ("김철수", ["김철수", "철수", "김"]),
        ("Jo Ott", ["Ott", "Jo"]),
        ("J. Ott", ["Ott"]),
    ],
)
def test_a_name_has_the_parts_by_which_a_person_is_recognized(name, parts):
    assert parts_that_identify(name) == parts


def test_the_address_of_a_refused_form_opened_again_is_the_club_s_page(club, alice, signed_in):
    page = reverse("members", args=[club.pk])

    assert signed_in(alice).get(reverse("invite", args=[club.pk])).url == page


def test_the_switches_of_the_phones_are_on_until_a_director_turns_them_off(signed_in, alice, club):
    browser, address = signed_in(alice), reverse("club-privacy", args=[club.pk])
    assert (club.phones_show_names, club.phones_show_later_rounds) == (True, True)

    browser.post(address, {"phones_show_later_rounds": "False"})

    club.refresh_from_db()
    assert (club.phones_show_names, club.phones_show_later_rounds) == (True, False)


def test_a_new_club_is_directed_by_its_founder_alone(signed_in, bob):
    signed_in(bob).post(reverse("new-club"), {"name": "Neuer Club"})

    [founder] = Club.objects.get(name="Neuer Club").memberships.all()
    assert (founder.user, founder.roles) == (bob, [Role.DIRECTOR])


def test_a_new_clubs_phones_show_everything(signed_in, bob):
    signed_in(bob).post(reverse("new-club"), {"name": "Neuer Club"})

    new = Club.objects.get(name="Neuer Club")
    assert (new.phones_show_names, new.phones_show_later_rounds) == (True, True)


def test_what_was_stored_can_be_taken_back_on_this_device(club, alice, signed_in):
    address = reverse("club-settings", args=[club.pk])
    browser = signed_in(alice)
    assert "Undo" not in words(browser.get(address))

    browser.post(address, {"results_come": "both"})
    browser.post(address, {"usual_boards": "21"})
    page = browser.get(address)
    club.refresh_from_db()
    assert (club.results_come, club.usual_boards) == ("both", 21)
    assert "Saved. Undo" in words(page)

    browser.post(address, page.context["undo"] | {"undo": "1"})
    club.refresh_from_db()
    assert (club.results_come, club.usual_boards) == ("both", 24)
    assert "Undo" not in words(browser.get(address))


def test_the_settings_of_each_club_of_a_director_are_taken_back_alone(club, alice, signed_in):
    other = ClubFactory()
    Membership.objects.create(club=other, user=alice, is_director=True)
    address, others_address = (reverse("club-settings", args=[pk]) for pk in (club.pk, other.pk))
    browser = signed_in(alice)

    browser.post(address, {"usual_boards": "21"})
    assert "Undo" not in words(browser.get(others_address))
    browser.post(others_address, {"usual_boards": "18"})

    assert browser.get(address).context["undo"]["usual_boards"] == "24"
    browser.post(others_address, {"undo": "1", "usual_boards": "24"})
    assert "Saved. Undo" in words(browser.get(address))
    assert "Undo" not in words(browser.get(others_address))


@pytest.mark.parametrize(
    ("zone", "paper"),
    [("America/Chicago", "letter"), ("Europe/Berlin", "a4"), ("America/Sao_Paulo", "a4")],
)
def test_a_new_club_has_the_paper_of_its_country(signed_in, bob, zone, paper):
    answers = {"name": "New Club", "time_zone": zone, "usual_day": "1", "usual_start": "14:00"}

    signed_in(bob).post(reverse("new-club"), answers)

    club = Club.objects.get(name="New Club")
    assert (club.paper, club.usual_day, club.results_come) == (paper, 1, "phones")


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("Europe/Vienna", "Europe/Vienna"), ("UTC", ""), ("Etc/UTC", ""), ("Mars/Base", "")],
)
def test_a_browser_that_hides_its_place_gives_a_new_club_the_servers_time(
    signed_in, bob, zone, expected
):
    answers = {"name": "New Club", "time_zone": zone, "usual_day": "1", "usual_start": "14:00"}

    signed_in(bob).post(reverse("new-club"), answers)

    assert Club.objects.get(name="New Club").time_zone == expected


def test_the_settings_show_the_time_zone_by_which_the_clocks_run(club, alice, signed_in):
    Club.objects.filter(pk=club.pk).update(time_zone="UTC")

    answer = signed_in(alice).get(reverse("club-paper", args=[club.pk]))

    assert '<option value="UTC" selected>UTC</option>' in answer.content.decode()


def test_somebody_is_called_in_the_history_as_they_like(alice, signed_in):
    browser = signed_in(alice)
    assert str(alice) == "alice"

    browser.post(reverse("account"), {"first_name": " Alice  Weber "})

    alice.refresh_from_db()
    assert str(alice) == "Alice Weber"
    assert browser.post(reverse("account"), {"first_name": "\u200b"}).status_code == 422
