"""Why something was taken back or done again: typed where it is pressed, kept with the records."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from movements.engine.changes import PairLeaves
from tests.director.reading import alerts_on, text
from tests.markup import markup

pytestmark = pytest.mark.django_db

TOO_LONG = "x" * 201
ODD = "Anna’s <b>train</b> & the rain"


@pytest.fixture
def section(skip_section, alice):
    """Round 4 is being played, and pair 3 goes home after it."""
    leaves = PairLeaves(3)
    ways = changes.change_options(skip_section, leaves)
    return changes.take_proposal(skip_section, ways[0], leaves, plan=skip_section.plan, by=alice)


def now(section):
    return Section.objects.get(pk=section.pk)


def turn(browser, section, name, htmx=False, **said):
    sent = {"plan": now(section).plan, "after": section.round, **said}
    headers = {"HX-Request": "true"} if htmx else {}
    return browser.post(reverse(name, args=[section.code]), sent, headers=headers)


def stored_reasons(section):
    """Return changes and reasons from the movement's versions and from the records."""
    versions = [
        (movement.change, movement.reason) for movement in section.movements.order_by("-version")
    ]
    records = AuditRecord.objects.filter(subject="section", subject_id=section.pk)
    return versions, [
        (record.facts.get("change", record.action), record.reason) for record in records
    ]


def test_undo_and_redo_keep_their_reasons(browser, section):
    turn(browser, section, "undo", reason="  The pair is back ")
    turn(browser, section, "redo", reason="And gone again")

    versions, records = stored_reasons(section)
    done = [("redo", "And gone again"), ("undo", "The pair is back")]
    assert versions == [*done, ("half-table", ""), ("", "")]
    assert records[:2] == done


def test_without_a_reason_one_press_is_enough(browser, section):
    turn(browser, section, "undo")

    versions, records = stored_reasons(section)
    assert (versions[0], records[0]) == (("undo", ""), ("undo", ""))


@pytest.mark.parametrize("htmx", [False, True], ids=["form", "htmx"])
def test_the_start_of_a_round_is_taken_back_with_a_reason(browser, skip_section, htmx):
    turn(browser, skip_section, "back", htmx, reason="Table 3 is still playing")

    assert now(skip_section).round == 3
    assert stored_reasons(skip_section)[1][0] == ("section.back", "Table 3 is still playing")


def test_the_desk_and_the_history_tell_the_reason(browser, section):
    turn(browser, section, "undo", reason=ODD)

    desk = browser.get(reverse("history", args=[section.code]), follow=True)
    told, fold = desk.content.decode().split('id="history"')
    quotes = [re.findall("<q>(.*?)</q>", part) for part in (told, fold)]

    assert quotes == [["Anna’s &lt;b&gt;train&lt;/b&gt; &amp; the rain"]] * 2
    assert text(desk).count(ODD) == 2


@pytest.mark.parametrize("name", ["undo", "redo", "back"])
def test_too_long_a_reason_is_refused_beside_its_field_and_stays(browser, section, name):
    if name == "redo":
        turn(browser, section, "undo")
    elif name == "back":
        turn(browser, section, "next-round")
        section = now(section)
    before = (now(section).shown, stored_reasons(section))

    answer = turn(browser, section, name, reason=TOO_LONG)

    assert answer.status_code == 422
    assert alerts_on(answer) == ["Ensure this value has at most 200 characters (it has 201)."]
    page = markup(answer)
    assert re.findall(r'<details class="reason" id="why-(\w+)"[^>]* open>', page) == [name]
    assert re.findall(r'name="reason" id="reason-(\w+)" value="(x+)"', page) == [(name, TOO_LONG)]
    assert ('<details class="more" open>' in page) == (name == "redo")
    assert (now(section).shown, stored_reasons(section)) == before


def test_too_long_a_reason_is_shown_to_htmx_too(browser, skip_section):
    answer = turn(browser, skip_section, "back", htmx=True, reason=TOO_LONG)

    assert answer.status_code == 200  # htmx would leave anything else alone
    assert len(alerts_on(answer)) == 1
    assert now(skip_section).round == 4


def test_what_is_being_typed_outlives_a_poll_but_not_its_press(browser, skip_section):
    desk = reverse("desk", args=[skip_section.code])
    kept = '<details class="reason" id="why-back" hx-preserve="true">'

    polled = markup(browser.get(desk, headers={"HX-Request": "true"}))
    pressed = markup(turn(browser, skip_section, "back", htmx=True, reason="Too early"))

    assert kept in polled
    assert '<details class="reason" id="why-back">' in pressed
