"""Opening a session, and changing it."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Club, CodeExpiry, Person
from bridgebuddy.events.models import Event, Section, Session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.table_phones.models import PhoneSettings
from tests.factories import PersonFactory, director_of, section_with
from tests.markup import words

pytestmark = pytest.mark.django_db

ANSWERS = {
    "name": "Tuesday Pairs",
    "date": "2026-11-24",
    "starts_at": "19:00",
    "fewest_boards": "24",
    "most_boards": "28",
    "minutes_per_board": "7",
}


def test_a_new_session_leads_to_its_entries(club, alice, signed_in):
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS)

    section = Section.objects.get()
    assert answer.headers["Location"] == reverse("entries", args=[section.code])
    assert (section.club, section.session.minutes_per_board) == (club, 7)


def test_first_settings_are_recorded_as_no_change_and_later_ones_are(alice, signed_in):
    browser = signed_in(alice)
    browser.post(reverse("new-session"), ANSWERS | {"results_come": "slips"})
    section = Section.objects.get()

    def actions():
        records = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
        return [record.action for record in records.order_by("pk")]

    assert PhoneSettings.objects.get().mode == "none"
    assert actions() == ["section.open"]
    sent = {"mode": "any", "agreement": "accept", "feedback": "none"}
    assert browser.post(reverse("phones", args=[section.code]), sent).status_code == 302
    assert actions() == ["section.open", "tables.phones"]


@pytest.mark.parametrize("day", ["9999-12-31", "9999-12-24", "0001-01-01", "1999-12-31"])
@pytest.mark.parametrize("page", ["new-session", "edit-session", "copy-session"])
def test_a_day_that_no_calendar_shows_is_refused_in_words(page, day, club, alice, signed_in):
    section = section_with(8, "howell", club=club, by=alice)
    address = reverse(page, args=[] if page == "new-session" else [section.code])

    answer = signed_in(alice).post(address, ANSWERS | {"date": day})

    assert answer.status_code == 422
    assert "A session is between the years 2000 and 2199." in words(answer)
    assert Session.objects.count() == 1


@pytest.mark.parametrize("page", ["new-session", "edit-session", "copy-session"])
def test_a_day_a_hundred_years_ahead_is_asked_about_and_then_taken(page, club, alice, signed_in):
    section = section_with(8, "howell", club=club, by=alice)
    address = reverse(page, args=[] if page == "new-session" else [section.code])
    day = f"{timezone.localdate().year + 100}-11-24"
    browser = signed_in(alice)

    asked = browser.post(address, ANSWERS | {"date": day})
    assert asked.status_code == 422
    assert "If it is, press the button again." in words(asked)
    sure_of = re.search(r'name="sure_of" value="([^"]+)"', asked.content.decode()).group(1)

    browser.post(address, ANSWERS | {"date": day, "sure_of": sure_of})
    assert Session.objects.filter(date=day).exists()


@pytest.mark.parametrize(("years", "status"), [(1, 302), (3, 302), (4, 422)])
def test_a_day_of_the_next_three_years_is_not_asked_about(years, status, club, alice, signed_in):
    day = f"{timezone.localdate().year + years}-01-12"

    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"date": day})

    assert answer.status_code == status


@pytest.mark.parametrize("ends", CodeExpiry.values)
def test_a_session_of_the_last_day_there_is_can_be_kept_and_copied(ends, club, alice, signed_in):
    section = section_with(8, "howell", club=club, by=alice)
    Club.objects.update(codes_end=ends)
    Session.objects.update(date=datetime.date(9999, 12, 31))
    section = Section.objects.get(pk=section.pk)

    section.touch()

    browser = signed_in(alice)
    for name in ("entries", "desk", "copy-session", "edit-session", "choose-movement", "print"):
        assert browser.get(reverse(name, args=[section.code])).status_code == 200, name


def key_on(page):
    """The key of a page with the form of a new session."""
    return re.search(r'name="key" value="([^"]+)"', page.content.decode())[1]


def test_a_button_pressed_twice_opens_one_session(alice, signed_in):
    browser, address = signed_in(alice), reverse("new-session")
    answers = ANSWERS | {"pairs": "A B, C D", "key": key_on(browser.get(address))}

    first, second = browser.post(address, answers), browser.post(address, answers)

    assert first.headers["Location"] == second.headers["Location"]
    assert Section.objects.get().entries.count() == 1


def test_the_same_answers_on_another_page_open_another_session(alice, signed_in):
    browser, address = signed_in(alice), reverse("new-session")

    for _ in range(2):
        browser.post(address, ANSWERS | {"key": key_on(browser.get(address))})

    assert Session.objects.count() == 2


def test_who_goes_back_and_changes_an_answer_opens_another_session(alice, signed_in):
    browser, address = signed_in(alice), reverse("new-session")
    answers = ANSWERS | {"key": key_on(browser.get(address))}

    for day in ("2026-11-24", "2026-12-01"):
        browser.post(address, answers | {"date": day})

    assert [session.date.isoformat() for session in Session.objects.all()] == [
        "2026-11-24",
        "2026-12-01",
    ]


def test_answers_that_are_corrected_keep_the_key_of_the_page(alice, signed_in):
    browser, address = signed_in(alice), reverse("new-session")
    key = key_on(browser.get(address))

    refused = browser.post(address, ANSWERS | {"key": key, "name": ""})

    assert key_on(refused) == key


def test_last_sessions_answers_are_filled_in(club, alice, signed_in):
    browser = signed_in(alice)
    browser.post(reverse("new-session"), ANSWERS | {"starts_at": "14:30", "minutes_per_board": "8"})

    page = browser.get(reverse("new-session")).content.decode()

    assert 'value="14:30"' in page
    assert 'value="8"' in page
    assert 'value="Tuesday Pairs"' in page


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"date": "tomorrow"}, "Enter a valid date."),
        ({"starts_at": "25:00"}, "Enter a valid time."),
        ({"fewest_boards": "0"}, "Play 1 to 120 boards."),
        ({"most_boards": "200"}, "Play 1 to 120 boards."),
        ({"fewest_boards": "28", "most_boards": "24"}, "The maximum is smaller"),
        ({"minutes_per_board": "0"}, "Give a board 3 to 15 minutes."),
        ({"minutes_per_board": "16"}, "Give a board 3 to 15 minutes."),
        ({"fewest_boards": "-1"}, "Play 1 to 120 boards."),
        ({"most_boards": "121"}, "Play 1 to 120 boards."),
        ({"name": "   "}, "This field is required."),
        ({"minutes_per_board": "seven"}, "Enter a whole number."),
    ],
)
def test_wrong_answers_get_a_sentence_and_keep_the_others(alice, signed_in, wrong, sentence):
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"name": "Kept"} | wrong)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert not Section.objects.exists()
    if "name" not in wrong:
        assert 'value="Kept"' in answer.content.decode()


def test_a_session_can_be_changed(skip_section, alice, signed_in):
    browser = signed_in(alice)
    address = reverse("edit-session", args=[skip_section.code])
    assert browser.get(address).status_code == 200

    browser.post(address, ANSWERS | {"name": "Christmas Pairs", "minutes_per_board": "9"})

    section = Section.objects.get(pk=skip_section.pk)
    assert section.session.event.name == "Christmas Pairs"
    assert section.session.minutes_per_board == 9


def test_a_club_that_has_never_played_gets_the_usual_answers(alice, signed_in):
    page = signed_in(alice).get(reverse("new-session")).content.decode()

    for value in (timezone.localdate().isoformat(), "19:00", "24", "28", "7"):
        assert f'value="{value}"' in page


def test_the_pairs_may_come_with_the_session(alice, signed_in):
    pairs = "Hanna Brandt & Karl Fischer\nIda Stein, Otto Stein"

    signed_in(alice).post(reverse("new-session"), ANSWERS | {"pairs": pairs})

    assert [entry.names for entry in Section.objects.get().entries.all()] == [
        "Hanna Brandt & Karl Fischer",
        "Ida Stein & Otto Stein",
    ]


def test_a_list_with_a_doubt_is_shown_before_it_is_taken(alice, signed_in):
    browser, text = signed_in(alice), "Anna Ost, Karl West\n\nIda Berg, anna ost"

    answer = browser.post(reverse("new-session"), ANSWERS | {"pairs": text})

    section = Section.objects.get()
    assert section.entries.count() == 0
    assert "Check the list" in answer.content.decode()
    assert "anna ost is also in an earlier line." in answer.content.decode()
    assert reverse("take-list", args=[section.code]) in answer.content.decode()


def test_a_list_with_a_session_knows_the_clubs_people(alice, signed_in, club):
    PersonFactory(club=club, name="Hans Müller")

    signed_in(alice).post(reverse("new-session"), ANSWERS | {"pairs": "Müller H., Uta Winter"})

    assert Section.objects.get().entries.get().names == "Hans Müller & Uta Winter"


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ("\n".join(f"Anna Ost{n}, Karl West{n}" for n in range(121)), "120 pairs are the most"),
        ("A B, C D\n" * 6000, "at most 50000 characters"),
    ],
)
def test_pairs_that_cannot_be_entered_open_no_session(alice, signed_in, pairs, sentence):
    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"pairs": pairs})

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert pairs[:8].replace("&", "&amp;") in answer.content.decode()
    assert not Section.objects.exists()
    assert not Person.objects.exists()


def test_a_name_is_text_whatever_is_in_it(alice, signed_in):
    browser = signed_in(alice)
    name = "<script>alert(1)</script> & O'Neill"

    answer = browser.post(reverse("new-session"), ANSWERS | {"name": name}, follow=True)

    assert "<script>alert" not in answer.content.decode()
    assert Event.objects.get().name == name
    assert "<script>alert" not in browser.get(reverse("home")).content.decode()
    assert "<script>alert" not in browser.get(reverse("new-session")).content.decode()


def test_a_session_of_an_old_name_belongs_to_the_old_event(alice, signed_in):
    browser = signed_in(alice)

    browser.post(reverse("new-session"), ANSWERS)
    browser.post(reverse("new-session"), ANSWERS | {"name": "  Tuesday   Pairs "})

    assert Event.objects.count() == 1
    assert Session.objects.count() == 2


def test_wrong_changes_of_a_session_are_refused_and_nothing_is_lost(skip_section, alice, signed_in):
    address = reverse("edit-session", args=[skip_section.code])

    answer = signed_in(alice).post(address, ANSWERS | {"most_boards": "200", "name": "Kept"})

    assert answer.status_code == 422
    assert "Play 1 to 120 boards." in words(answer)
    assert 'value="Kept"' in answer.content.decode()
    assert Section.objects.get(pk=skip_section.pk).session.date == datetime.date(2026, 11, 24)


def test_a_director_of_two_clubs_says_which_one_plays(club, alice, signed_in):
    other = director_of(Club.objects.create(name="Second"), email="x@example.org").clubs.get()
    other.memberships.create(user=alice, is_director=True)

    answer = signed_in(alice).post(reverse("new-session"), ANSWERS | {"club": other.pk})

    assert answer.status_code == 302
    assert Section.objects.get().club == other


def test_nobody_opens_a_session_for_another_club(club, alice, carol, signed_in):
    signed_in(alice).post(reverse("new-session"), ANSWERS | {"club": carol.clubs.get().pk})

    assert Section.objects.get().club == club


def test_strangers_sign_in_first(client):
    answer = client.post(reverse("new-session"), ANSWERS)

    assert answer.headers["Location"].startswith(reverse("account_login"))
    assert not Section.objects.exists()


def test_a_list_of_teams_with_names_is_shown_before_it_is_taken(alice, signed_in):
    text = "Die Wölfe: Hanna Brandt, Karl Fischer, Ida Stein, Otto Stein"

    answer = signed_in(alice).post(
        reverse("new-session"), ANSWERS | {"contest": "teams", "pairs": text}
    )

    assert 'value="Die Wölfe"' in answer.content.decode()


def test_a_line_that_is_no_pair_is_asked_about_with_the_others(alice, signed_in):
    text = "Hanna Brandt & Karl Fischer\nOnly One\nEvening of 24 November - entries"

    page = signed_in(alice).post(reverse("new-session"), ANSWERS | {"pairs": text})

    rows = page.context["preview"].rows
    assert [(row.is_clear, row.is_taken) for row in rows] == [
        (True, True),
        (False, True),
        (False, False),
    ]
    assert not Section.objects.get().entries.exists()


def test_a_line_that_looks_clear_can_be_mended_or_left_out_too(alice, signed_in):
    browser = signed_in(alice)
    text = "Hanna Brandt & Karl Fischer\nOtto Gold & Ida Stein\nUta & Max"
    page = browser.post(reverse("new-session"), ANSWERS | {"pairs": text})
    section = Section.objects.get()
    lines = {"pairs": text, "line": ["1", "2"], "clear-1": "1", "clear-2": "1", "leave-2": "1"}
    names = {"name-1-1": "Hannah Brandt", "name-1-2": "Karl Fischer"}
    names |= {"name-2-1": "Otto Gold", "name-2-2": "Ida Stein"}

    assert page.content.decode().count('name="name-1-1"') == 1
    browser.post(reverse("take-list", args=[section.code]), lines | names)

    assert [entry.names for entry in section.entries.all()] == ["Hannah Brandt & Karl Fischer"]


def test_with_a_list_to_look_at_the_session_is_said_to_be_open(club, alice, signed_in):
    page = signed_in(alice).post(reverse("new-session"), ANSWERS | {"pairs": "Hanna & Karl"})

    said = words(page)
    assert Section.objects.count() == 1
    assert "The session is open." in said
    assert "Nothing of the list is saved yet." in said


@pytest.mark.parametrize(
    ("come", "mode", "slips_too"),
    [("phones", "secret", False), ("slips", "none", False), ("both", "secret", True)],
)
def test_how_results_come_is_asked_when_the_session_is_made(
    alice, club, signed_in, come, mode, slips_too
):
    browser = signed_in(alice)
    browser.post(reverse("new-session"), ANSWERS | {"results_come": come})

    phones = Section.objects.get().session.phones
    assert (phones.mode, phones.slips_too) == (mode, slips_too)
    assert browser.get(reverse("new-session")).context["form"].initial["results_come"] == come


def test_phones_enter_again_after_a_session_with_slips(alice, club, signed_in):
    browser = signed_in(alice)
    for come in ("slips", "phones"):
        browser.post(reverse("new-session"), ANSWERS | {"name": come, "results_come": come})

    modes = {session.event.name: session.phones.mode for session in Session.objects.all()}
    assert modes == {"slips": "none", "phones": "secret"}


def test_a_session_begins_as_the_settings_of_the_club_say(alice, club, signed_in):
    browser = signed_in(alice)
    usual = {"results_come": "both", "table_sees": "none", "usual_boards": "21"}
    usual |= {"usual_minutes": "8", "usual_start": "14:30"}
    browser.post(reverse("club-settings", args=[club.pk]), usual)
    browser.post(reverse("club-federation", args=[club.pk]), {"scoring_rules": "DBV"})

    first = browser.get(reverse("new-session")).context["form"].initial
    browser.post(reverse("new-session"), ANSWERS)

    assert (first["fewest_boards"], first["most_boards"], first["minutes_per_board"]) == (21, 24, 8)
    session = Section.objects.get().session
    assert (session.phones.slips_too, session.phones.feedback) == (True, "none")
    assert session.scoring.profile == {"preset": "DBV"}


def test_a_club_changes_its_scale_of_masterpoints_for_later_sessions_only(club, alice, signed_in):
    browser, settings = signed_in(alice), reverse("club-federation", args=[club.pk])
    copy = {"name": "Tuesday Pairs", "date": "2026-12-01", "starts_at": "19:00"}
    assert browser.post(settings, {"masterpoint_scale": "abf-session"}).status_code == 302
    browser.post(reverse("new-session"), ANSWERS | {"pairs": "Ann Lee & Bob Ray"})
    first = Section.objects.get()

    browser.post(settings, {"masterpoint_scale": "british-club"})
    address = reverse("copy-session", args=[first.code])
    browser.post(address, copy | {"with_entries": "yes"})
    browser.post(f"{address}?second=1", copy)
    browser.post(reverse("new-session"), ANSWERS | {"name": "Thursday Pairs"})
    last = Section.objects.get(session__event__name="Thursday Pairs")
    browser.post(reverse("classes", args=[last.code]), {"masterpoints": "acbl-club-open"})
    unknown = browser.post(settings, {"masterpoint_scale": "abf"})

    scales = ScoringSettings.objects.order_by("session_id").values_list("masterpoints", flat=True)
    assert list(scales) == ["abf-session", "british-club", "abf-session", "acbl-club-open"]
    assert unknown.status_code == 422
    club.refresh_from_db()
    assert club.masterpoint_scale == "british-club"


def test_phones_chosen_later_make_other_table_cards_and_the_clubs_usual(alice, club, signed_in):
    section = section_with(8, "howell", club=club, by=alice)
    browser, said = signed_in(alice), {"agreement": "accept", "feedback": "none"}

    page = browser.post(
        reverse("phones", args=[section.code]), said | {"mode": "secret"}, follow=True
    )

    assert "print all of them again" in page.content.decode()
    club.refresh_from_db()
    assert (club.results_come, club.table_sees) == ("phones", "none")
