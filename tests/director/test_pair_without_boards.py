"""A pair that plays no board in the whole session: recorded, seated, scored, printed and published."""

from datetime import timedelta

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import finish_session
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.files.catalogue import FORMATS
from bridgebuddy.scoring.services.publishing import make_list_final, publish_results
from bridgebuddy.seasons.models import Championship
from bridgebuddy.seasons.queries.championships import ChampionshipTable
from bridgebuddy.seasons.queries.ledger import due_points
from movements.engine.changes import LengthChanges, LineSatElsewhere
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
    return with_the_mistake(section, alice)


def with_the_mistake(section, alice):
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


def test_a_championship_and_masterpoints_count_all_others(signed_in, alice, club):
    whole = section_with(7, "mitchell", rounds=2, round=2, boards_per_round=12, club=club, by=alice)
    recorded = with_the_mistake(whole, alice)
    ScoringSettings.objects.update_or_create(
        session=recorded.session, defaults={"masterpoints": "abf-session"}
    )
    enter_by_chance(recorded)
    section = finish_session(recorded, round=2, by=alice)
    make_list_final(section, by=alice)
    values = ("percentage", "places", "masterpoints", "wins", "evenings")  # the last: it came
    shown = [Championship.objects.create(club=club, name=n, counts=n, least=1) for n in values]

    lines = [ChampionshipTable(championship).standings.lines for championship in shown]
    pages = [
        text(signed_in(alice).get(reverse("championship", args=[club.pk, championship.pk])))
        for championship in shown
    ]
    due = due_points(club, club.today + timedelta(days=1))

    without = {person.pk for person in section.entries.get(contestant=1).players}
    others = {person.pk for pair in section.entries.all() for person in pair.players} - without
    listed = [{int(person) for line in table for person in line.who} for table in lines]
    assert listed == [others, others, others, others, others | without]
    for page in pages[:-1]:
        assert "Anna North1 " not in page
        assert "Anna North2 " in page
    assert due
    assert without.isdisjoint(entry.person for entry in due)


@pytest.mark.parametrize(
    ("family", "contest", "count"),
    [("swiss", "pairs", 7), ("swiss", "teams", 5), ("knockout", "teams", 5)],
)
def test_a_draw_that_ends_after_one_round_lists_who_had_the_bye(
    client, signed_in, alice, club, family, contest, count
):
    drawn = {"contest": contest, "odd": "bye"} if family == "swiss" else {}
    section = section_with(
        count, family, contest=contest, rounds=2, options=drawn, round=1, club=club, by=alice
    )
    change = LengthChanges(1)
    [way, *_] = changes.change_options(section, change)
    changes.take_proposal(section, way, change, plan=section.plan, by=alice)
    section = Section.objects.get(pk=section.pk)
    enter_by_chance(section)
    section = finish_session(section, round=1, by=alice)
    browser = signed_in(alice)

    pages = {
        name: browser.get(reverse(name, args=[section.code]))
        for name in ("ranking", "matches", "desk", "print")
    }
    token = publish_results(section, by=alice).token
    public = text(client.get(reverse("public-results", args=[token])))

    assert {page.status_code for page in pages.values()} == {200}
    for entry in section.entries.all():
        name = entry.team_name if contest == "teams" else entry.names
        assert name in text(pages["ranking"])
        assert name in public
