"""Phones: found by code and name, never more than this session's names and seats."""

import re

import pytest
from django.conf import settings as project
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services import rounds
from bridgebuddy.players import limits
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db


def words(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture(autouse=True)
def forget_wrong_codes():
    cache.clear()


def player(client, section, label, **query):
    return client.get(reverse("player", args=[section.code, label]), query)


def test_the_code_is_found_however_it_is_typed(client, skip_section):
    code = skip_section.code
    for typed in (code, code.lower(), f" {code[:3]} {code[3:]} ", f"{code[:3]}-{code[3:]}"):
        answer = client.get(reverse("code"), {"code": typed})
        assert answer.headers["Location"] == reverse("lookup", args=[code])


@pytest.mark.parametrize("typed", ["AAAAAA", "1", "O0I1O0", "x" * 500, "<script>", "../../etc"])
def test_a_wrong_code_is_told_so_and_discloses_nothing(client, skip_section, typed):
    answer = client.get(reverse("code"), {"code": typed})

    assert answer.status_code == 404
    assert "There is no session with this code." in words(answer)
    assert skip_section.code not in answer.content.decode()
    assert "<script>" not in answer.content.decode().replace("<script src", "")


def test_a_pair_is_found_by_name_number_and_without_accents(client, club, alice):
    from bridgebuddy.events.services import entries, movement

    section = section_with(5, club=club, by=alice)
    entries.add_pairs(section, [("Jürgen Groß", "Zoë O'Neill")], by=alice)
    movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)
    address = reverse("lookup", args=[section.code])

    for typed in ("jurgen", "gross", "ZOE", "o'nei", "EW 3", "ew3"):
        page = words(client.get(address, {"q": typed}))
        assert "Jürgen Groß" in page, typed
        assert "Anna North1" not in page, typed
    assert "Nobody is called “nobody” here." in words(client.get(address, {"q": "nobody"}))


def test_before_the_movement_is_chosen_nobody_has_a_table_yet(client, club, alice):
    section = section_with(6, club=club, by=alice)

    page = words(client.get(reverse("lookup", args=[section.code])))

    assert "The director is still entering the pairs." in page
    assert player(client, section, "NS1").headers["Location"] == reverse(
        "lookup", args=[section.code]
    )


def test_now_next_and_the_whole_evening(client, skip_section):
    page = words(player(client, skip_section, "EW1"))

    assert re.search(
        r"Round 4 of 7.*Table 4 East-West Boards 19–21.*against NS 4 North7 &amp; South7"
        r".*Then Table 6 East-West Boards 4–6 against NS 6",
        page,
    )
    assert re.search(r"1 1 EW 1–3 NS 1 North1.*7 8 EW 16–18 NS 8 North15", page)


@pytest.mark.parametrize("label", ["ew1", "EW 1", "ew%201"])
def test_the_label_is_read_however_it_is_written(client, skip_section, label):
    answer = client.get(f"/p/{skip_section.code.lower()}/{label}/")

    assert answer.status_code == 200


def test_an_unknown_pair_is_asked_again(client, skip_section):
    for label in ("EW99", "x", "9"):
        assert player(client, skip_section, label).status_code == 302


def test_a_sit_out_says_until_when_and_where(client, club, alice):
    section = section_with(15, "skip-mitchell", round=2, club=club, by=alice)

    page = words(player(client, section, "NS1"))

    assert "You sit out Back at table 1 in round 3" in page
    assert "You may stay at table 1." in page


def test_before_the_start_the_card_says_when(client, club, alice):
    section = section_with(16, "skip-mitchell", club=club, by=alice)

    assert "starts 19:00" in words(player(client, section, "NS1"))


def test_sharing_is_said_where_it_happens(client, club, alice):
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)

    assert "You share the boards with table 8." in words(player(client, section, "NS1"))
    assert "share" not in words(player(client, section, "NS2"))


def test_after_the_end_the_phone_thanks_and_stops_asking(client, skip_section, alice):
    rounds.finish(skip_section, round=4, by=alice)

    page = player(client, skip_section, "NS1")

    assert "Thank you for playing." in words(page)
    assert "every 5s" not in page.content.decode()


def test_an_unchanged_poll_is_one_query_and_sets_nothing(
    client, skip_section, django_assert_num_queries
):
    with django_assert_num_queries(1):
        answer = player(client, skip_section, "NS1", v=skip_section.version)

    assert (answer.status_code, answer.content, answer.cookies.output()) == (204, b"", "")


def test_a_changed_poll_brings_the_new_round(client, skip_section, alice):
    rounds.start_next_round(skip_section, after=4, by=alice)

    answer = client.get(
        reverse("player", args=[skip_section.code, "EW1"]),
        {"v": skip_section.version},
        headers={"HX-Request": "true"},
    )

    assert "Round 5 of 7" in words(answer)
    assert "<html" not in answer.content.decode()


def test_thirty_tables_cost_a_phone_no_more_than_three(
    client, club, alice, django_assert_max_num_queries, django_assert_num_queries
):
    small = section_with(6, "mitchell", round=1, club=club, by=alice)
    large = section_with(60, "skip-mitchell", round=1, club=club, by=alice)
    for name, args in (("player", ["NS1"]), ("lookup", []), ("room-display", [])):
        for warm in (small, large):
            client.get(reverse(name, args=[warm.code, *args]))
        with django_assert_max_num_queries(8) as counted:
            client.get(reverse(name, args=[small.code, *args]))
        with django_assert_num_queries(len(counted)):
            client.get(reverse(name, args=[large.code, *args]))


def test_nothing_of_other_sessions_is_ever_shown(client, skip_section):
    other = director_of(section_with(4).club, email="secret@example.org")
    from bridgebuddy.events.services import entries

    hidden = section_with(4, club=other.clubs.get(), by=other)
    entries.add_pairs(hidden, [("Hidden Person", "Secret Partner")], by=other)

    for name, args in (("lookup", []), ("player", ["NS1"]), ("room-display", [])):
        page = client.get(reverse(name, args=[skip_section.code, *args])).content.decode()
        for secret in ("Hidden", "Secret", hidden.code, "@example.org"):
            assert secret not in page


def test_phones_get_no_session_and_cannot_post(client, skip_section):
    answer = player(client, skip_section, "NS1")

    assert "sessionid" not in answer.cookies
    assert "csrftoken" not in answer.cookies
    assert client.post(reverse("player", args=[skip_section.code, "NS1"])).status_code == 405


def test_guessing_codes_is_stopped_but_nobody_in_the_room_is_locked_out(skip_section):
    guesser, friend = Client(), Client()
    assert player(friend, skip_section, "NS1").status_code == 200

    answers = [guesser.get(f"/p/AAAA{n:02}/").status_code for n in range(limits.MOST_WRONG + 3)]

    assert answers == [404] * limits.MOST_WRONG + [429] * 3
    assert guesser.get(reverse("lookup", args=[skip_section.code])).status_code == 429
    assert player(friend, skip_section, "NS1").status_code == 200


def test_a_revoked_code_opens_nothing(client, skip_section):
    old = skip_section.code
    Section.objects.filter(pk=skip_section.pk).update(code="ZZZZZZ")

    assert client.get(f"/p/{old}/NS1/").status_code == 404


def test_names_are_text_never_markup(client, club, alice):
    from bridgebuddy.events.services import entries, movement

    section = section_with(5, club=club, by=alice)
    entries.add_pairs(section, [("<script>alert(1)</script>", "Sean O'Neill")], by=alice)
    movement.choose_movement(section, "mitchell", boards_per_round=3, by=alice)

    for name, args in (("lookup", []), ("player", ["EW3"]), ("room-display", [])):
        page = client.get(reverse(name, args=[section.code, *args])).content.decode()
        assert "<script>alert" not in page


def test_the_language_is_changed_by_a_link_and_never_leads_elsewhere(client, skip_section):
    address = reverse("player-language", args=[skip_section.code])

    answer = client.get(address, {"to": "de", "next": f"/p/{skip_section.code}/NS1/"})
    assert answer.headers["Location"] == f"/p/{skip_section.code}/NS1/"
    assert answer.cookies[project.LANGUAGE_COOKIE_NAME].value == "de"

    answer = client.get(address, {"to": "xx", "next": "https://evil.example/"})
    assert answer.headers["Location"] == f"/p/{skip_section.code}/"
    assert project.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_the_worker_and_the_manifest_are_served_from_the_root(client):
    worker = client.get("/sw.js")

    assert worker.headers["Content-Type"] == "text/javascript"
    assert "{{" not in worker.content.decode()
    assert client.get("/app.webmanifest").json()["scope"] == "/p/"


def test_the_policy_allows_nothing_from_elsewhere(client, skip_section):
    policy = player(client, skip_section, "NS1").headers["Content-Security-Policy"]

    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
