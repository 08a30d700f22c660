"""An evening at a table in browsers that lack something: the phone's scripts do without it or leave it to the forms."""

import re

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import expect

from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import DirectorCall
from tests.table_phones.tapping import with_phones

from .conftest import PHONE
from .test_tables import scan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: scripts that take an ability away before those of the page run
NO_BUTTON_IN_FORM_DATA = "FormData = class extends FormData { constructor(form) { super(form); } };"
NO_REQUEST_SUBMIT = "delete HTMLFormElement.prototype.requestSubmit;"
NO_SUBMITTER = "delete SubmitEvent.prototype.submitter;"
NULL_AS_SUBMITTER = (
    "Object.defineProperty(SubmitEvent.prototype, 'submitter', { get: () => null });"
)
NO_STORE = "delete self.indexedDB;"
NO_WORKER = "delete Navigator.prototype.serviceWorker;"
NO_CHILDREN_REPLACED = "delete Element.prototype.replaceChildren;"
NOTHING_OF_LATER_YEARS = """
    delete AbortSignal.any;
    delete AbortSignal.timeout;
    delete Array.prototype.at;
    delete Array.prototype.findLast;
    delete crypto.randomUUID;
    delete Element.prototype.checkVisibility;
    delete HTMLDialogElement.prototype.showModal;
    delete Object.hasOwn;
    delete self.structuredClone;
    delete String.prototype.at;
    delete String.prototype.replaceAll;
    for (const { prototype } of [Document, Element]) for (const name of ["querySelector", "querySelectorAll"]) {
        const search = prototype[name];
        prototype[name] = function (query) {
            if (query.includes(":has(")) throw new SyntaxError(query);
            return search.call(this, query);
        };
    }
"""
#: browsers by what they lack, and whether the scripts take the forms over there
BROWSERS = {
    "Chrome 111": ([NO_BUTTON_IN_FORM_DATA], True),
    "Safari 14": (
        [NO_BUTTON_IN_FORM_DATA, NO_REQUEST_SUBMIT, NO_SUBMITTER, NOTHING_OF_LATER_YEARS],
        True,
    ),
    "Safari 15 that keeps nothing": (
        [NO_BUTTON_IN_FORM_DATA, NO_REQUEST_SUBMIT, NULL_AS_SUBMITTER, NO_STORE, NO_WORKER],
        True,
    ),
    "Chrome 85": ([NO_BUTTON_IN_FORM_DATA, NO_CHILDREN_REPLACED], False),
}
#: what browsers before 2020 cannot parse
NEWER_THAN_2019 = re.compile(r"\?\.[a-zA-Z([]|\?\?")

CALLS = {"call": "Call the director", "board": "Wrong board", "people": "Wrong opponents"}
OUTCOMES = [
    {"contract": "4S", "declarer": "S", "tricks": 10},
    {"passed": True},
    {"not_played": "time"},
]
#: what marks a page that has not been left since it was marked
MARK = "window.isMarked = true"
IS_MARKED = "window.isMarked === true"


def play_an_evening(phone, section):
    """Join table 1, enter its three boards in the three ways there are, and call the director in each way."""
    at = f"/p/{section.code}/table/1/"
    plays = section.plays.filter(round=section.round, table=1, taken_back_at=None)
    contract, passed, unplayed = (f"Enter board {play.board}" for play in plays)
    yes = phone.get_by_role("button", name="Yes, that is right")

    scan(phone, section, 1)
    phone.get_by_role("button", name="NS").click()
    phone.get_by_role("link", name=contract).click()
    for key in ("[name=level][value='4']", "[name=strain][value=S]"):
        phone.locator(f"#pad {key}.key").click()
        expect(phone.locator(f"#pad {key}.key")).to_have_attribute("aria-pressed", "true")
    phone.locator("#pad [name=by][value=S].key").click()
    phone.locator("[name=tricks][value='10']:visible").click()
    expect(yes).to_be_visible()
    phone.goto(at)
    phone.get_by_role("link", name=passed).click()
    phone.get_by_role("button", name="All passed").click()
    expect(yes).to_be_visible()
    phone.goto(at)
    phone.get_by_role("link", name=unplayed).click()
    phone.get_by_role("link", name="Not played").click()
    phone.get_by_role("button", name="No time left").click()
    expect(yes).to_be_visible()
    for why, name in CALLS.items():
        phone.goto(at)
        phone.get_by_role("button", name=name).click()
        back = phone.get_by_role("button", name="Cancel the call")
        expect(back).to_be_visible()
        assert [call.why for call in DirectorCall.objects.all()] == [why]
        back.click()
        expect(phone.get_by_role("button", name=name)).to_be_visible()


def stored_of(section):
    """Return the outcomes of table 1 in the order of its boards."""
    results = Result.objects.filter(play__section=section, play__table=1, stands=True)
    return [result.outcome for result in results.order_by("play__board")]


@pytest.mark.parametrize("browser", BROWSERS)
def test_an_older_browser_joins_enters_and_calls(page, section, browser):
    with_phones(section)
    lacks, is_taken_over = BROWSERS[browser]
    phone = page(PHONE)
    for script in lacks:
        phone.add_init_script(script)

    play_an_evening(phone, section)

    assert stored_of(section) == OUTCOMES
    phone.evaluate(MARK)
    phone.get_by_role("link", name="Boards of earlier rounds").click()
    expect(phone.get_by_text("There are none yet.")).to_be_visible()
    assert phone.evaluate(IS_MARKED) is is_taken_over


def test_a_browser_that_parses_none_of_our_scripts_does_it_all_by_forms(contexts, section):
    """Scripts run there, but ours and htmx stop at their first line that is newer."""
    with_phones(section)
    context = contexts(PHONE, service_workers="block")
    left_out = set()

    def answer(route):
        name = re.search(r"/static/([\w./-]+\.js)", route.request.url)[1]
        with open(finders.find(name), encoding="utf-8") as file:
            script = file.read()
        if NEWER_THAN_2019.search(script):
            left_out.add(name.rpartition("/")[2])
            script = "?"
        route.fulfill(body=script, content_type="text/javascript")

    context.route(re.compile(r"/static/.*\.js"), answer)
    phone = context.new_page()

    play_an_evening(phone, section)

    assert stored_of(section) == OUTCOMES
    assert left_out == {"htmx-2.0.11.min.js", "phone.js", "letters.js", "waiting.js", "tables.js"}
    phone.goto(f"/p/{section.code}/table/1/")
    phone.get_by_role("link", name="Look again").click()
    expect(phone.get_by_role("button", name="Call the director")).to_be_visible()
