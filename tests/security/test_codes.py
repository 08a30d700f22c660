"""Codes cannot be guessed by asking whether something is new, and they end."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import CodeExpiry, Membership
from bridgebuddy.events import code_limits as limits
from bridgebuddy.events.models import Section, end_of_code
from bridgebuddy.events.services import codes
from bridgebuddy.events.services.play import rounds
from tests.factories import UserFactory, director_of, section_with
from tests.players.reading import HTMX
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db

NAME = "North1"


@pytest.fixture
def finished(club, alice):
    """An evening that is over."""
    section = section_with(10, "mitchell", round=2, club=club, by=alice)
    return rounds.finish_session(section, round=2, by=alice)


@pytest.fixture
def later(monkeypatch):
    """Let time go by."""
    now = timezone.now()

    def go(**by):
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(**by))

    return go


def polls(section):
    """Every address that answers early where nothing is new."""
    for page in ("p/{}/", "p/{}/NS1/", "p/{}/room/", "s/{}/desk/", "s/{}/entries/"):
        yield f"/{page.format(section.code)}"


# ── rights first ──


def test_nobody_learns_from_a_poll_that_a_code_is_right(skip_section, bob, carol, signed_in):
    for browser in (Client(), signed_in(bob), signed_in(carol)):
        for address in polls(skip_section):
            answer = browser.get(address, {"v": skip_section.shown}, headers=HTMX)
            assert answer.status_code != 204, address
            if address.startswith("/s/"):
                wrong = address.replace(skip_section.code, "AAAAAA")
                there = browser.get(wrong, {"v": skip_section.shown}, headers=HTMX)
                assert answer.status_code == there.status_code
                assert asks_to_sign_in(answer) == asks_to_sign_in(there)
            browser.cookies.pop(limits.COOKIE, None)


def test_a_poll_of_a_wrong_code_is_counted(skip_section, monkeypatch):
    counted = []
    monkeypatch.setattr(limits, "count_wrong_code", lambda asked, code: counted.append(code))

    Client().get("/p/AAAAAA/", {"v": 7})
    Client().get("/p/AAAAAA/", {"v": "7.7", "all": 1})

    assert counted == ["AAAAAA", "AAAAAA"]


def test_an_address_that_is_locked_out_hears_nothing_of_a_right_code(skip_section, monkeypatch):
    monkeypatch.setattr(limits, "STRANGERS", limits.AttemptLimit(limits.STRANGERS.name, 2, 600))
    monkeypatch.setattr(limits, "TURN", limits.AttemptLimit(limits.TURN.name, 0, 1))
    for n in range(3):
        Client().get(f"/p/AAAA{n:02}/")

    for address in polls(skip_section):
        answer = Client().get(address, {"v": skip_section.shown})
        assert answer.status_code == (429 if address.startswith("/p/") else 302)


def test_a_phone_that_has_opened_the_page_is_answered_early(skip_section):
    phone = Client()
    phone.get(f"/p/{skip_section.code}/NS1/")

    assert phone.get(f"/p/{skip_section.code}/NS1/", {"v": skip_section.shown}).status_code == 204


def test_a_forged_cookie_is_not_answered_early(skip_section):
    phone = Client()
    phone.cookies[limits.COOKIE] = f"{skip_section.code}:1abcde:{'x' * 43}"

    assert phone.get(f"/p/{skip_section.code}/", {"v": skip_section.shown}).status_code == 200


def test_a_director_is_answered_early(skip_section, alice, signed_in):
    shown, results = skip_section.shown, skip_section.results
    versions = {"desk": f"{shown}-{results}", "entries": shown}
    for page in ("desk", "entries"):
        address = reverse(page, args=[skip_section.code])
        version = versions[page]
        answer = signed_in(alice).get(address, {"v": version}, headers=HTMX)
        assert answer.status_code == 204


# ── they end ──


@pytest.mark.parametrize(
    ("over", "wanted", "ends"),
    [
        (datetime(2026, 11, 24, 22, 30), CodeExpiry.MORNING, datetime(2026, 11, 25, 8)),
        (datetime(2026, 11, 25, 1, 0), CodeExpiry.MORNING, datetime(2026, 11, 25, 8)),
        (datetime(2026, 11, 25, 7, 0), CodeExpiry.MORNING, datetime(2026, 11, 26, 8)),
        (
            datetime(2026, 10, 24, 22, 0),
            CodeExpiry.MORNING,
            datetime(2026, 10, 25, 8),
        ),  # winter time
        (datetime(2026, 11, 24, 22, 30), CodeExpiry.SOON, datetime(2026, 11, 25, 0, 30)),
        (datetime(2026, 11, 24, 22, 30), CodeExpiry.WEEK, datetime(2026, 12, 1, 22, 30)),
    ],
)
def test_a_code_ends_when_the_club_wants_it(over, wanted, ends):
    end = end_of_code(timezone.make_aware(over), wanted, timezone.get_default_timezone())

    assert end.astimezone(UTC) == timezone.make_aware(ends).astimezone(UTC)


def test_names_cannot_be_read_once_the_code_has_ended(finished, later, settings):
    phone = Client()
    pages = [address for address in polls(finished) if address.startswith("/p/")]
    assert all(NAME in phone.get(page).content.decode() for page in pages[:2])

    later(days=2)

    for browser in (phone, Client()):
        for page in [*pages, f"{pages[0]}?q=north"]:
            for query in ({}, {"v": finished.shown}, {"v": finished.shown, "all": 1}):
                answer = browser.get(page, query)
                assert answer.status_code == 410
                assert NAME not in answer.content.decode()
                assert "This code has ended" in answer.content.decode()
            assert browser.get(page, headers=HTMX).headers["HX-Redirect"] == pages[0]
        assert browser.get("/p/", {"code": finished.code}).status_code == 410
        assert browser.post(f"{pages[1]}read/", {}).status_code == 410


def test_an_ended_code_opens_its_session_to_directors_of_its_club_alone(
    finished, later, alice, bob, carol, signed_in
):
    later(days=2)

    address = f"/p/{finished.code}/"
    assert [signed_in(user).get(address).status_code for user in (alice, bob, carol)] == [
        *(200, 410, 410),
    ]


def test_an_ended_code_counts_as_a_try_of_a_stranger_alone(finished, later, monkeypatch):
    monkeypatch.setattr(limits, "STRANGERS", limits.AttemptLimit(limits.STRANGERS.name, 1, 600))
    monkeypatch.setattr(limits, "TURN", limits.AttemptLimit(limits.TURN.name, 0, 1))
    phone = Client()
    phone.get(f"/p/{finished.code}/")
    later(days=2)

    tried = (finished.code, "AAAAAA", finished.code)
    assert [Client().get(f"/p/{code}/").status_code for code in tried] == [410, 429, 429]
    assert [phone.get(f"/p/{finished.code}/").status_code for _ in range(4)] == [410] * 4


def test_two_codes_that_have_ended_are_two_tries(finished, club, alice, later, monkeypatch):
    monkeypatch.setattr(limits, "STRANGERS", limits.AttemptLimit(limits.STRANGERS.name, 2, 600))
    monkeypatch.setattr(limits, "TURN", limits.AttemptLimit(limits.TURN.name, 0, 1))
    other = section_with(8, "howell", club=club, by=alice)
    later(days=30)

    tried = (finished.code, other.code, "AAAAAA")
    assert [Client().get(f"/p/{code}/").status_code for code in tried] == [410, 410, 429]


def test_a_phone_that_asks_for_what_it_knew_tries_nothing(
    finished, skip_section, later, monkeypatch
):
    monkeypatch.setattr(limits, "PHONE", limits.AttemptLimit(limits.PHONE.name, 1, 600))
    phone = Client()
    for known in (finished, skip_section):
        assert phone.get(f"/p/{known.code}/").status_code == 200
    skip_section.session.delete()
    later(days=2)

    tried = (finished.code, skip_section.code, "AAAAAA", "BBBBBB")
    assert [phone.get(f"/p/{code}/").status_code for code in tried] == [410, 404, 404, 429]


@pytest.mark.parametrize(("asked", "language"), [("", "de"), ("en", "en")])
def test_a_phone_that_asks_for_no_language_reads_the_clubs(
    finished, later, two_languages, asked, language
):
    finished.club.language = "de"
    finished.club.save()
    phone = Client(headers={"accept-language": asked})

    for days, status in ((0, 200), (2, 410)):
        later(days=days)
        page = phone.get(f"/p/{finished.code}/")
        assert page.status_code == status
        assert f'lang="{language}"' in page.content.decode().split("<head>")[0]


def test_who_directs_still_sees_the_phones_pages(finished, later, alice, bob, carol, signed_in):
    later(days=2)
    codes = {
        user: signed_in(user).get(f"/p/{finished.code}/").status_code
        for user in (alice, bob, carol)
    }

    assert codes == {alice: 200, bob: 410, carol: 410}
    assert signed_in(alice).get(reverse("desk", args=[finished.code])).status_code == 200


def test_a_session_that_is_being_played_goes_on_whatever_its_day(club, alice, later):
    section = section_with(10, "mitchell", club=club, by=alice)
    section.session.date = date(2020, 1, 1)
    section.session.save()

    section = rounds.start_next_round(section, after=0, by=alice)
    later(hours=9)

    assert Client().get(f"/p/{section.code}/").status_code == 200


def test_a_session_that_nobody_ended_is_over_some_time(club, alice, later):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)

    later(days=12)

    assert Client().get(f"/p/{section.code}/").status_code == 410


def test_a_code_of_next_week_works_until_then(club, alice, later, signed_in):
    section = section_with(10, "mitchell", club=club, by=alice)
    signed_in(alice).post(
        reverse("edit-session", args=[section.code]),
        {"name": "Cup", "date": timezone.localdate() + timedelta(days=7), "starts_at": "19:00"}
        | {"fewest_boards": 20, "most_boards": 24, "minutes_per_board": 7},
    )

    later(days=7)

    assert Client().get(f"/p/{section.code}/").status_code == 200


def test_the_club_says_how_long_codes_last(finished, club, alice, signed_in, later):
    other = section_with(4)
    before = Section.objects.get(pk=other.pk).code_ends_at
    address = reverse("club-privacy", args=[club.pk])
    answers = {"name": club.name, "paper": "a4", "stand_word": "stand", "codes_end": "week"}

    signed_in(alice).post(address, answers)
    later(days=3)

    assert Client().get(f"/p/{finished.code}/").status_code == 200
    assert Section.objects.get(pk=other.pk).code_ends_at == before
    signed_in(alice).post(address, answers | {"codes_end": "soon"})
    assert Client().get(f"/p/{finished.code}/").status_code == 410


def test_an_end_that_is_taken_back_gives_the_code_back(finished, alice, later):
    rounds.take_back_round(finished, round=2, by=alice)
    section = Section.objects.get(pk=finished.pk)

    assert section.code_ends_at > timezone.now() + timedelta(hours=8)


# ── another at once ──


def test_a_code_that_has_ended_opens_nothing_again_when_the_club_wants_them_longer(skip_section):
    ended = timezone.now() - timedelta(days=2)
    Section.objects.filter(pk=skip_section.pk).update(
        finished_at=ended - timedelta(hours=8), code_ends_at=ended
    )

    club = skip_section.club
    club.codes_end = CodeExpiry.WEEK
    club.save()

    assert Section.objects.get(pk=skip_section.pk).code_ends_at == ended
    assert Client().get(f"/p/{skip_section.code}/").status_code == 410


def test_a_director_gives_a_new_code_and_the_old_one_opens_nothing(
    skip_section, alice, signed_in, monkeypatch
):
    phone, old = Client(), skip_section.code
    phone.get(f"/p/{old}/")

    answer = signed_in(alice).post(reverse("renew-code", args=[old]))

    new = Section.objects.get(pk=skip_section.pk)
    assert new.code != old
    assert answer.headers["Location"] == reverse("edit-session", args=[new.code])
    assert phone.get(f"/p/{old}/", {"v": new.shown}).status_code == 404
    assert phone.get(f"/p/{new.code}/").status_code == 200
    assert AuditRecord.objects.first().action == "section.renew_code"


def test_a_new_code_is_one_that_no_section_has_or_had(skip_section, club, alice, monkeypatch):
    theirs = section_with(0, club=club, by=alice)
    before = theirs.code
    codes.renew_code(theirs, by=alice)
    now = Section.objects.get(pk=theirs.pk).code
    fresh = iter([before, now, "FRESH2"])
    monkeypatch.setattr(codes, "new_code", lambda: next(fresh))

    assert codes.renew_code(skip_section, by=alice).code == "FRESH2"


def test_a_director_whose_page_has_the_old_code_is_led_on(
    skip_section, club, alice, carol, bob, signed_in
):
    old, other = skip_section.code, signed_in(director_of(club))
    signed_in(alice).post(reverse("renew-code", args=[old]))

    desk = reverse("desk", args=[Section.objects.get(pk=skip_section.pk).code])
    for ask in (other.get, other.post):
        for page in ("desk", "next-round", "entries"):
            answer = ask(reverse(page, args=[old]))
            assert answer.status_code == 405 or answer.headers["Location"] == desk
    polled = other.get(reverse("desk", args=[old]), {"v": 1}, headers=HTMX)
    assert polled.headers["HX-Redirect"] == desk
    for user in (bob, carol):
        assert signed_in(user).get(reverse("desk", args=[old])).status_code == 404
    assert Client().get(f"/p/{old}/").status_code == 404


def test_a_new_code_opens_a_session_whose_code_has_ended_until_the_next_morning(
    finished, alice, signed_in, later
):
    later(days=30)
    page = signed_in(alice).get(reverse("edit-session", args=[finished.code]))
    assert "This code is no longer valid" in page.content.decode()

    signed_in(alice).post(reverse("renew-code", args=[finished.code]))

    new = Section.objects.get(pk=finished.pk).code
    assert Client().get(f"/p/{new}/").status_code == 200
    later(days=32)
    assert Client().get(f"/p/{new}/").status_code == 410


def test_a_new_code_is_nobody_elses_to_give(skip_section, bob, carol, signed_in):
    for browser in (Client(), signed_in(bob), signed_in(carol)):
        browser.post(reverse("renew-code", args=[skip_section.code]))

    assert Section.objects.get(pk=skip_section.pk).code == skip_section.code


def test_a_helper_gives_a_new_code(skip_section, club, signed_in):
    helper = UserFactory()
    Membership.objects.create(club=club, user=helper, is_helper=True)

    signed_in(helper).post(reverse("renew-code", args=[skip_section.code]))

    assert Section.objects.get(pk=skip_section.pk).code != skip_section.code
