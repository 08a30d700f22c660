"""Results of an evening that go wrong, in the browser: doubts, rulings, undoing, and the list that counts."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from tests.browser.conftest import PHONE
from tests.director.test_results_journey import agrees_with_a_recount, now, truth, turned_truth
from tests.factories import director_of, section_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def complete(section: Section, turned_at: int = 0) -> None:
    """Enter the missing results; at one table the pairs sit the other way."""
    plays = now(section).plays.filter(ns__isnull=False, ew__isnull=False, results=None)
    come = [(turned_truth if play.table == turned_at else truth)(play) for play in plays]
    said = [EnteredResult(play.pk, outcome) for play, outcome in zip(plays, come, strict=True)]
    enter_results(section, said, by=None)


def play_rounds(section: Section, *, until: int, by: User, turned: tuple[int, int]) -> None:
    """Begin and play rounds; in one of them a table forgets which way it sits."""
    for round in range(now(section).round + 1, until + 1):
        rounds.start_next_round(now(section), after=round - 1, by=by)
        complete(section, turned_at=turned[1] if round == turned[0] else 0)


def comes_late(desk: Page, *names: str) -> None:
    desk.get_by_role("link", name="Late pair").click()
    expect(desk.get_by_label("First player")).to_be_focused()
    desk.get_by_label("First player").fill(names[0])
    desk.get_by_label("Partner").fill(names[1])
    desk.locator(".decide button:visible").click()
    expect(desk.locator(".log")).to_contain_text(f"{names[0]} & {names[1]}")


def change_at(desk: Page, section: Section, board: int, table: str) -> None:
    """Go to a board, and from the row of a table to its rulings."""
    desk.goto(reverse("board-results", args=[section.code, board]))
    desk.get_by_role("link", name=re.compile(f"Change table {table},")).click()
    expect(desk.get_by_role("dialog")).to_contain_text(f"table {table},")


def rule(desk: Page, kind: str) -> None:
    """Go from the row to a ruling of a kind."""
    desk.get_by_role("link", name="Give a ruling").click()
    desk.get_by_text(kind, exact=True).click()


def store(desk: Page, reason: str, button: str) -> None:
    """Store a ruling that the sheet has shown."""
    desk.get_by_label("Why").fill(reason)
    desk.get_by_role("button", name=re.compile(f"Save {button}")).click()
    expect(desk.get_by_role("dialog")).to_have_count(0)


def give(desk: Page, reason: str) -> None:
    """Look at the effect of a ruling on a board, then give it."""
    desk.get_by_label("Why", exact=True).fill(reason)
    desk.get_by_role("button", name="Show the effect").last.click()
    desk.get_by_role("button", name="Give this ruling").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Board")


def test_whatever_happens_to_results_is_put_right_and_the_list_says_so(desk_of, page):
    section = section_with(13, "mitchell", round=1)
    by = director_of(section.club)
    complete(section)
    desk = desk_of(section, by)
    comes_late(desk, "Eve Engel", "Max Ohm")
    complete(section)
    play_rounds(section, until=2, by=by, turned=(0, 0))
    desk.reload()
    comes_late(desk, "Ida Roth", "Tom Wolf")
    play_rounds(section, until=7, by=by, turned=(4, 3))

    # a table forgot the arrow-switch: the page has found it, and leads to what repairs it
    desk.goto(reverse("look-at", args=[section.code]))
    forgotten = desk.locator("li", has_text="Table 3, round 4: wrong direction?")
    forgotten.locator("a.primary").click()
    desk.locator(".decide button:visible").click()
    expect(desk).to_have_url(re.compile("/desk/"))
    desk.goto(reverse("look-at", args=[section.code]))
    expect(forgotten).to_have_count(0)
    played = agrees_with_a_recount(section)

    # a weighted score
    change_at(desk, section, 5, "1")
    rule(desk, "Weighted")
    for part, (result, share) in enumerate((("+110", "60"), ("2sn-1", "40")), start=1):
        desk.locator(f"[name=result_ns_{part}]").fill(result)
        desk.locator(f"[name=share_ns_{part}]").fill(share)
    store(desk, "unauthorised information", "60 % .110")
    expect(desk.locator(".traveller")).to_contain_text("ruling")

    # 60/40
    change_at(desk, section, 6, "2")
    rule(desk, "Average")
    store(desk, "East-West had heard of it", "60 % and 40 %")
    ruled = agrees_with_a_recount(section)
    assert ruled != played

    # a fouled board is two groups, and one again
    desk.goto(reverse("board-results", args=[section.code, 8]))
    desk.get_by_role("link", name="Cards were exchanged").click()
    desk.locator("[name=from_round]").select_option("4")
    give(desk, "two cards exchanged")
    expect(desk.locator(".traveller")).to_contain_text("two cards exchanged")
    desk.get_by_role("button", name="One group again").click()
    expect(desk.locator(".traveller")).not_to_contain_text("two cards exchanged")
    assert agrees_with_a_recount(section) == ruled

    # final and published; a correction after the end revises it, and phones read what counts now
    desk.get_by_role("link", name="Ranking", exact=True).click()
    desk.get_by_text("Make final and publish").click()
    desk.get_by_role("button", name="Publish anyway").click()  # results are not checked
    expect(desk.locator(".steps3")).to_contain_text("Corrections until")
    desk.get_by_role("button", name="Open again").click()
    expect(desk.locator(".steps3")).to_contain_text("Everything can still be changed.")
    change_at(desk, section, 11, "4")
    desk.get_by_label("Correct result").fill("3nn=")
    expect(desk.locator("#says")).to_contain_text("9 tricks")
    desk.get_by_label("Correct result").press("Enter")
    expect(desk.get_by_role("dialog")).to_have_count(0)
    desk.goto(reverse("ranking", args=[section.code]))
    desk.get_by_text("Make final and publish").click()
    desk.get_by_role("button", name="Publish anyway").click()  # results are not checked
    expect(desk.locator(".steps3")).to_contain_text("Final, revised (1)")
    revised = agrees_with_a_recount(section)
    assert revised != ruled
    phone = page(PHONE)
    phone.goto(reverse("public-results", args=[ScoringSettings.objects.get().token]))
    for percent in revised.values():
        expect(phone.locator("main")).to_contain_text(f"{percent:.2f}")
