"""Strata, handicap, categories, contestants without a place, and masterpoints."""

import re
from fractions import Fraction

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.events.services.setup.sections import divide_entries
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.results.classes import additional_rankings, class_columns
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import begun, director_of, section_with
from tests.scoring.test_tonight import enter_by_chance, scored_section


@pytest.fixture
def section(db):
    return scored_section(8, "howell", rounds=2, boards_per_round=4)


def entries_of(section):
    return {entry.contestant: entry.pk for entry in section.entries.all()}


def scored_of(section):
    return ScoredSession(SessionSnapshot(section))


def form_data(section, **of):
    """Return the page's data: stratum, handicap and categories of each contestant, by number."""
    keys = entries_of(section)
    sent = {"strata": "A, B", "min_played": 50, "masterpoints": ""}
    for pk in keys.values():
        sent |= {f"stratum-{pk}": "", f"handicap-{pk}": "", f"categories-{pk}": ""}
    for number, values in of.items():
        for name, value in values.items():
            sent[f"{name}-{keys[int(number[1:])]}"] = value
    return sent


def test_a_handicap_is_typed_as_germans_write_it(client, section):
    client.force_login(director_of(section.club))
    address = f"/s/{section.code}/results/classes/"

    page = client.get(address, headers={"accept-language": "de"}).content.decode()
    client.post(address, form_data(section, n1={"handicap": "2,5"}))

    assert "in einer zweiten Rangliste" in " ".join(page.split())
    assert '<option value="" selected>keine</option>' in page
    assert [row["handicap"] for row in ScoringSettings.objects.get().classes.values()] == ["2.5"]


def test_strata_handicap_and_categories_are_set_on_their_page_and_shown(client, section):
    client.force_login(director_of(section.club))
    address = reverse("classes", args=[section.code])
    first = {f"n{number}": {"stratum": "A"} for number in range(1, 5)}
    rest = {
        f"n{number}": {"stratum": "b", "handicap": "2.5", "categories": "juniors"}
        for number in range(5, 9)
    }

    answer = client.post(address, form_data(section, **first, **rest))

    assert answer["Location"] == reverse("ranking", args=[section.code])
    scored = scored_of(section)
    in_a, in_b = class_columns(scored, scored.main_lists[0])
    assert (in_a.title, len(in_a.cells), in_b.title, len(in_b.cells)) == ("A", 8, "B", 4)
    lists = dict(additional_rankings(scored))
    assert {title: len(ranking.standings) for title, ranking in lists.items()} == {
        "juniors": 4,
        "With handicap": 8,
    }
    plain = {
        standing.contestant.slug: standing.row.percent
        for standing in scored.main_lists[0].standings
    }
    for item in lists["With handicap"].standings:
        more = 2.5 if int(item.contestant.slug) >= 5 else 0
        assert item.row.percent == pytest.approx(plain[item.contestant.slug] + more, abs=0.011)
    page = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert '<th scope="col" class="c roomy">B</th>' in page
    assert "juniors" in page
    again = client.get(address).content.decode()
    assert again.count('value="2.5"') == 4
    assert 'value="A, B"' in again
    token = publish_results(section, by=None).token
    public = client.get(reverse("public-results", args=[token])).content.decode()
    assert "With handicap" in public


def test_a_stratum_that_there_is_not_is_refused_and_nothing_stored(client, section):
    client.force_login(director_of(section.club))
    address = reverse("classes", args=[section.code])
    answer = client.post(address, form_data(section, n1={"stratum": "Z", "handicap": "80"}))
    assert answer.status_code == 422
    assert "There is no such stratum." in answer.content.decode()
    assert not ScoringSettings.objects.exists()


def test_who_played_less_than_is_asked_has_no_place(section):
    short = scored_section(9, "howell", rounds=9)  # everybody sits out once
    store_classes(short, strata=[], classes={}, min_played="100", by=None)
    places = [standing.place for standing in scored_of(short).main_lists[0].standings]
    assert all(places)  # a sit-out counts as played
    play = short.plays.exclude(ns=None).exclude(ew=None).first()
    play.results.filter(stands=True).update(outcome={"not_played": "time"})
    rows = scored_of(short).main_lists[0].standings
    assert sum(row.place == "" for row in rows) == 2


def test_a_stratum_in_which_nobody_has_a_place_has_no_column(section):
    keys = entries_of(section)
    classes = {key: {"stratum": 2 if number == 1 else 1} for number, key in keys.items()}
    store_classes(section, strata=["A", "B"], classes=classes, min_played="100", by=None)
    play = section.plays.filter(ns=keys[1]).first() or section.plays.filter(ew=keys[1]).first()
    play.results.filter(stands=True).update(outcome={"not_played": "time"})
    scored = scored_of(section)

    assert [column.title for column in class_columns(scored, scored.main_lists[0])] == ["A"]


def test_masterpoints_stand_in_the_ranking_once_all_results_are_in(client, db):
    section = scored_section(8, "howell", rounds=2, boards_per_round=4)
    store_classes(section, strata=[], classes={}, masterpoints="abf-session", by=None)
    scored = scored_of(section)
    assert class_columns(scored, scored.main_lists[0]) == []

    section = begun(section, 7)
    enter_by_chance(section, seed=3)
    scored = scored_of(section)
    (column,) = class_columns(scored, scored.main_lists[0])
    assert sorted(map(float, column.cells.values()), reverse=True) == [0.16, 0.11, 0.08, 0.05]
    client.force_login(director_of(section.club))
    page = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert "Masterpoints" in page
    assert "0.16" in page


def test_by_butler_a_third_of_a_list_is_awarded(db):
    section = scored_section(8, "howell", rounds=7, boards_per_round=4)
    store_classes(section, strata=[], classes={}, masterpoints="abf-session", by=None)
    publishing.set_scoring_profile(section, {"method": "butler"}, by=None)

    scored = scored_of(section)

    (column,) = class_columns(scored, scored.main_lists[0])
    assert sorted(map(float, column.cells.values()), reverse=True) == [0.16, 0.11, 0.08]


@pytest.mark.parametrize(("scope", "winner"), [("section", 0.16), ("field", 0.32)])
def test_sections_scored_apart_are_awarded_by_their_own_tables(db, scope, winner):
    one = section_with(16)
    by = director_of(one.club)
    keys = list(one.entries.order_by("position").values_list("pk", flat=True))
    for seed, each in enumerate(divide_entries(one, [keys[:8], keys[8:]], same_deals=True, by=by)):
        section = Section.objects.get(pk=each.pk)
        section = choose_movement(section, "howell", boards_per_round=4, by=by)
        section = begun(section, section.rounds)
        enter_by_chance(section, seed)
    publishing.set_scoring_profile(section, {"scope": scope}, by=None)
    store_classes(section, strata=[], classes={}, masterpoints="abf-session", by=None)

    scored = scored_of(section)

    best = [max(class_columns(scored, found)[0].cells.values()) for found in scored.main_lists]
    assert best == [Fraction(str(winner))] * (2 if scope == "section" else 1)


def test_of_another_session_nothing_is_classified(section):
    other = scored_section(8, "howell", rounds=1)
    stranger = other.entries.first().pk
    store_classes(section, strata=["A"], classes={stranger: {"stratum": 1}}, by=None)
    assert ScoringSettings.objects.get(session=section.session).classes == {}


def test_limits_in_points_fill_in_the_strata_and_store_nothing(client, section):
    client.force_login(director_of(section.club))
    address = reverse("classes", args=[section.code])
    keys = entries_of(section)
    for number, points in ((1, (2000, 1000)), (2, (1499, 1500)), (3, (499, None)), (4, (500, 500))):
        players = section.entries.get(pk=keys[number]).players
        for person, own in zip(players, points, strict=True):
            person.strength = own
            person.save()
    sent = form_data(section, n1={"stratum": "C"}, n5={"stratum": "B"}) | {"strata": "A, B, C"}

    filled = client.post(address, sent | {"limits": "500, 1500", "do": "fill"})

    strata = {n: filled.context["form"][f"stratum-{keys[n]}"].value() for n in keys}
    assert strata == {1: "A", 2: "B", 3: "C", 4: "B", 5: "B", 6: "", 7: "", 8: ""}
    assert not ScoringSettings.objects.exists()
    for wrong in ("500", "500, x", "500, 500"):
        answer = client.post(address, sent | {"limits": wrong, "do": "fill"})
        assert answer.status_code == 422
        assert answer.context["form"].errors.keys() == {"limits"}


@pytest.mark.parametrize("scope", ["section", "field"])
def test_a_board_is_shown_with_those_it_is_compared_with(db, client, scope):
    """Four tables and three: scored apart, neither's page has the other's lines, or its top."""
    one = section_with(14)
    by = director_of(one.club)
    keys = list(one.entries.order_by("position").values_list("pk", flat=True))
    divided = divide_entries(one, [keys[:8], keys[8:]], same_deals=True, by=by)
    for seed, each in enumerate(divided):
        section = Section.objects.get(pk=each.pk)
        section = choose_movement(section, "howell", boards_per_round=3, by=by)
        enter_by_chance(begun(section, section.rounds), seed)
    publishing.set_scoring_profile(section, {"scope": scope}, by=None)
    token = publishing.publish_results(section, by=None).token
    client.force_login(by)

    for each, top in zip(divided, (6, 4), strict=True):
        page = client.get(reverse("board-results", args=[each.code, 5])).content.decode()
        public = client.get(reverse("public-board", args=[token, each.name, 5])).content.decode()
        results = top // 2 + 1 if scope == "section" else 7
        top = top if scope == "section" else 12
        assert f"A top is {top} matchpoints." in page
        assert public.count('<span class="pair ns">') == results
        counted = re.search(r'<table class="freq">(.*?)</table>', public, re.S)[1]
        times = re.findall(r'<td>.*?</td>\s*<td class="r">(\d+)</td>', counted, re.S)
        assert sum(map(int, times)) == results


@pytest.mark.parametrize(("method", "titles"), [("matchpoints", ["With handicap"]), ("butler", [])])
def test_a_handicap_in_per_cent_changes_no_list_in_imps(section, method, titles):
    by_hand = {str(entries_of(section)[1]): {"handicap": "2.5"}}
    profile = {"method": method}
    ScoringSettings.objects.create(session=section.session, classes=by_hand, profile=profile)

    assert [title for title, _ in additional_rankings(scored_of(section))] == titles
