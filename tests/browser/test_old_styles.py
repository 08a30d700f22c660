"""Players' and public pages as the oldest browsers lay them out (.ci/package.json)."""

import re

import pytest
from django.contrib.staticfiles import finders
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page

from bridgebuddy.events.models import Section
from bridgebuddy.publication.own.links import page_code
from bridgebuddy.web.static_files import inline_imports
from tests.factories import ClubFactory, director_of
from tests.players.test_own_page import evening, page_of
from tests.table_phones.tapping import with_phones

from .conftest import PHONE, scrolls_sideways, wait_for_fonts
from .test_accessibility import SMALL_PHONE
from .test_drawn_public import published
from .test_tables import scan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: the published session of another module
_ = published
BLOCK = r"\{(?:[^{}]|\{[^{}]*\})*\}"
#: Safari 14.0 takes `gap` in grids only
NO_GAPS = """() => {
    for (const box of document.querySelectorAll("body *")) {
        if (getComputedStyle(box).display.endsWith("flex")) box.style.gap = "0";
    }
}"""
#: buttons and keys that a finger cannot tell apart, less than 4 pixels from each other
TOUCHING = """() => {
    const keys = [...document.querySelectorAll(".btn, .key")].filter((key) => key.offsetParent);
    const boxes = keys.map((key) => [key.innerText.trim(), key.getBoundingClientRect()]);
    const isNear = (a, b) => a.left < b.right + 4 && b.left < a.right + 4 && a.top < b.bottom + 4 && b.top < a.bottom + 4;
    return boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) => isNear(a, b))
        .map(([other]) => `${name} | ${other}`));
}"""
#: words of a row that follow each other without a space
GLUED = """() => {
    const found = [];
    const range = document.createRange();
    for (const row of document.querySelectorAll("body *")) {
        if (!getComputedStyle(row).display.endsWith("flex") || !row.getClientRects().length) continue;
        const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        const itemOf = (text) => [...row.childNodes].find((item) => item.contains(text));
        let last;
        while (texts.nextNode()) {
            const { currentNode: text } = texts;
            if (!text.data.trim() || text.parentElement.closest(".sr, [hidden], svg")) continue;
            const start = text.data.search(/\\S/);
            range.setStart(text, start);
            range.setEnd(text, text.data.trimEnd().length);
            const box = range.getClientRects()[0];
            const end = [...range.getClientRects()].pop();
            if (!box) continue;
            const isOneLine = last && Math.min(last.end.bottom, box.bottom) - Math.max(last.end.top, box.top) > 5;
            const isNext = last && itemOf(last.text) !== itemOf(text);
            if (isOneLine && isNext && box.left - last.end.right < 2 && box.left - last.end.right > -2
                && !/\\s$/.test(last.text.data) && start === 0) found.push(`${last.text.data}|${text.data}`);
            last = { end, text };
        }
    }
    return found;
}"""


def as_safari_14_reads(style: str) -> str:
    """Leave out the parts of a style sheet that Safari 14.0 and Chrome 87 do not read."""
    style = re.sub(r"@supports selector\(:has\(a\)\)\s*" + BLOCK, "", style)
    style = re.sub(r"@container[^{]*" + BLOCK, "", style)
    style = re.sub(r"@supports not \(inset: ?0\)", "@supports (top: 0)", style)
    return re.sub(r"container-type:[^;}]*", "", style)


def read_old_styles(context: BrowserContext) -> None:
    def answer(route) -> None:
        name = re.search(r"/static/(css/[\w-]+\.css)", route.request.url)[1]
        style = inline_imports(finders.find(name)).decode()
        route.fulfill(body=as_safari_14_reads(style), content_type="text/css")

    context.route(re.compile(r"/static/css/"), answer)


def faults(page: Page, *sizes: tuple[int, int]) -> list[object]:
    """Return the layout faults of the shown page, on phones of these sizes."""
    found: list[object] = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wait_for_fonts(page)
        page.evaluate(NO_GAPS)
        found += [*page.evaluate(TOUCHING), *page.evaluate(GLUED)]
        found += [f"scrolls sideways at {width}"] if scrolls_sideways(page) else []
    return found


def test_on_the_oldest_phone_nothing_of_a_table_touches_or_is_cut_off(page, section):
    with_phones(section)
    phone = page(PHONE, service_workers="block")
    read_old_styles(phone.context)
    at = f"/p/{section.code}/table/1/"
    play = section.plays.filter(round=section.round, table=1, taken_back_at=None).first()
    # digits that just fit beside the round
    ends_at = timezone.localtime().replace(hour=0, minute=8)
    Section.objects.filter(pk=section.pk).update(clock_ends_at=ends_at)
    scan(phone, section, 1)
    found = {"whose": faults(phone, PHONE, SMALL_PHONE)}
    phone.get_by_role("button", name="NS").click()
    phone.locator("#live").wait_for()

    for address in (
        at,
        f"{at}board/{play.pk}/",
        f"{at}board/{play.pk}/?level=4&strain=S&by=S",
        f"/p/{section.code}/",
        f"/p/{section.code}/NS3/",
        "/p/",
    ):
        phone.goto(address)
        found[address] = faults(phone, PHONE, SMALL_PHONE)

    assert {address: fault for address, fault in found.items() if fault} == {}


def test_on_the_oldest_phone_nothing_of_results_touches_or_is_cut_off(page, published):
    section, token = published
    club = ClubFactory()
    evening(club, director_of(club))
    phone = page(PHONE)
    read_old_styles(phone.context)
    found = {}
    for address in (
        f"/r/{token}/",
        f"/r/{token}/boards/{section.name}/5/",
        f"/me/{page_code(page_of(club))}/",
    ):
        phone.goto(address)
        assert phone.locator("main").count() == 1
        found[address] = faults(phone, PHONE)

    assert {address: fault for address, fault in found.items() if fault} == {}
