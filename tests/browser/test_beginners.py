"""Evenings of beginners, who press what a page offers: no address is typed after the first one."""

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import DESKTOP

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page: Page, name: str | re.Pattern) -> None:
    """Press a button or a link that is seen."""
    either = page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name))
    either.filter(visible=True).first.click()


def test_an_evening_is_tried_without_an_account_and_its_results_are_seen(page):
    opened = page(DESKTOP)
    opened.goto("/")

    press(opened, "Try it with an invented evening")
    press(opened, "Sit down at the desk")
    press(opened, "Start round 3")
    expect(opened.locator(".roundno")).to_contain_text("Round 3")
    press(opened, re.compile("^Results"))
    press(opened, re.compile("^Ranking"))
    expect(opened.get_by_role("heading", level=1)).to_contain_text(
        re.compile("In front:|share the first place")
    )
