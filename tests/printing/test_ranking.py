"""The ranking on paper."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.events.services.setup.sections import divide_entries
from bridgebuddy.scoring.footnotes import footnote_lines
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.publishing import (
    make_list_final,
    publish_results,
    set_scoring_profile,
)
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import winners_headline
from tests.director.reading import text
from tests.factories import director_of, section_with
from tests.scoring.test_knockout_places import go_on, win
from tests.scoring.test_tonight import enter_by_chance, scored_section

pytestmark = pytest.mark.django_db
CENTIMETRE = 72 / 2.54
BLACK = (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("pairs", "family", "contest", "pages", "paper"),
    [
        (14, "mitchell", "pairs", 1, "a4"),
        (8, "howell", "pairs", 1, "letter"),
        (12, "individual", "individual", 1, "a4"),
        (8, "swiss", "teams", 2, "letter"),  # the pairs have a page of their own
        (80, "mitchell", "pairs", 2, "letter"),  # which holds fewer lines
    ],
)
def test_everybody_stands_on_the_ranking_once(pdf, client, paper, pairs, family, contest, pages):
    kwargs = {"rounds": 1, "contest": contest}
    if pairs == 80:
        family = "skip-mitchell"
    section = scored_section(pairs, family, **kwargs)
    club = section.club
    club.paper = paper
    club.save()
    file = pdf(director_of(club), section, "ranking.pdf")
    assert len(file.pages) == pages
    text = " ".join(page.extract_text() for page in file.pages)
    for entry in section.entries.all():
        name = entry.team_name if contest == "teams" else entry.players[0].surname
        assert name in text


def test_there_is_no_ranking_before_the_first_result(client, alice, club, signed_in):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    answer = signed_in(alice).get(f"/s/{section.code}/print/ranking.pdf")
    assert answer.status_code == 422


def test_the_place_in_each_stratum_stands_on_the_ranking(pdf):
    section = scored_section(8, "howell")
    classes = {
        entry.pk: {"stratum": 1 + (place >= 4)}
        for place, entry in enumerate(section.entries.order_by("pk"))
    }
    store_classes(section, strata=["Open", "Novice"], classes=classes, by=None)
    file = pdf(director_of(section.club), section, "ranking.pdf")
    assert len(file.pages) == 1
    text = file.pages[0].extract_text()
    assert "Open" in text
    assert "Novice" in text


def test_28_pairs_are_one_page_with_winners_and_the_way_to_all_boards(pdf):
    section = scored_section(56, "skip-mitchell", rounds=2)
    make_list_final(section, by=None)
    scoring = publish_results(section, by=None)

    for page in on_both_papers(pdf, section):
        text = printed(page)
        assert winners_headline(ScoredSession(SessionSnapshot(section))) in text
        assert f"/r/{scoring.token}/" in text
        assert text.replace(" ", "").count("No.Pair") == 2
        assert all(entry.players[0].name in text for entry in section.entries.all())


def on_both_papers(pdf, section):
    """The one page that the ranking takes, on each paper."""
    by = director_of(section.club)
    for paper in ("a4", "letter"):
        [page] = pdf(by, section, f"ranking.pdf?paper={paper}").pages
        yield page


def words_placed(page):
    """Each piece of text of a page: where it begins, from the left and from below, and how large it is."""
    found = []

    def meet(text, of_page, of_text, font, size):
        if text.strip():
            x, y = of_text[4], of_text[5]
            left = of_page[0] * x + of_page[2] * y + of_page[4]
            below = of_page[1] * x + of_page[3] * y + of_page[5]
            found.append((left, below, abs(size * of_text[0] * of_page[0])))

    page.extract_text(visitor_text=meet)
    return found


@pytest.mark.parametrize("pairs", [16, 28])
def test_each_has_a_line_of_a_ranking_that_is_nowhere_small_or_beyond_the_margins(pdf, pairs):
    section = scored_section(pairs, "scrambled-mitchell", rounds=2)
    make_list_final(section, by=None)
    publish_results(section, by=None)

    for page in on_both_papers(pdf, section):
        placed = words_placed(page)
        width, height = page.mediabox.width, page.mediabox.height
        assert len(placed) > pairs
        assert {round(size, 1) for *_, size in placed} <= {10.5, 11, 11.5, 15, 30}
        assert {15, 30} <= {round(size, 1) for *_, size in placed}  # who won, and the heading
        for left, below, _size in placed:
            assert CENTIMETRE < left < width - CENTIMETRE
            assert CENTIMETRE < below < height - CENTIMETRE
        lines = ["".join(line.split()) for line in page.extract_text().splitlines()]
        for entry in section.entries.all():
            names = "".join(entry.names.split())
            assert any(names in line for line in lines)


def inks_of(page):
    """The colours in which a page writes and fills."""
    written, filled, now = set(), set(), BLACK

    def meet(operator, operands, *_):
        nonlocal now
        if operator in (b"rg", b"scn", b"sc") and len(operands) == 3:
            now = tuple(map(float, operands))
        elif operator == b"g":
            now = (float(operands[0]),) * 3
        elif operator in (b"Tj", b"TJ"):
            written.add(now)
        elif operator in (b"f", b"f*"):
            filled.add(now)

    page.extract_text(visitor_operand_before=meet)
    return written, filled


def test_black_and_white_loses_nothing_of_the_ranking(pdf):
    section = scored_section(14, "mitchell", rounds=2)
    make_list_final(section, by=None)
    publish_results(section, by=None)

    [page] = pdf(director_of(section.club), section, "ranking.pdf").pages

    written, filled = inks_of(page)
    assert written == {BLACK}
    for ground in filled - {BLACK}:  # lines are black, and rows stand on a light ground
        assert min(ground) > 0.8, ground
    text = printed(page)
    assert "North-South" in text
    assert "East-West" in text


def test_whoever_played_fewer_boards_says_so_on_paper(pdf):
    section = scored_section(13, "mitchell", rounds=3)

    text = printed(pdf(director_of(section.club), section, "ranking.pdf").pages[0])

    assert text.count(" 6 boards") == 3  # those who have sat out


def printed(page):
    return " ".join(page.extract_text().split())


def test_a_knock_out_is_printed_with_its_bracket_and_shown_in_the_room(pdf, client):
    section = section_with(6, "knockout", round=1, contest="teams", options={"seeded": True})
    by = director_of(section.club)
    win(section, dict.fromkeys(range(1, 7), 90))
    go_on(section, by)

    file = pdf(by, section, "ranking.pdf")
    [paper] = [x for x in map(printed, file.pages) if "Semi-finals" in x]
    assert "Quarter-finals" in paper
    assert "Not drawn yet" in paper  # the final
    assert "Everybody against everybody" not in paper

    room = text(client.get(reverse("room-display", args=[section.code])))
    assert "The bracket Quarter-finals" in room
    assert "Final Not drawn yet" in room


def test_footnotes_say_what_was_ruled_and_who_shares_a_place():
    section = scored_section(8, "howell")
    play = section.plays.filter(board=1).first()
    enter_result(section, play.pk, {"artificial": {"ns": "AVE+", "ew": "AVE-"}}, by=None)
    scored = ScoredSession(SessionSnapshot(section))

    found = footnote_lines(scored)

    line = scored.tonight.line_of(play.pk)
    assert "1) Board 1: N/S average plus, E/W average minus by ruling." in found.notes[-1]
    assert found.marks == {("A", player.slug): "1" for player in (*line.ns, *line.ew)}
    is_shared = any("=" in standing.place for standing in scored.main_lists[0].standings)
    assert ("means a shared place" in found.notes[-1]) == is_shared


def two_finals(club, by, pairs=20):
    """Make the second session of an event: two finals with half carried over. Return the first section."""
    first = scored_section(pairs, "skip-mitchell", club=club, by=by, rounds=4)
    make_list_final(first, by=by)
    section = section_with(pairs, club=club, by=by)
    section.session.event, section.session.follows = first.session.event, first.session
    section.session.number = 2
    section.session.save()
    keys = list(section.entries.values_list("pk", flat=True))
    halves = [keys[: pairs // 2], keys[pairs // 2 :]]
    for entry in divide_entries(section, halves, same_deals=False, by=by):
        final = choose_movement(entry, "mitchell", boards_per_round=3, rounds=3, by=by)
        for round in range(3):
            final = start_next_round(final, after=round, by=by)
        enter_by_chance(final, seed=3)
    section = Section.objects.get(pk=section.pk)
    profile = {"method": "matchpoints", "sessions": "carry-forward"}
    set_scoring_profile(section, profile, by=by)
    make_list_final(section, by=by)
    publish_results(section, by=by)
    return section


def test_two_finals_name_who_won_each_once_by_section(club, alice):
    section = two_finals(club, alice)

    headline = winners_headline(ScoredSession(SessionSnapshot(section)))

    pair = r"North\d+ & South\d+"
    assert re.fullmatch(f"Winners: A: {pair} and {pair}; B: {pair} and {pair}", headline)


def test_two_finals_are_one_sheet_within_the_margins_and_each_number_has_its_unit(
    pdf, client, club, alice
):
    section = two_finals(club, alice, pairs=36)
    client.force_login(alice)

    for page in on_both_papers(pdf, section):
        placed = words_placed(page)
        for left, below, _size in placed:
            assert CENTIMETRE < left < page.mediabox.width - CENTIMETRE
            assert CENTIMETRE < below < page.mediabox.height - CENTIMETRE
        told = printed(page)
        assert told.count("Section B") == 2
        assert told.count("Total MP") == 4

    lists = text(client.get(reverse("ranking", args=[section.code])))
    token = SessionSnapshot(section).scoring.token
    public = text(client.get(reverse("public-results", args=[token])))
    assert (lists.count("Total MP"), public.count("Total MP")) == (4, 4)


def test_two_long_finals_are_a_sheet_each(pdf, club, alice):
    section = two_finals(club, alice, pairs=100)

    file = pdf(alice, section, "ranking.pdf")

    assert len(file.pages) == 2
