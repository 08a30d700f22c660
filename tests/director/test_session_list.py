"""The club's sessions: their calendar, the search, copying, rehearsing and deleting them."""

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from bridgebuddy.events.models import Section, Session
from bridgebuddy.events.queries.sessions.club_sessions import find_sessions
from bridgebuddy.events.services.lifecycle import sessions
from bridgebuddy.events.services.lifecycle.copies_of_sessions import make_rehearsal
from bridgebuddy.events.services.lifecycle.deletions import delete_session
from bridgebuddy.events.services.play import rounds
from bridgebuddy.events.services.setup import entries
from bridgebuddy.events.services.setup.sections import divide_entries
from tests.events.states import HELD
from tests.factories import section_with
from tests.markup import has_open_fold, words

pytestmark = pytest.mark.django_db

HOME = reverse("home")


def on(day, name, club, by, **more):
    """Open a session on a day of 2026."""
    date = datetime.date.fromisoformat(f"2026-{day}")
    return sessions.open_session(club, **HELD | {"name": name, "date": date}, by=by, **more)


def away(days):
    return timezone.localdate() + datetime.timedelta(days=days)


# ── the lists ──


def test_played_sessions_are_paged(club, alice, browser):
    for day in range(1, 9):
        sessions.open_session(
            club, **HELD | {"name": f"Evening {day}", "date": away(-day)}, by=alice
        )

    first, second = browser.get(HOME), browser.get(HOME, {"page": 2})

    assert re.search(r"Evening 1 .*Evening 4 .*Earlier: 4 more", words(first))
    assert "Evening 5" not in words(first)
    assert re.search(r"Evening 5 .*Evening 8 .*Later", words(second))


def test_a_page_that_is_not_there_is_the_nearest_one(club, alice, browser):
    for page in ("0", "x", "99"):
        assert browser.get(HOME, {"page": page}).status_code == 200


def test_a_session_of_several_sections_stands_there_once(club, alice, browser):
    section = section_with(6, club=club, by=alice)
    Session.objects.update(date=away(2))
    beside = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(beside, [("A B", "C D")], by=alice)

    page = words(browser.get(HOME))

    assert page.count("7 pairs in sections A, B") == 1


def test_a_round_that_nobody_ended_does_not_make_a_session_tonights_for_ever(club, alice, browser):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    Session.objects.update(date=away(-5))
    assert "Round 1 of 3" in words(browser.get(HOME))

    long_ago = timezone.now() - datetime.timedelta(days=5)
    Section.objects.filter(pk=section.pk).update(round_started_at=long_ago)

    page = words(browser.get(HOME))
    assert "Round 1 of 3" not in page
    assert re.search("Played.*Tuesday Pairs", page)


# ── the calendar ──


def test_the_calendar_tells_the_days_that_come_from_those_that_were(club, alice, browser):
    section_with(6, "mitchell", round=1, club=club, by=alice)
    Session.objects.update(date=datetime.date(2031, 3, 4))
    on("11-24", "Another year", club, alice)
    come = {**HELD, "date": datetime.date(2031, 3, 18)}
    sessions.open_session(club, **come, by=alice)

    page = browser.get(HOME, {"month": "2031-03"}).content.decode()

    days = re.findall(r'<a\s+class="([^"]*)"\s+href="\?day=([^"#]+)#found"', page)
    assert days == [("was", "2031-03-04"), ("", "2031-03-18")]
    assert "month=2031-02" in page
    assert "month=2031-04" in page


@pytest.mark.parametrize("month", ["", "x", "2026-13", "0000-01", "9999-12", "1999-01"])
def test_a_month_that_is_none_or_too_far_is_a_page_all_the_same(club, alice, browser, month):
    section_with(6, club=club, by=alice)

    assert browser.get(HOME, {"month": month}).status_code == 200


def test_a_day_of_the_calendar_shows_its_sessions(club, alice, browser):
    on("03-04", "Morning", club, alice)
    on("03-11", "Evening", club, alice)

    page = words(browser.get(HOME, {"day": "2026-03-04"}))

    assert re.search("Wed 4 Mar 2026 .* Morning", page)
    assert "Evening" not in page
    assert browser.get(HOME, {"day": "never"}).status_code == 200


# ── the search ──


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("cup", ["Spring Cup"]),
        ("ÉTE", ["Été"]),
        ("13.3.", ["Spring Cup"]),
        ("13.03.2026", ["Spring Cup"]),
        ("13/3/26", ["Spring Cup"]),
        ("3/13", ["Spring Cup"]),
        ("2026-03-13", ["Spring Cup"]),
        ("13 March", ["Spring Cup"]),
        ("13. mar 2026", ["Spring Cup"]),
        ("13. March", ["Spring Cup"]),
        ("13 mar. 2026", ["Spring Cup"]),
        ("13 March 2025", []),
        ("13 Foo", []),
        ("99.99.", []),
        ("30.2.", []),
        ("1.1.0000", []),
        ("zimmerm", ["Été"]),
        ("nobody", []),
        ("  ", []),
        ("´", []),
    ],
)
def test_sessions_are_found_by_name_day_and_player(club, alice, typed, names):
    on("03-13", "Spring Cup", club, alice)
    on("07-01", "Été", club, alice, pairs=[("Helga Zimmermann", "Ernst Bauer")])

    assert [session.event.name for session in find_sessions(club, typed)] == names


def test_3_12_may_be_a_day_in_december(club, alice):
    on("12-03", "Advent", club, alice)

    assert [session.event.name for session in find_sessions(club, "3.12.")] == ["Advent"]


def test_months_are_read_in_the_readers_language(club, alice):
    on("03-12", "Frühling", club, alice)

    with translation.override("de"):
        assert find_sessions(club, "12. März").count() == 1


def test_what_is_looked_for_is_shown_with_the_way_back(club, alice, browser):
    on("03-12", "Spring Cup", club, alice)
    on("03-13", "Autumn", club, alice)

    page = words(browser.get(HOME, {"q": "cup"}))
    nothing = words(browser.get(HOME, {"q": "<b>xyz"}))

    assert re.search("“cup” .* Spring Cup .* All sessions", page)
    assert "Autumn" not in page
    assert "No session fits." in nothing


def test_nothing_of_another_club_is_found_or_in_the_calendar(club, alice, carol, browser):
    theirs = carol.clubs.get()
    on("03-12", "Spring Cup", theirs, carol, pairs=[("Helga Zimmermann", "Ernst Bauer")])
    on("03-13", "Ours", club, alice)

    for asked in ({"q": "cup"}, {"q": "zimmermann"}, {"day": "2026-03-12"}, {"month": "2026-03"}):
        page = browser.get(HOME, asked).content.decode()
        assert "Spring Cup" not in page
        assert "day=2026-03-12#" not in page


# ── copying ──


def test_the_pairs_of_last_week_play_again_in_two_presses(club, alice, browser):
    section = section_with(16, "skip-mitchell", round=7, club=club, by=alice)
    rounds.finish_session(section, round=7, by=alice)
    Session.objects.update(date=away(-7))

    page = browser.get(HOME)
    assert "Same players as last week" in words(page)
    address = reverse("copy-session", args=[section.code])
    assert f'href="{address}"' in page.content.decode()
    form = browser.get(address).context["form"]
    answers = {name: form[name].value() for name in ("name", "key")}
    answers |= {"date": form["date"].value().isoformat(), "starts_at": "19:00"}
    answer = browser.post(address, answers | {"with_entries": "yes", "sit": "same"})

    made = Section.objects.exclude(pk=section.pk).get()
    assert answer.headers["Location"] == reverse("entries", args=[made.code])
    assert made.session.date == timezone.localdate()
    assert (made.entries.count(), made.movement) == (16, section.movement)
    browser.post(address, answers | {"with_entries": "yes", "sit": "same"})
    assert Session.objects.count() == 2


def test_only_what_was_played_lately_is_offered_once_more_and_by_its_day(club, alice, browser):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    long_ago = timezone.now() - datetime.timedelta(days=9)
    Section.objects.update(round_started_at=long_ago)
    Session.objects.update(date=away(-9))
    assert "Same players as on" in words(browser.get(HOME))

    make_rehearsal(section, by=alice)
    Session.objects.filter(pk=section.session_id).update(date=away(-40))
    assert "Same players as" not in words(browser.get(HOME))


def ways_offered(browser, section, **asked):
    page = browser.get(reverse("copy-session", args=[section.code]), asked)
    return re.findall(r'name="sit" value="(\w+)"', page.content.decode())


def test_only_ways_of_sitting_that_are_possible_are_offered(club, alice, browser):
    nobody = section_with(0, club=club, by=alice)
    unseated = section_with(6, club=club, by=alice)
    howell = section_with(8, "howell", club=club, by=alice)
    mitchell = section_with(10, "mitchell", club=club, by=alice)

    assert ways_offered(browser, nobody) == []
    assert ways_offered(browser, unseated) == []
    assert ways_offered(browser, howell) == ["same", "turns", "random"]
    assert ways_offered(browser, mitchell) == ["same", "turned", "turns", "random"]
    # of the same day, nothing lies between them that could even out
    assert ways_offered(browser, mitchell, second=1) == ["same", "turned", "random", "lines"]
    entries.set_strengths(mitchell, {mitchell.entries.first().players[0].pk: 3}, by=alice)
    assert "even" in ways_offered(browser, mitchell)


def test_a_second_session_is_one_of_the_same_event(club, alice, browser):
    section = section_with(10, "mitchell", round=1, club=club, by=alice)
    address = reverse("copy-session", args=[section.code]) + "?second=1"
    assert "Second session of Tuesday Pairs" in words(browser.get(address))

    browser.post(
        address,
        {
            "name": "Tuesday Pairs",
            "date": away(1).isoformat(),
            "starts_at": "14:00",
            "sit": "lines",
        },
    )

    made = Session.objects.exclude(pk=section.session_id).get()
    assert (made.follows_id, made.number) == (section.session_id, 2)
    assert made.sections.count() == 2
    assert "session 2" in words(browser.get(HOME))


@pytest.mark.parametrize(
    "wrong", [{"name": " "}, {"date": "x"}, {"starts_at": ""}, {"sit": "lines"}, {"sit": "ranking"}]
)
def test_a_copy_that_is_asked_for_wrongly_is_not_made(club, alice, browser, wrong):
    section = section_with(8, "howell", club=club, by=alice)
    answers = {"name": "Kept", "date": "2027-01-01", "starts_at": "19:00", "sit": "same"}

    answer = browser.post(reverse("copy-session", args=[section.code]), answers | wrong)

    assert answer.status_code == 422
    assert Session.objects.count() == 1


# ── rehearsing ──


def test_a_rehearsal_is_marked_on_every_page_and_is_no_session_of_the_clubs(
    club, alice, browser, client
):
    section = section_with(10, "mitchell", club=club, by=alice)
    answer = browser.post(reverse("rehearse", args=[section.code]))
    made = Section.objects.exclude(pk=section.pk).get()
    assert answer.headers["Location"] == reverse("desk", args=[made.code])

    for name in ("entries", "choose-movement", "desk", "print", "edit-session"):
        assert "Rehearsal with its own code" in words(browser.get(reverse(name, args=[made.code])))
        assert "Rehearsal" not in words(browser.get(reverse(name, args=[section.code])))
    for name in ("lookup", "room-display"):
        assert "Rehearsal: not a real session" in words(client.get(reverse(name, args=[made.code])))
        assert "Rehearsal" not in words(client.get(reverse(name, args=[section.code])))
    phone = client.get(reverse("player", args=[made.code, "NS1"]))
    assert "Rehearsal: not a real session" in words(phone)
    card = browser.get(reverse("print-preview", args=[made.code, "guide-cards"]))
    assert "Rehearsal: Tuesday Pairs" in words(card)
    page = browser.get(HOME)
    assert (
        len(page.context["now"].coming + page.context["now"].tonight) + len(page.context["found"])
        == 1
    )
    assert [rehearsal.session for rehearsal in page.context["now"].rehearsals] == [made.session]
    assert find_sessions(club, "tuesday").count() == 1


def test_a_rehearsal_is_pressed_through_and_left(club, alice, browser):
    section = section_with(10, "mitchell", club=club, by=alice)
    browser.post(reverse("rehearse", args=[section.code]))
    made = Section.objects.exclude(pk=section.pk).get()

    browser.post(reverse("press-on", args=[made.code]))
    assert Section.objects.get(pk=made.pk).is_finished
    assert "Press on" not in words(browser.get(reverse("desk", args=[made.code])))
    answer = browser.post(reverse("delete-session", args=[made.code]), follow=True)

    assert "The rehearsal of “Tuesday Pairs” is deleted." in words(answer)
    assert browser.get(reverse("desk", args=[made.code])).status_code == 302


def test_nothing_real_is_pressed_on_by_its_address(club, alice, browser):
    section = section_with(10, "mitchell", club=club, by=alice)

    browser.post(reverse("press-on", args=[section.code]))

    assert Section.objects.get(pk=section.pk).round == 0


def test_a_rehearsal_that_cannot_go_on_says_why(club, alice, browser):
    section = section_with(6, club=club, by=alice)
    made = make_rehearsal(section, by=alice)

    answer = browser.post(reverse("press-on", args=[made.code]), follow=True)

    assert "Choose the movement first." in words(answer)


# ── deleting ──


def test_deleting_asks_nothing_and_can_be_undone(club, alice, browser):
    section = section_with(6, "mitchell", club=club, by=alice)
    address = reverse("delete-session", args=[section.code])
    assert f'action="{address}"' in browser.get(HOME).content.decode()

    answer = browser.post(address, follow=True)

    assert re.search("“Tuesday Pairs, .*” is deleted. You can restore it until", words(answer))
    browser.post(reverse("bring-back", args=[section.code]))
    assert browser.get(reverse("entries", args=[section.code])).status_code == 200
    assert "is deleted" not in words(browser.get(HOME))


def test_a_page_of_a_deleted_session_leads_to_where_it_can_be_brought_back(
    club, alice, bob, carol, browser, signed_in
):
    section = section_with(6, "mitchell", club=club, by=alice)
    desk = reverse("desk", args=[section.code])
    delete_session(section, by=alice)

    poll = browser.get(
        desk, {"v": f"{section.shown}-{section.results}"}, headers={"HX-Request": "true"}
    )
    press = browser.post(reverse("next-round", args=[section.code]), {"after": 0}, follow=True)

    assert poll.headers["HX-Redirect"] == f"{HOME}?club={club.pk}"
    assert "is deleted" in words(press)
    assert Section.objects.get(pk=section.pk).round == 0
    for user in (bob, carol):
        assert signed_in(user).get(desk).status_code == 404


def test_what_was_played_asks_for_its_name(club, alice, browser):
    section = section_with(6, "mitchell", round=1, club=club, by=alice)
    address = reverse("delete-session", args=[section.code])
    fold = f"{reverse('edit-session', args=[section.code])}?open=delete#delete"
    assert f'href="{fold}"' in browser.get(HOME).content.decode()
    assert browser.get(address).url == fold
    assert "Type its name" in words(browser.get(fold))

    refused = browser.post(address, {"name": "Wednesday"})
    assert refused.status_code == 422
    assert 'value="Wednesday"' in refused.content.decode()
    assert has_open_fold(refused, "delete")
    assert refused.templates[0].name == "director/session_form.html"
    assert Session.objects.get().deleted_at is None
    browser.post(address, {"name": "Tuesday Pairs"})

    assert Session.objects.get().deleted_at


def test_a_session_is_deleted_on_its_page_whichever_section_was_played(club, alice, browser):
    section = section_with(8, club=club, by=alice)
    keys = list(section.entries.order_by("pk").values_list("pk", flat=True))
    first, second = divide_entries(section, [keys[:4], keys[4:]], same_deals=True, by=alice)
    Section.objects.filter(pk=second.pk).update(round=1)

    page = browser.get(reverse("edit-session", args=[first.code]))

    assert (
        f'action="{reverse("delete-session", args=[first.code])}#delete"' in page.content.decode()
    )


def test_a_day_later_it_is_forgotten_by_itself_and_undo_says_so(club, alice, browser):
    section = section_with(6, "mitchell", club=club, by=alice)
    delete_session(section, by=alice)
    Session.objects.update(deleted_at=timezone.now() - Session.KEPT_FOR)

    assert browser.post(reverse("bring-back", args=[section.code])).status_code == 404
    page = browser.get(HOME)

    assert "is deleted" not in words(page)
    assert not Session.objects.exists()


def test_phones_read_that_a_session_is_deleted(club, alice, client):
    section = section_with(6, "mitchell", club=club, by=alice)
    page = client.get(reverse("player", args=[section.code, "NS1"]))
    delete_session(section, by=alice)

    lookup = reverse("lookup", args=[section.code])
    gone = client.get(lookup)
    assert gone.status_code == 404
    assert "This session has been deleted" in words(gone)
    typed = client.get(reverse("code"), {"code": section.code})
    assert (typed.status_code, "has been deleted" in words(typed)) == (404, True)
    poll = client.get(
        reverse("player", args=[section.code, "NS1"]),
        {"v": page.context["section"].shown},
        headers={"HX-Request": "true"},
    )
    assert poll.headers["HX-Redirect"] == lookup


def test_who_may_not_direct_the_club_brings_nothing_back(club, alice, bob, carol, signed_in):
    section = section_with(6, club=club, by=alice)
    delete_session(section, by=alice)

    for user in (bob, carol):
        answer = signed_in(user).post(reverse("bring-back", args=[section.code]))
        assert answer.status_code == 404

    assert Session.objects.get().deleted_at


def test_a_session_is_moved_and_renamed_where_it_was_answered(club, alice, browser):
    section = section_with(6, club=club, by=alice)
    Session.objects.update(date=away(3))

    assert f'href="{reverse("edit-session", args=[section.code])}"' in (
        browser.get(HOME).content.decode()
    )
