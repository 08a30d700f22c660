"""Commits while a page is read: the page shows one state, the one before or the one after."""

import os
from datetime import UTC, datetime
from itertools import count

import pytest
from django.utils import timezone

import bridgebuddy.director.urls as director
import bridgebuddy.players.urls as players
import bridgebuddy.printing.urls as printing
import bridgebuddy.table_phones.urls as tables
from bridgebuddy.director.sessions import home_cache
from bridgebuddy.events.services.play import searches
from movements.engine.changes import PairArrives, proposals
from tests.factories import section_with
from tests.lists import difference

from .addresses import WITHOUT_SECTION, PageRequest, forms, pages
from .meanwhile import CHANGES, ChangingEvening

ONLY_FOR_FORMS = {
    *("withdraw", "swap", "undo", "redo", "next-round", "back", "seen", "clock", "cross"),
    *("have-read", "through-door", "door-tablet", "start-rounds", "section-clocks"),
    *("play-as", "end-substitute"),
    *("rehearse", "press-on", "bring-back", "results-profile", "results-state"),
    *("results-beside", "same-cards", "results-room"),
    *("rule-match", "match-ruling-back", "extra-boards"),
    *(
        "unfoul-board",
        "results-undo",
        "penalty-back",
        "results-doubt",
        "draw-back",
        "invent-results",
        "remind-table",
        "deals-away",
    ),
    *("renew-secrets", "take-call", "let-phone"),
    *("table-digits", "table-who", "table-call", "table-swap", "table-choose"),
    "table-exchange",
    *("deals-away", "remind-table", "terminals-back", "look-early"),
    *("deals-make", "deals-word", "deals-close", "player-deals-word"),
}


@pytest.fixture(autouse=True)
def quick_and_timeless(monkeypatch):
    """No search takes long, no sheet is drawn, and no clock runs."""
    now = datetime.now(UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setattr("movements.engine.fairness.switching.proposals", lambda *_: [])
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    monkeypatch.setattr(home_cache, "cached", lambda key, state, build: build())
    monkeypatch.setattr(
        searches,
        "searched_proposals",
        lambda movement, fixed, change, sizes: proposals(movement, fixed, PairArrives(), sizes),
    )


def change_of(request):
    return request.node.callspec.params["evening"]


@pytest.fixture(params=CHANGES)
def evening(request, transactional_db):
    evening = ChangingEvening(CHANGES[request.param])
    with evening.noting_what_is_written():
        yield evening


#: of so many pages one is asked at each change. On PostgreSQL fewer are: what its snapshots do is the same on all
TURNS = int(os.environ.get("TURNS") or 4)


def of_turn(asked, change, turns):
    """Return every so-manyth page or form, other ones for each change: all have their turn with some change."""
    first = list(CHANGES).index(change) % turns
    return asked[first::turns]


#: where a page reads all of it in one snapshot, the database keeps it whole: whether it does is tried with one of so many
SURE = int(os.environ.get("SURE") or 4)

#: what a form may find changed before it is read, before it is answered, or both
AT_FORMS = [
    "a pair withdraws",
    "the session begins",
    "a late pair is seated",
    "a round is taken back",
]


def test_every_page_shows_one_moment(evening, request):
    mixed = []
    for place, asked in enumerate(of_turn(pages(evening.section), change_of(request), TURNS)):
        with evening.happening_after(read=0) as reads:
            before = evening.shown(asked)
        assert before.status < 500, asked
        assert reads, f"{asked} reads no section"
        if reads.is_of_one_snapshot and place % SURE:
            continue
        for read in count(1):
            with evening.happening_after(read) as reads:
                meanwhile = evening.shown(asked)
            assert reads, f"{asked} reads no section"
            if meanwhile != before and meanwhile != evening.shown(asked):
                mixed.append((str(asked), read, meanwhile.status))
            evening.begin_again()
            if read >= len(reads):  # those with a search in between read twice
                break

    assert mixed == []


def test_every_change_shows(evening):
    seen = [PageRequest("entries"), PageRequest("desk"), PageRequest("lookup")]
    before = [evening.shown(asked) for asked in seen]

    evening.happen()

    after = [evening.shown(asked) for asked in seen]
    assert all(item != other for item, other in zip(before, after, strict=True))


@pytest.mark.parametrize("evening", AT_FORMS, indirect=True)
def test_every_form_is_answered_of_one_moment(evening, request):
    mixed = []
    for asked in of_turn(forms(evening.section), change_of(request), TURNS):
        with evening.happening_after(read=0) as reads:
            before = evening.shown(asked)
        evening.begin_again()
        evening.happen()
        after = evening.shown(asked)
        assert max(before.status, after.status) < 500, asked
        for read in range(1, len(reads) + 1):
            evening.begin_again()
            with evening.happening_after(read):
                meanwhile = evening.shown(asked)
            if meanwhile not in (before, after):
                mixed.append((str(asked), read, meanwhile.status))
        evening.begin_again()

    assert mixed == []


@pytest.mark.guard
@pytest.mark.django_db
def test_no_address_is_forgotten(alice, signed_in):
    section = section_with(10, "mitchell", round=1, by=alice)
    asked = {page.name for page in pages(section)}
    sent = {form.name for form in forms(section)}
    every = [
        *director.urlpatterns,
        *players.urlpatterns,
        *tables.urlpatterns,
        *printing.urlpatterns,
    ]

    names, listed = {urlpattern.name for urlpattern in every}, asked | sent | WITHOUT_SECTION
    assert difference(names, listed, "pages() or forms() in tests/pages/addresses.py") == []
    where = "ONLY_FOR_FORMS in tests/pages/test_one_moment.py"
    assert difference(sent - asked, ONLY_FOR_FORMS, where) == []
    for row in forms(section):
        if row.name in ONLY_FOR_FORMS:
            assert PageRequest(row.name, row.rest).of(section, signed_in(alice)).status_code == 405
