"""The desk's tables, each of which opens, and its menu of possible actions."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.desk.page import DeskPage
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from tests.factories import section_with

from .reading import text

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "main"}


@pytest.fixture
def desk(signed_in, alice):
    browser = signed_in(alice)

    def ask(section, **sent):
        return browser.get(reverse("desk", args=[section.code]), sent)

    ask.browser = browser
    return ask


def opened(page):
    """Return the content of the open table."""
    matches = re.findall(
        r'<section class="panel tile-open".*?</section>', page.content.decode(), re.S
    )
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", matches[0])).strip() if matches else ""


def test_a_table_opens_with_full_names_and_what_can_be_done_there(desk, skip_section):
    page = desk(skip_section, table=4)

    said = opened(page)
    assert said.startswith("Table 4, round 4")
    assert "Anna North7 &amp; Bob South7" in said
    for name in (
        "Wrong boards were played",
        "A table sat the wrong way",
        "Print its card",
        "Names",
    ):
        assert name in said
    markup = page.content.decode()
    assert f"/s/{skip_section.code}/change/wrong-boards/?table=4" in markup
    assert "table-cards.html?table=4" in markup
    assert f"/p/{skip_section.code}/NS4/" in markup


def test_an_open_table_stays_open_when_the_desk_is_drawn_anew(desk, skip_section):
    markup = desk(skip_section, table=4).content.decode()

    assert f"?v={skip_section.shown}-{skip_section.results}&amp;table=4" in markup


@pytest.mark.parametrize("asked", ["", "99", "x", "-1", "9" * 40, "٣"])
def test_a_table_there_is_not_opens_nothing(desk, skip_section, asked):
    page = desk(skip_section, table=asked)

    assert (page.status_code, opened(page)) == (200, "")


def test_wrong_boards_are_asked_of_the_table_that_was_open(desk, skip_section):
    address = reverse("change", args=[skip_section.code, "wrong-boards"])

    page = desk.browser.get(address, {"table": 4})

    assert page.context["form"]["table"].value() == "4"
    assert not page.context["form"].is_bound


def test_the_menu_has_six_groups_while_pairs_play(desk, skip_section):
    menu = [group.title for group in desk(skip_section).context["desk"].other_actions]

    assert menu == [
        *("This round", "Pairs", "Rounds to come", "The session"),
        *("Look and print", "Other pages of the session"),
    ]


def test_after_the_end_the_menu_has_only_what_is_still_possible(desk, skip_section, alice):
    rounds.finish_session(skip_section, round=4, by=alice)

    page = desk(skip_section)

    assert [str(group.title) for group in page.context["desk"].other_actions] == [
        *("Pairs", "Look and print", "Other pages of the session"),
    ]


def test_display_and_code_open_beside_the_desk(desk, skip_section):
    markup = desk(skip_section).content.decode()

    for name in ("room-display", "lookup"):
        address = reverse(name, args=[skip_section.code])
        links = re.findall(rf'<a[^>]+href="{address}"[^>]*>', markup)
        assert links
        assert all("_blank" in link for link in links)


def test_enter_seats_nobody_and_keeps_what_was_typed(desk, skip_section):
    address = reverse("change", args=[skip_section.code, "late"])
    page = desk.browser.get(address)
    way = page.context["choices"][0].key
    names = {"first": "Eva Late", "second": "Max Late"}

    asked = {"plan": skip_section.plan, "way": way, **names, "look": "1"}
    answer = desk.browser.post(address, asked)

    assert answer.status_code == 200
    assert skip_section.entries.count() == 16
    assert 'value="Eva Late"' in answer.content.decode()
    assert "aria-invalid" not in answer.content.decode()


def test_the_harmless_button_is_the_first_of_the_form(desk, skip_section):
    markup = desk.browser.get(reverse("change", args=[skip_section.code, "late"])).content.decode()

    form = markup[markup.index('<form method="post"') :]
    assert re.findall(r"<button[^>]*>", form)[0].count('name="look"') == 1


@pytest.fixture
def teams(club, alice):
    return section_with(6, "team-round-robin", round=1, contest="teams", club=club, by=alice)


def test_a_director_lets_the_pairs_of_a_team_sit_the_other_way(desk, teams):
    entry = teams.entries.get(contestant=1)
    assert "They sit the other way" in opened(desk(teams, table=1))

    desk.browser.post(reverse("cross", args=[teams.code, entry.pk]), {"round": 1, "crossed": 1})

    assert "They sit as usual" in opened(desk(Section.objects.get(pk=teams.pk), table=1))
    assert "sits the other way in round 1" in text(desk(teams))


@pytest.mark.parametrize("sent", [{}, {"round": 2, "crossed": 1}, {"round": 1, "crossed": "x"}])
def test_what_is_sent_wrong_or_late_exchanges_nobody(desk, teams, sent):
    entry = teams.entries.get(contestant=1)

    answer = desk.browser.post(reverse("cross", args=[teams.code, entry.pk]), sent)

    assert answer.status_code == 302
    assert teams.entries.get(pk=entry.pk).crossed_in == []


def test_directors_of_other_clubs_exchange_nobody(teams, signed_in, carol):
    entry = teams.entries.get(contestant=1)

    answer = signed_in(carol).post(
        reverse("cross", args=[teams.code, entry.pk]), {"round": 1, "crossed": 1}
    )

    assert answer.status_code == 404
    assert teams.entries.get(pk=entry.pk).crossed_in == []


def test_a_teams_name_stands_beside_its_number(desk, teams):
    teams.entries.filter(contestant=1).update(name="Castle Bridge")

    assert re.search(r"NS 1 Castle Bridge North\d+ South\d+", text(desk(teams)))


def test_a_teams_name_is_entered_and_mended(desk, club, alice):
    section = section_with(0, contest="teams", club=club, by=alice)
    four = {"first": "Eva A", "second": "Max B", "third": "Ina C", "fourth": "Uwe D"}

    desk.browser.post(reverse("add-pair", args=[section.code]), {**four, "team": " Old  Mill "})

    entry = section.entries.get()
    assert entry.name == "Old Mill"
    address = reverse("edit-pair", args=[section.code, entry.pk])
    assert 'value="Old Mill"' in desk.browser.get(address).content.decode()
    desk.browser.post(address, {**four, "team": "Harbour"})
    assert section.entries.get().name == "Harbour"
    assert desk.browser.post(address, {**four, "team": "x" * 61}).status_code == 422


@pytest.mark.parametrize(
    ("teams", "family", "matches"),
    [(8, "swiss", [2, 2, 2, 2]), (9, "swiss", [2, 2, 2, 3]), (8, "team-awl", [])],
)
def test_the_tables_of_a_match_stand_together(teams, family, matches):
    section = section_with(teams, family, contest="teams", round=1, boards_per_round=6)

    found = DeskPage(section).matches

    assert [len(match.tiles) for match in found] == matches
    for match in found:
        names = {team.number for team in match.teams}
        assert names == {
            item.contestant.number
            for tile in match.tiles
            for game in tile.games
            for item in (*game.ns, *game.ew)
        }
    assert sorted(tile.table for match in found for tile in match.tiles) == list(
        range(1, teams + 1) if found else ()
    )
