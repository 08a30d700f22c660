"""The search of all rounds to come, at the desk."""

import html
import re

import pytest
from django.core.cache import cache

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import searches
from bridgebuddy.events.services.play.rounds import add_minute, start_next_round
from tests.director.reading import (
    address_of,
    alerts_on,
    titles_on,
    ways_on,
)
from tests.factories import section_with

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_search")]

SEARCHING_ON = {"HX-Request": "true", "HX-Target": "ways"}


def test_the_search_goes_on_while_the_best_so_far_is_shown(browser, skip_section):
    address = address_of(skip_section, "rebuild")

    page = browser.get(address, {"effort": 1, "arrives": "on"})
    longer = browser.get(
        address, {"effort": 4, "arrives": "on"}, headers=SEARCHING_ON
    ).content.decode()
    last = browser.get(address, {"effort": 12, "arrives": "on"}).content.decode()

    assert f'hx-get="{address}?effort=4&amp;arrives=on"' in page.content.decode()
    assert 'name="first"' in page.content.decode()
    assert f'hx-get="{address}?effort=12&amp;arrives=on"' in longer
    assert "<html" not in longer
    assert "hx-get" not in last
    assert "Still searching" not in last


def test_what_the_search_found_is_remembered(browser, skip_section, monkeypatch):
    asked = []
    monkeypatch.setattr(
        searches, "searched_proposals", lambda *arguments: asked.append(arguments) or []
    )

    for _time in range(3):
        browser.get(address_of(skip_section, "rebuild"), {"effort": 1})

    assert len(asked) == 1


def test_a_second_search_of_a_section_has_to_wait(browser, skip_section, monkeypatch):
    monkeypatch.setattr(searches, "PATIENCE", 0)
    address = address_of(skip_section, "rebuild")
    cache.add(f"searching-{skip_section.pk}", True)

    page = browser.get(address, {"effort": 4, "arrives": "on"})
    swapped = browser.get(address, {"effort": 4}, headers=SEARCHING_ON)

    assert alerts_on(page) == ["A search is under way already. Look again in a moment."]
    assert f'href="{address}?effort=1&amp;arrives=on"' in page.content.decode()
    assert (swapped.status_code, swapped.content) == (204, b"")


def test_a_search_for_a_pair_that_is_not_there_offers_another_look(browser, skip_section):
    address = address_of(skip_section, "rebuild")

    answer = browser.post(address, {"plan": "x", "leaves": "99"})

    assert answer.status_code == 422
    assert alerts_on(answer)[0] == "The page you used was out of date. This is the current state."
    assert f'href="{address}?effort=1"' in answer.content.decode()


def test_only_few_sections_are_searched_at_once(browser, skip_section, monkeypatch):
    monkeypatch.setattr(searches, "PATIENCE", 0)
    places = [f"search-place-{number}" for number in range(searches.MOST_AT_ONCE)]
    cache.set_many(dict.fromkeys(places, True))
    address = address_of(skip_section, "rebuild")

    refused = alerts_on(browser.get(address, {"effort": 1}))
    cache.delete(places[1])
    answered = alerts_on(browser.get(address, {"effort": 1}))

    assert refused == ["A search is under way already. Look again in a moment."]
    assert answered == []
    assert sorted(cache.get_many([*places, f"searching-{skip_section.pk}"])) == [
        places[0],
        places[2],
    ]


def test_a_search_of_a_server_that_was_killed_keeps_nobody_waiting_for_ever(
    browser, skip_section, monkeypatch
):
    kept = {}
    add, put = cache.add, cache.set
    monkeypatch.setattr(
        cache, "add", lambda key, value, seconds: kept.update({key: seconds}) or add(key, value)
    )
    monkeypatch.setattr(
        cache, "set", lambda key, value, seconds: kept.update({key: seconds}) or put(key, value)
    )

    browser.get(address_of(skip_section, "rebuild"), {"effort": 1})

    waits = {key: kept.pop(key) for key in (f"searching-{skip_section.pk}", "search-place-0")}
    assert set(waits.values()) == {searches.OVER}
    assert list(kept.values()) == [searches.REMEMBERED]


def test_who_asks_while_another_search_is_under_way_waits_for_its_turn(
    browser, skip_section, monkeypatch
):
    section = skip_section
    cache.add(f"searching-{section.pk}", True)
    happened = []

    def meanwhile(_seconds):
        happened.append("the other one is over")
        cache.delete(f"searching-{section.pk}")

    monkeypatch.setattr(searches.time, "sleep", meanwhile)
    monkeypatch.setattr(searches, "searched_proposals", lambda *_: happened.append("ours") or [])

    page = browser.get(address_of(section, "rebuild"), {"effort": 1})

    assert alerts_on(page) == []
    assert happened == ["the other one is over", "ours"]


def test_a_search_that_breaks_down_finds_nothing(browser, skip_section, monkeypatch, caplog):
    monkeypatch.undo()
    monkeypatch.setattr("movements.search_process.sys.executable", "/bin/false")

    page = browser.get(address_of(skip_section, "rebuild"), {"effort": 1})

    assert page.status_code == 200
    assert titles_on(page) == []
    assert [record.message for record in caplog.records] == ["The search failed (1): b''"]


def test_a_real_search_makes_all_rounds_to_come_anew(browser, club, alice, monkeypatch):
    monkeypatch.undo()
    section = section_with(6, "howell", round=2, club=club, by=alice)
    address = address_of(section, "rebuild")
    page = browser.get(address, {"effort": 1})
    assert titles_on(page) == ["New plan for all rounds from 3 on"]

    sent = {"plan": section.plan, "way": ways_on(page)[0], "effort": 1}
    answer = browser.post(address, sent)

    assert answer.status_code == 302
    assert Section.objects.get(pk=section.pk).movements.get(version=2).change == "rebuilt"


def test_after_a_mistake_all_rounds_to_come_may_be_searched(browser, alice, club, monkeypatch):
    monkeypatch.undo()
    section = section_with(14, "mitchell", round=3, club=club, by=alice)
    shown = browser.get(address_of(section, "places"), {"round": 3, "one": 8, "other": 10})
    link = html.unescape(
        re.search(r'href="([^"]+change/rebuild/[^"]+after=[^"]+)"', shown.content.decode())[1]
    )

    found = browser.get(link)
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', found.content.decode()))
    way = ways_on(found)[0]
    answer = browser.post(address_of(section, "rebuild"), {**hidden, "way": way})

    assert answer.status_code == 302
    made = section.movements.get(version=2)
    assert (made.change, made.from_round) == ("rebuilt", 3)
    assert (made.facts["one"], made.facts["other"], made.facts["round"]) == ("EW 1", "EW 3", 3)


def test_what_was_found_is_for_one_section_one_plan_and_one_question(
    browser, club, alice, skip_section, monkeypatch
):
    asked = []
    monkeypatch.setattr(
        searches,
        "searched_proposals",
        lambda _, round, change, __: asked.append((round, change)) or [],
    )
    other = section_with(16, "skip-mitchell", round=4, club=club, by=alice)
    late = {"effort": 1, "arrives": "on"}

    for section, answers in ((skip_section, late), (other, late), (skip_section, {"effort": 1})):
        for _time in range(2):
            browser.get(address_of(section, "rebuild"), answers)
    assert len(asked) == 3
    add_minute(skip_section, by=alice)
    browser.get(address_of(skip_section, "rebuild"), late)
    assert len(asked) == 3, "the clock is no part of the plan"
    start_next_round(skip_section, after=4, by=alice)
    browser.get(address_of(skip_section, "rebuild"), late)

    assert asked[3] == (5, asked[0][1])


def test_two_searches_of_one_section_never_run_at_once(skip_section):
    with (
        searches._reserve_search(skip_section) as first,
        searches._reserve_search(skip_section) as second,
    ):
        assert (first, second) == (True, False)

    with searches._reserve_search(skip_section) as again:
        assert again
