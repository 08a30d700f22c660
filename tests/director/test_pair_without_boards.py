"""A pair that plays no board in the whole session: recorded, seated, scored, printed and published."""

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.scoring.rules.files.catalogue import FORMATS
from bridgebuddy.scoring.services.publishing import publish_results
from movements.engine.changes import LineSatElsewhere
from tests.factories import section_with
from tests.scoring.test_tonight import enter_by_chance

from .reading import address_of, text, titles_on, ways_on

pytestmark = pytest.mark.django_db
MISTAKE = {"round": 1, "line": "ns", "up": "-1"}


@pytest.fixture
def section(club, alice):
    """Three and a half tables in the last of two rounds: one pair sits out in round 2."""
    return section_with(7, "mitchell", rounds=2, round=2, club=club, by=alice)


@pytest.fixture
def recorded(section, alice):
    """The same session with a mistake of round 1: the pair sat out then, too."""
    change = LineSatElsewhere(1, "ns", -1)
    [way, *_] = changes.change_options(section, change)
    changes.take_proposal(section, way, change, plan=section.plan, by=alice)
    return Section.objects.get(pk=section.pk)


def test_the_director_reads_which_pair_plays_no_board(signed_in, alice, section):
    page = signed_in(alice).get(address_of(section, "line"), MISTAKE)

    assert titles_on(page)[0] == "Record the mistake; everything else stays as planned"
    assert len(ways_on(page)) == 1
    assert "NS 1 plays no board this session" in text(page)


def test_it_is_ranked_without_a_place_in_rankings_and_files(signed_in, alice, recorded):
    enter_by_chance(recorded)
    browser = signed_in(alice)

    ranking = text(browser.get(reverse("ranking", args=[recorded.code])))
    files = {
        name: browser.get(reverse("results-file", args=[recorded.code, name])) for name in FORMATS
    }

    assert "All 18 results are in." in ranking
    assert "1 Anna North1 & Bob South1 without a place 0" in ranking
    assert {file.status_code for file in files.values()} == {200}
    assert "–. Anna North1 & Bob South1\n" in files["text"].content.decode()
    assert "No board has been played yet" in text(
        browser.get(reverse("score-sheet", args=[recorded.code, "NS1"]))
    )


def test_its_card_and_its_phone_say_that_it_sits_out_every_round(
    client, signed_in, alice, recorded
):
    browser = signed_in(alice)
    cards = text(browser.get(reverse("print-preview", args=[recorded.code, "guide-cards"])))
    phone = text(client.get(reverse("player", args=[recorded.code, "NS1"])))

    assert "You sit out in rounds 1–2." in cards
    assert "sit out" in phone
    for name in ("rover-cards", "score-cards", "master", "name-cards", "poster", "seating"):
        sheet = browser.get(reverse("print-preview", args=[recorded.code, name]))
        assert "NS 1" in text(sheet), name


def test_published_pages_list_it_without_a_result(client, signed_in, alice, recorded):
    enter_by_chance(recorded)
    token = publish_results(recorded, by=alice).token

    page = text(client.get(reverse("public-results", args=[token])))
    sheet = text(client.get(reverse("public-sheet", args=[token, "A", "NS1"])))
    written = client.get(reverse("api-results", args=[token])).json()

    assert "1 Anna North1 & Bob South1 without a place" in page
    assert "Result Boards 0" in sheet
    last = written["rankings"][0]["rows"][-1]
    assert (last["name"], last["place"], last["value"]) == ("Anna North1 & Bob South1", None, None)
