"""Every contest on a phone: pairs with half rounds, teams, single players, draws on results."""

import re

import pytest

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import line_up
from movements.engine.catalogue import build_movement
from movements.engine.drawing.draws import Draw
from movements.engine.drawing.open_rounds import apply_draw
from tests.factories import begun, section_with
from tests.markup import markup

from .reading import player, words
from .test_player import play

pytestmark = pytest.mark.django_db


def playing(family: str, tables: int, *, size: int = 2, round: int = 1, **options) -> Section:
    """A section that plays a movement of the catalogue, four boards a round."""
    section = play(section_with(0), build_movement(family, tables, None, None, options), 4, size)
    return begun(section, round)


def says(client, section: Section, label: str) -> str:
    """Return the phone's words about the present round and the next."""
    page = words(player(client, section, label))
    return page[page.index("Round ") : page.index(" The whole session")]


def lists(client, section: Section, label: str) -> str:
    """Return the phone's list of the evening."""
    page = words(player(client, section, label))
    told = page[page.index("Rd Table") : page.index(" Saved on this phone")]
    return told.removesuffix(" My results")


def test_a_single_player_reads_one_seat_the_partner_and_who_sits_in_the_others(client):
    section = playing("rainbow", 5, size=1)

    assert says(client, section, "S1") == (
        "Round 1 of 5 Table 1 South Boards 1–4 with N 1 P1.1 Player1 "
        "against E 1 P11.1 Player11 and W 1 P16.1 Player16 "
        "Then Table 2 South Boards 9–12 with N 2 P2.1 Player2 "
        "against E 5 P15.1 Player15, W 4 P19.1 Player19"
    )
    assert lists(client, section, "S1").startswith(
        "Rd Table Boards against "
        "1 1 S 1–4 E 1 P11.1 Player11, W 1 P16.1 Player16 (with P1.1 Player1) 2 2 S "
    )


def test_a_team_reads_its_home_table_where_the_other_half_goes_and_who_is_in_it(client):
    section = playing("mitchell-teams", 8)

    assert says(client, section, "3") == (
        "Round 1 of 3 P3.1 Player3 & P3.2 Player3 at your home table "
        "Table 3 North-South Boards 9–12 against 7 Player7 P7.3 Player7 & P7.4 Player7 "
        "You share the boards with table 7. "
        "P3.3 Player3 & P3.4 Player3 "
        "Table 7 East-West Boards 9–12 against 7 Player7 P7.1 Player7 & P7.2 Player7 "
        "You share the boards with table 3. "
        "If your pairs sit the other way, tell the director. "
        "Then Table 3 North-South Boards 13–16 against 6 Player6 "
        "and Table 7 East-West Boards 13–16 against 6 Player6"
    )


def test_a_drawn_match_is_played_at_both_teams_tables(client):
    section = playing("team-round-robin", 6)

    assert says(client, section, "6") == (
        "Round 1 of 5 P6.1 Player6 & P6.2 Player6 at your home table "
        "Table 6 North-South Boards 3–4 at half-time 1–2 come from table 1 "
        "against 1 Player1 P1.3 Player1 & P1.4 Player1 "
        "P6.3 Player6 & P6.4 Player6 "
        "Table 1 East-West Boards 1–2 at half-time 3–4 come from table 6 "
        "against 1 Player1 P1.1 Player1 & P1.2 Player1 "
        "If your pairs sit the other way, tell the director. "
        "Then Table 6 North-South Boards 1–4 against 2 Player2 "
        "and Table 2 East-West Boards 1–4 against 2 Player2"
    )


def test_a_triangle_is_no_sit_out_and_sends_the_halves_to_different_teams(client):
    section = playing("team-round-robin", 7)

    assert says(client, section, "1") == (
        "Round 1 of 6 P1.1 Player1 & P1.2 Player1 at your home table "
        "Table 1 North-South Boards 1–4 then they go to table 3 "
        "against 3 Player3 P3.3 Player3 & P3.4 Player3 "
        "P1.3 Player1 & P1.4 Player1 "
        "Table 2 East-West Boards 1–4 then they go to table 1 "
        "against 2 Player2 P2.1 Player2 & P2.2 Player2 "
        "If your pairs sit the other way, tell the director. "
        "Then Table 1 North-South Boards 1–4 against 2 Player2 "
        "and Table 3 East-West Boards 1–4 against 3 Player3"
    )


def test_the_three_teams_of_a_triangle_agree_who_sits_where(client):
    section = playing("team-round-robin", 7)

    tables = {
        label: re.findall(r"(Table \d) East-West", words(player(client, section, label)))[0]
        for label in ("1", "2", "3")
    }

    assert tables == {"1": "Table 2", "2": "Table 3", "3": "Table 1"}


def test_a_short_triangle_plays_both_matches_in_one_round(client):
    section = playing("swiss", 7, odd="triangle")

    assert lists(client, section, "5") == (
        "Rd Table Boards against 1 5 NS 1–2 7 Player7 1 6 EW 1–2 6 Player6 "
        "1 5 NS 1–2 6 Player6 1 7 EW 1–2 7 Player7 2 not drawn yet 3 not drawn yet"
    )
    said = says(client, section, "5")
    assert "First half of the round P5.1 Player5 & P5.2 Player5" in said
    first, second = said.split("Second half of the round")
    assert re.findall(r"Table \d|go to table \d", first) == [
        *("Table 5", "go to table 7", "Table 6", "go to table 5"),
    ]
    assert re.findall(r"Table \d|come from table \d", second)[:4] == [
        *("Table 5", "come from table 6", "Table 7", "come from table 5"),
    ]


def test_the_halves_of_a_short_triangle_may_have_line_ups_of_their_own(client, alice):
    section = playing("swiss", 7, odd="triangle")
    team = section.entries.get(contestant=5)
    south, _, east, west = (row.name for row in team.players)

    names = ["Eve Five", south, east, west]
    line_up.seat_team(team, names, from_round=1, until_round=1, half=2, by=alice)

    now = Section.objects.get(pk=section.pk)
    said = says(client, now, "5")
    first, second = said.split("Second half of the round")
    assert "P5.1 Player5 & P5.2 Player5" in first
    assert "Eve Five & P5.1 Player5" in second
    assert "from half-time on" not in said
    plays = now.plays.filter(round=1, table=5).order_by("part")
    assert [str(item.north) for item in plays[1:3]] == ["P5.1 Player5", "Eve Five"]


@pytest.mark.parametrize(("family", "tables"), [("swiss", 8), ("knockout", 8)])
def test_a_round_not_yet_drawn_is_no_sit_out(client, family, tables):
    section = playing(family, tables)

    assert says(client, section, "1").endswith(
        "Your next opponents are drawn when round 1 is over."
    )
    begun(section, 2)
    assert says(client, section, "1").startswith(
        "Round 2 of "
        + {"swiss": "4", "knockout": "3"}[family]
        + " Your next opponents are drawn when round 1 is over. Your team P1.1 Player1, P1.2 Player1"
    )


def test_swiss_pairs_have_tables_and_boards(client):
    section = playing("swiss", 8, contest="pairs")

    assert says(client, section, "1") == (
        "Round 1 of 6 Table 1 North-South Boards 1–4 against 9 P9.1 & P9.2 Player9 "
        "Your next opponents are drawn when round 1 is over."
    )


def test_a_bye_before_an_open_round_promises_no_table(client):
    section = playing("swiss", 7, odd="bye")

    assert says(client, section, "7") == (
        "Round 1 of 3 You sit out this round You are back in round 2. "
        "Your team P7.1 Player7, P7.2 Player7, P7.3 Player7, P7.4 Player7 Your next opponents are drawn when round 1 is over."
    )


def test_who_lost_a_knock_out_neither_sits_out_nor_waits(client):
    draw = Draw(matches=((1, 3), (5, 7)))
    section = play(section_with(0), apply_draw(build_movement("knockout", 8), draw), 4, 2)
    begun(section, 2)

    assert says(client, section, "2").startswith("Round 2 of 3 Your matches are over. Your team")
    assert "Table 1 North-South Boards 1–2 at half-time 3–4 come from table 3" in says(
        client, section, "1"
    )


def test_a_two_way_rovers_opponents_sit_out_half_the_round(client):
    section = section_with(9, "two-way-rover", round=2, boards_per_round=4)

    assert says(client, section, "4").split(" until ")[1][6:] == (
        "First half of the round You sit out "
        "Second half of the round Table 4 North-South Boards 11–12 against 9 North5 & South5 "
        "Then Table 4 North-South Boards 1–4 against 6 North4 & South4"
    )
    assert lists(client, section, "9").startswith(
        "Rd Table Boards against 1 you sit out half the round 1 2 NS 7–8 6 North4 & South4 "
        "2 4 NS 9–10 5 North2 & South2 2 4 EW 11–12 4 North8 & South8 3 1 NS "
    )


def test_both_halves_of_a_scissors_round_are_written_out(client):
    section = section_with(7, "scissors-mitchell", round=2, boards_per_round=4)

    assert says(client, section, "EW1").split(" until ")[1][6:] == (
        "First half of the round Table 2 East-West Boards 9–10 against NS 2 North3 & South3 "
        "Second half of the round Table 2 East-West Boards 13–14 against NS 2 North3 & South3 "
        "Then Table 3 East-West Boards 5–6, 15–16 against NS 3 North5 & South5"
    )
    assert "You sit out this round Back at table 1 in round 3" in says(client, section, "NS1")


def test_a_club_may_keep_opponents_names_off_the_phones(client, skip_section):
    Club.objects.update(phones_show_names=False)

    assert says(client, skip_section, "EW1").split(" until ")[1][6:] == (
        "Table 4 East-West Boards 19–21 against NS 4 Then Table 6 East-West Boards 4–6 against NS 6"
    )
    assert "North7" not in words(player(client, skip_section, "EW1"))


KINDS = {
    "pairs": ("mitchell", 5, {}),
    "pairs in halves of a round": ("scissors-mitchell", 4, {}),
    "pairs in one field": ("howell", 4, {}),
    "single players": ("individual", 2, {"size": 1}),
    "teams": ("team-round-robin", 6, {}),
    "a triangle of teams": ("team-round-robin", 7, {}),
    "a short triangle of teams": ("swiss", 7, {"odd": "triangle"}),
    "a drawn match of teams": ("knockout", 8, {}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_are_kept_off_the_phones_stand_nowhere_on_anybodys_page(client, kind):
    family, tables, options = KINDS[kind]
    section = playing(family, tables, **options)

    def names_read():
        """The names of opponents on each page, as far as they are not one's own or a partner's."""
        labels = section.movement.without_seatings
        pages = {n: player(client, section, labels.label(n)) for n in labels.contestants}
        return {
            number: {
                other
                for other in pages
                for seat in seats_of(page)
                if any(f"Player{other}" in person.name.split() for person in seat.opponents)
            }
            | opponents_in(words(page), number, kind)
            for number, page in pages.items()
        }

    assert all(names_read().values())
    Club.objects.update(phones_show_names=False)

    assert not any(names_read().values())


def seats_of(page):
    return [seat for stop in page.context["page"].planned_rounds for seat in stop.seats]


def opponents_in(page: str, number: int, kind: str) -> set[int]:
    """Return the opponents named on a page; a single player's partner may be named."""
    if kind == "single players":
        return set()
    return {int(found) for found in re.findall(r"Player(\d+)", page)} - {number}


def test_a_club_may_keep_later_rounds_off_the_phones(client, skip_section):
    Club.objects.update(phones_show_later_rounds=False)

    assert [line.split()[0] for line in rows(client, skip_section)] == ["1", "2", "3", "4", "5"]


def rows(client, section: Section) -> list[str]:
    page = markup(player(client, section, "EW1")).split("<tbody>")[1]
    return [row.split("<td>")[1].split("</td>")[0] for row in page.split("<tr ")[1:]]


def test_who_of_a_team_sits_where_is_said_to_the_director_and_not_on_a_phone(client, alice):
    section = playing("team-round-robin", 6)
    entry = section.entries.get(contestant=6)
    page = player(client, section, "6")
    assert b'method="post"' not in page.content
    assert "If your pairs sit the other way, tell the director." in words(page)

    answer = client.post(
        f"/p/{section.code}/6/line-up/", {"entry": entry.pk, "round": 1, "crossed": 1}
    )
    assert answer.status_code == 404
    assert section.entries.get(pk=entry.pk).crossed_in == []
    line_up.cross_pairs(entry, round=1, crossed=True, by=alice)

    said = says(client, section, "6")
    assert said.startswith("Round 1 of 5 P6.3 Player6 & P6.4 Player6 at your home table Table 6")
    assert "Table 6 East-West" in says(client, section, "1")
    assert "against 6 Player6 P6.3 Player6 & P6.4 Player6" in says(client, section, "1")
