"""Choosing the movement."""

import re
from html import unescape

import pytest
from django.urls import reverse

from bridgebuddy.director.movement.suggestions import FEW_ROWS
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.registration.registering import register_names
from movements.engine import catalogue
from movements.engine.fairness.balance import balance
from tests.factories import section_to_enter, section_with
from tests.markup import words

pytestmark = pytest.mark.django_db

ALL = "?fewest=24&most=28&copies=1&sharing=on&stands=on&late=on&all=1"


@pytest.fixture
def page(alice, signed_in):
    browser = signed_in(alice)

    def ask(section, query="", **answers):
        address = reverse("choose-movement", args=[section.code]) + query
        return browser.post(address, answers) if answers else browser.get(address)

    return ask


def test_who_sits_out_at_the_half_table_is_chosen_and_said(page, club, alice):
    section = section_with(15, club=club, by=alice)

    shown = page(section)
    page(section, family="share-and-relay")

    assert "At the half table East-West sit out." in words(shown)
    assert Section.objects.get(pk=section.pk).missing_line == "ns"
    page(section, family="share-and-relay", fewest=24, most=28, line="ew")
    assert Section.objects.get(pk=section.pk).missing_line == "ew"


def test_where_no_line_sits_out_nobody_is_asked_which(page, club, alice):
    asked = "Who sits out at the half table?"

    assert asked in words(page(section_with(13, club=club, by=alice), ALL))
    assert asked not in words(page(section_with(14, club=club, by=alice), ALL))


@pytest.mark.parametrize("players", [6, 7, 9, 10, 11, 14, 16, 23])
def test_single_players_of_every_number_are_seated_from_the_page(page, club, alice, players):
    section = section_with(players, contest="individual", club=club, by=alice)

    shown = words(page(section))
    page(section, family="individual")

    assert "Not every wish can be granted" not in shown
    seated = Section.objects.get(pk=section.pk)
    assert seated.movement.family == "individual"
    assert rounds.start_next_round(seated, after=0, by=alice).plays.count() > 0


def test_single_players_are_never_called_pairs_where_nothing_fits(page, club, alice):
    section = section_with(9, contest="individual", club=club, by=alice)

    shown = words(page(section, "?fewest=1&most=1"))

    assert "9 players" in shown
    assert "pairs" not in shown


def test_what_cannot_work_is_not_offered(page, club, alice):
    even = page(section_with(16, club=club, by=alice), ALL).content.decode()
    odd = page(section_with(14, club=club, by=alice), ALL).content.decode()

    assert 'name="family" value="skip-mitchell"' in even
    assert 'name="family" value="share-and-relay"' in even
    assert 'name="family" value="skip-mitchell"' not in odd
    assert 'name="family" value="mitchell"' in odd


def test_the_list_fits_a_screen_and_the_others_are_rows_of_it(page, club, alice):
    section = section_with(16, club=club, by=alice)

    few, every = page(section), page(section, ALL)

    assert len(few.context["rows"]) == FEW_ROWS
    assert f"{few.context['others']} others" in words(few)
    assert len(every.context["rows"]) == FEW_ROWS + few.context["others"]
    assert [row.rank for row in every.context["rows"]] == [
        *range(1, len(every.context["rows"]) + 1)
    ]


def test_the_first_says_why_it_is_the_first(page, club, alice):
    shown = words(page(section_with(14, club=club, by=alice)))

    assert (
        "Best for tonight For 14 pairs at 7 tables: everybody meets everybody of the other line on"
        " the same 28 boards."
    ) in shown
    assert "14 pairs on the list: 7 tables." in shown


def test_nothing_but_the_worst_is_marked_and_nothing_where_nothing_is_bad(page, club, alice):
    even, half = (
        {
            row.name: row.main_drawback
            for row in page(section_with(pairs, club=club, by=alice), ALL).context["rows"]
        }
        for pairs in (28, 27)
    )

    assert half["ew-rover"] == ""
    assert half["two-way-rover"] == "half rounds"
    assert half["one-and-a-half-appendix"] == "not all opponents"
    assert even["share-and-relay"] == "tables 1, 14 share"
    assert half["share-and-relay"] == ""  # the half table is one of those that would share


def test_a_name_opens_its_row_and_closes_it_again(page, club, alice):
    section = section_with(16, club=club, by=alice)
    closed = page(section)
    link = re.search(r'href="(\?[^"#]*open=crisscross)#', closed.content.decode())

    opened = page(section, unescape(link[1]))

    assert "Boards needed" not in words(closed)
    assert "Boards needed 24, one copy" in words(opened)
    assert "Choose Crisscross Mitchell, 8 × 3" in words(opened)
    assert f"/movements/crisscross/8/?rounds=8&amp;for={section.code}" in opened.content.decode()


def test_a_row_shows_the_size_that_is_chosen_in_it(page, club, alice):
    section = section_with(16, club=club, by=alice)

    shown = page(section, "?fewest=24&most=28&sharing=on&stands=on&open=skip-mitchell&size=6x4")

    row = next(row for row in shown.context["rows"] if row.name == "skip-mitchell")
    assert (row.size.rounds, row.size.boards, row.movement.rounds) == (6, 24, 6)
    assert row.ends_at.strftime("%H:%M") == "21:48"
    assert '<option value="6x4" selected>' in shown.content.decode()
    assert shown.content.decode().count('name="size" value="6x4"') == 2
    assert row.advice.score == balance(catalogue.build_movement("skip-mitchell", 8, 6)).score
    usual = next(row for row in page(section).context["rows"] if row.name == "skip-mitchell")
    assert (usual.size.rounds, usual.ends_at.strftime("%H:%M")) == (7, "22:16")


@pytest.mark.parametrize("query", ["open=foxtrot", "open=skip-mitchell&size=70x9", "compare=x"])
def test_what_is_no_row_opens_nothing(page, club, alice, query):
    answer = page(section_with(16, club=club, by=alice), f"?fewest=24&most=28&{query}")

    assert answer.status_code == 200


def test_the_form_of_a_row_carries_the_movements_own_choices(page, club, alice):
    """17 pairs with 24 boards: a rover on a share and relay of 8 tables."""
    section = section_with(17, club=club, by=alice)

    shown = page(section, "?fewest=24&most=24&copies=1&sharing=on&stands=on&all=1")

    row = next(row for row in shown.context["rows"] if row.name == "ns-rover")
    assert row.chosen_options == [("option-base", "share-and-relay")]
    assert (row.size.rounds, row.size.boards_per_round) == (8, 3)
    assert '<input type="hidden" name="option-base" value="share-and-relay">' in (
        shown.content.decode()
    )


def test_two_are_compared_fact_by_fact(page, club, alice):
    section = section_with(16, club=club, by=alice)
    query = "?fewest=24&most=28&sharing=on&stands=on&side-by-side=1"

    two = page(section, query + "&compare=crisscross&compare=skip-mitchell")
    one = page(section, query + "&compare=crisscross")
    none = page(section, query)

    assert {row.name for row in two.context["two"]} == {"crisscross", "skip-mitchell"}
    facts = {fact.name: fact for fact in two.context["comparisons"]}
    assert {*facts["Rounds × boards"].facts} == {"8 × 3 = 24", "7 × 4 = 28"}
    assert facts["Winners"].is_same
    assert facts["Rounds × boards"].facts[facts["Everyone plays"].better] == "7 × 4 = 28"
    assert one.context["two"][0] == one.context["rows"][0]  # with the first, where one is ticked
    assert "Tick two movements to see them side by side." in words(none)


def test_a_choice_seats_everybody(page, club, alice):
    section = section_with(16, club=club, by=alice)

    answer = page(section, family="skip-mitchell", size="7x4", line="ew", fewest=24, most=28)

    assert answer.headers["Location"] == reverse("entries", args=[section.code])
    section = Section.objects.get(pk=section.pk)
    assert (section.movement.family, section.movement.rounds) == ("skip-mitchell", 7)
    assert section.boards_per_round == 4
    seated = section.entries.order_by("contestant").values_list("contestant", flat=True)
    assert list(seated) == list(range(1, 17))


def test_the_missing_pair_may_be_in_either_line(page, club, alice):
    for line, label in (("ns", "NS 5"), ("ew", "EW 5")):
        section = section_with(9, club=club, by=alice)
        page(section, family="mitchell", size="5x5", line=line, fewest=24, most=28)
        movement = Section.objects.get(pk=section.pk).movement.movement
        assert movement.contestant(label) is None
        assert len(movement.contestants) == 9


def test_a_shorter_last_set_can_be_chosen(page, club, alice):
    section = section_with(14, club=club, by=alice)

    page(section, family="mitchell", size="7x4/27", line="ew", fewest=25, most=27)

    stored = Section.objects.get(pk=section.pk).movement
    assert [len(stored.numbers[name]) for name in "ABCDEFG"] == [4, 4, 4, 4, 4, 4, 3]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"family": "foxtrot"}, "does not fit the number of pairs"),
        (
            {"family": "skip-mitchell", "size": "7x11"},
            "not possible with this number of rounds and boards",
        ),
        ({"family": "skip-mitchell", "size": "70x9"}, "can have 2 to 7 rounds here"),
        ({"family": "skip-mitchell", "option-skip": "<b>"}, "is not possible here"),
        ({"family": "skip-mitchell", "option-skip": "7"}, "is not possible for this movement"),
    ],
)
def test_an_impossible_choice_is_answered_with_a_sentence(page, club, alice, answers, sentence):
    section = section_with(16, club=club, by=alice)

    answer = page(section, **answers)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert Section.objects.get(pk=section.pk).movement is None


def test_too_few_pairs_are_told_how_many_are_needed(page, club, alice):
    answer = page(section_with(2, club=club, by=alice))

    assert "needs at least 3 pairs" in words(answer)


@pytest.mark.parametrize(
    "query",
    [
        "?fewest=x&most=28",
        "?fewest=28&most=24",
        "?fewest=0&most=200",
        "?fewest=24&most=28&until=late",
    ],
)
def test_nonsense_wishes_are_answered_beside_the_field(page, club, alice, query):
    answer = page(section_with(16, club=club, by=alice), query)

    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()


def test_impossible_wishes_name_what_could_be_given_up(page, club, alice):
    section = section_with(16, club=club, by=alice)

    answer = page(section, "?fewest=24&most=28&stay=60&sharing=on&stands=on")

    assert "Not every wish can be granted." in words(answer)
    assert "Give up the pairs who must stay seated" in words(answer)


def test_where_time_is_short_a_link_asks_for_fewer_boards(page, club, alice):
    section = section_with(12, club=club, by=alice)

    shown = page(section, "?fewest=24&most=28&until=21:00&copies=1&sharing=on&stands=on")

    titles = [way.title for way in shown.context["wishes_to_drop"]]
    assert len(titles) == 2
    assert re.fullmatch(r"Play \d\d boards instead of 24 to 28", titles[0])
    assert titles[1] == "Play until 21:48 instead of 21:00"
    for way in shown.context["wishes_to_drop"]:
        assert way.gets in words(shown)
        assert page(section, f"?{way.query}").context["wishes_to_drop"] == []


def test_wishes_that_must_be_given_up_together_are_named_together(page, club, alice):
    section = section_with(12, club=club, by=alice)

    shown = page(section, "?fewest=24&most=28&winners=1&stay=7&copies=1")
    ways = shown.context["wishes_to_drop"]

    assert {way.title for way in ways} == {
        "Give up the pairs who must stay seated and no boards waiting on stands",
        "Give up the pairs who must stay seated and no sharing",
        "Give up the number of winners and the pairs who must stay seated",
    }
    for way in ways:
        assert page(section, f"?{way.query}").context["wishes_to_drop"] == []


def test_after_the_start_the_movement_stays(page, club, alice):
    section = section_with(16, "skip-mitchell", round=1, club=club, by=alice)

    shown = words(page(section))
    assert "The session has begun: change it at the desk." in shown
    assert "East-West move up one table. Boards move down one. North-South stay." in shown
    answer = page(section, family="share-and-relay", size="8x3")

    assert answer.status_code == 422
    assert Section.objects.get(pk=section.pk).movement.family == "skip-mitchell"


def test_pairs_that_must_stay_seated_get_seats_that_stay(page, club, alice):
    from bridgebuddy.events.services.setup import entries

    section = section_with(13, club=club, by=alice)
    entries.add_pairs(section, [("Otto Stein", "Ida Stein")], must_stay_seated=True, by=alice)

    page(section, family="mitchell", size="7x4", fewest=24, most=28)

    entry = Section.objects.get(pk=section.pk).entries.get(must_stay_seated=True)
    assert entry.contestant == 1
    assert rounds.start_next_round(section, after=0, by=alice).round == 1


def test_a_sit_out_can_be_ruled_out_and_given_up_again(page, club, alice):
    section = section_with(15, club=club, by=alice)

    answer = page(section, "?fewest=24&most=28&sharing=on&stands=on&sitout=0")

    assert "Give up the longest sit-out" in words(answer)
    assert all("sitout=" not in way.query for way in answer.context["wishes_to_drop"])


def test_caddies_are_named_where_they_help(page, club, alice):
    section = section_with(16, club=club, by=alice)

    answer = page(section, "?fewest=24&most=28&sharing=on&stands=on&caddies=on&open=barometer")

    assert "Your caddies carry the boards" in words(answer)


def test_the_published_version_can_be_chosen(page, club, alice):
    section = section_with(12, club=club, by=alice)

    page(section, **{"family": "partial-howell", "size": "8x3", "option-version": "published"})

    stored = Section.objects.get(pk=section.pk).movement
    assert stored.movement == catalogue.build_movement(
        "partial-howell", 6, 8, options={"version": "published"}
    )


def test_the_chosen_movement_stands_in_the_list_however_far_down_with_its_size(page, club, alice):
    section = section_with(26, club=club, by=alice)
    last = page(section, ALL).context["rows"][-1]
    assert last.rank > FEW_ROWS
    page(section, family=last.name, size=last.size_value, fewest=24, most=28)
    section.refresh_from_db()

    rows = page(section).context["rows"]
    assert [row.name for row in rows if row.is_chosen] == [last.name]
    assert len(rows) == FEW_ROWS + 1

    mitchell = section_with(26, "mitchell", rounds=9, boards_per_round=3, club=club, by=alice)
    assert "chosen: 9 × 3" in words(page(mitchell))


def test_a_chosen_swiss_is_marked_beside_the_way_to_it(page, club, alice):
    section = section_with(8, "swiss", club=club, by=alice)

    assert "Swiss chosen" in words(page(section))


def test_the_facts_of_matches_are_those_of_two_tables_at_home(page, club, alice):
    section = section_with(6, contest="teams", club=club, by=alice)

    said = words(page(section, "?open=team-round-robin"))

    assert "For 6 teams: everybody meets everybody." in said
    assert "Stay seated half of every team" in said
    assert "Boards needed 5 for each match" in said
    assert "Sharing the tables of a match" in said
    assert "somebody has to carry them" not in said


def test_short_matches_of_teams_are_said_to_be_short(page, club, alice):
    section = section_with(8, contest="teams", club=club, by=alice)

    short = page(section, "?fewest=24&most=28&open=team-round-robin")
    enough = page(section, "?fewest=40&most=48&open=team-round-robin")

    sentence = "Matches of 4 boards. Six and more are usual."
    assert sentence in words(short)
    assert "Six and more are usual" not in words(enough)


def test_matches_of_six_boards_come_before_more_and_shorter_ones(page, club, alice):
    section = section_with(8, contest="teams", club=club, by=alice)

    best = page(section, "?fewest=18&most=24").context["rows"][0]

    assert (best.name, best.size_value) == ("team-awl", "4x6")


def test_without_a_list_the_registered_pairs_are_counted_and_lead_on(browser, club, alice):
    section = section_to_enter(club, alice)
    for number in range(3):
        register_names(section.session, [f"Anna N{number}", f"Bob S{number}"], by=alice)

    answer = browser.get(reverse("choose-movement", args=[section.code]))

    assert "3 pairs registered. They are not on the list yet." in words(answer)
    assert f'href="{reverse("who-comes", args=[section.code])}"' in answer.content.decode()


def test_a_fairer_movement_further_down_says_why_it_stands_there(browser, club, alice):
    section = section_with(15, club=club, by=alice)

    answer = browser.get(reverse("choose-movement", args=[section.code]), {"all": "1"})

    rows = answer.context["rows"]
    for place, row in enumerate(rows):
        is_fairer = any(other.advice.score < row.advice.score for other in rows[:place])
        assert bool(row.reason_below) == (is_fairer and not row.advice.broken), row.name
    scissors = next(row for row in rows if row.name == "scissors-mitchell")
    assert scissors.reason_below == "Tables 1–7 share boards and play more slowly."
    assert f"Fairer, but: {scissors.reason_below}" in words(answer)


def test_details_of_a_movement_are_steps_back_in_the_browser(browser, club, alice):
    section = section_with(14, club=club, by=alice)
    address = reverse("choose-movement", args=[section.code])

    page = browser.get(address).content.decode()
    back = browser.get(
        address, headers={"hx-request": "true", "hx-history-restore-request": "true"}
    )

    details = re.findall(r'<a\s+class="nm"[^>]*hx-get[^>]*>', page)
    assert details
    assert all('hx-push-url="true"' in link for link in details)
    assert "<html" in back.content.decode()
