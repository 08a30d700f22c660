"""Options that the rules leave to the club: each is a rule by which the session is scored."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.director.results.ranking_page.choices import (
    MORE,
    chosen_option,
    profile_with_choices,
    trim_threshold,
)
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.profile import PRESETS
from bridgebuddy.scoring.services.publishing import publish_results
from bridgebuddy.scoring.words import FEDERATIONS, ONLY_IN_DOCUMENTS
from tests.factories import director_of, section_with
from tests.scoring.sessions import board, scored, values
from tests.scoring.test_tonight import enter_by_chance

FIVE = [620, 620, 650, 170, -100]


def profile_of(choices, preset=None):
    return profile_with_choices(
        {"method": "butler"} | ({"preset": preset} if preset else {}), choices
    )


@pytest.mark.parametrize(
    ("ends", "four", "five"),
    [
        ("", 440, 470),
        ("usual", 440, 470),
        ("1", 490, 470),
        ("2", 490, 620),  # of four never more than leaves two
        ("seventh", 440, 470),
        ("none", 440, 390),
    ],
)
def test_butler_leaves_out_as_many_ends_as_were_chosen(ends, four, five):
    profile = profile_of({"ends": ends})

    def datum(results):
        contestants = [{"label": f"{line}{n}"} for line in "NE" for n in range(len(results))]
        plays = [
            {"round": 1, "table": n + 1, "board": 2, "ns": f"N{n}", "ew": f"E{n}"}
            | {"outcome": {"score": score}}
            for n, score in enumerate(results)
        ]
        return scored(profile=profile, contestants=contestants, plays=plays)["boards"][0]["datum"]

    assert (datum([620, 620, 170, 350]), datum(FIVE)) == (four, five)


@pytest.mark.parametrize(
    ("ends", "least", "four", "five"),
    [("1", 5, 440, 470), ("1", 4, 490, 470), ("seventh", 4, 490, 470), ("3", 6, 440, 390)],
)
def test_from_how_many_results_on_may_be_said_too(ends, least, four, five):
    profile = profile_with_choices({"method": "butler"}, {"ends": ends}, least)

    def datum(scores):
        contestants = [{"label": f"{line}{n}"} for line in "NE" for n in range(len(scores))]
        plays = [
            {"board": 2, "ns": f"N{n}", "ew": f"E{n}", "outcome": {"score": score}}
            for n, score in enumerate(scores)
        ]
        return scored(profile=profile, contestants=contestants, plays=plays)["boards"][0]["datum"]

    assert (datum([620, 620, 170, 350]), datum(FIVE)) == (four, five)
    assert (chosen_option("ends", profile), trim_threshold(profile)) == (ends, least)


@pytest.mark.parametrize("preset", [None, *PRESETS])
@pytest.mark.parametrize("name", MORE)
def test_every_choice_can_be_scored_by_and_is_shown_as_it_was_chosen(name, preset):
    for choice in ("", *MORE[name][1]):
        profile = profile_of({name: choice}, preset)

        board([100, 50, -50], profile=profile)
        assert chosen_option(name, profile) in (choice, "")
        assert profile_of({name: chosen_option(name, profile)}, preset) == profile


def test_ascherman_lets_everybody_tie_with_themselves():
    """(m + 1) of twice the results: 5 of 6, 3 of 6, 1 of 6."""
    plays = board([420, 170, -50], profile={"ascherman": True})
    assert [(play["ns"]["value"], play["ns"]["top"]) for play in plays] == [(5, 6), (3, 6), (1, 6)]

    fewer = board([420, 170], expected=3, profile={"ascherman": True})
    assert values(fewer) == [4.5, 1.5]
    given = {"artificial": {"ns": "AVE+", "ew": "AVE"}}
    plays = board([], outcomes=[{"score": 420}, given], profile={"ascherman": True})
    assert (plays[1]["ns"]["value"], plays[1]["ew"]["value"]) == (2.4, 2)


@pytest.mark.parametrize(
    ("leavers", "rules"), [("half", {"not-played"}), ("stand", {"compared", "AVE+"})]
)
def test_what_somebody_played_before_leaving_early_may_stand(leavers, rules):
    found, mine = with_a_leaver({"leavers": leavers})
    assert {row["ns"]["rule"] for row in mine} <= rules | {"neuberg"}
    assert found["state"] == "complete"


def with_a_leaver(profile):
    """Return the results of an evening that pair 4 left after one of three rounds, and its own lines."""
    plays = []
    for round in range(1, 4):
        for table, ns in enumerate(("1", "2", "3"), 1):
            ew = "456"[(table - round) % 3]
            play = {"round": round, "table": table, "board": (table + round) % 3 + 1}
            play |= {"ns": ns, "ew": ew}
            is_there = ew != "4" or round == 1
            plays.append(play | ({"outcome": {"score": 110}} if is_there else {}))
    contestants = [{"label": digit} for digit in "123456"]
    contestants[3]["left"] = {"after_round": 1}

    results = scored(profile=profile, contestants=contestants, plays=plays)

    return results, [
        row for play, row in zip(plays, results["plays"], strict=True) if play["ew"] == "4"
    ]


@pytest.mark.django_db
def test_the_page_keeps_what_was_chosen_and_shows_it_again(client):
    section = section_with(14, "mitchell", round=1)
    client.force_login(director_of(section.club))
    choice = {"method": "ascherman", "preset": "USA", "unequal": "neuberg", "equals": "broken"}
    choice |= {"ends": "2", "ends_from": "6", "datum": "median", "halves": "up", "waiting": "60"}

    client.post(reverse("results-profile", args=[section.code]), choice)

    profile = ScoringSettings.objects.get(session=section.session_id).profile
    assert profile["method"] == "matchpoints"
    datum = {"trim": 2, "from": 6, "kind": "median", "halves": "up"}
    said = {"ascherman": True, "preset": "USA", "ties": "broken", "sit_outs": 60, "datum": datum}
    assert said.items() <= profile.items()
    assert "leavers" not in profile  # the preset says it
    page = client.get(reverse("ranking", args=[section.code]))
    first = page.context["form"].initial
    assert (first["method"], first["equals"], first["left"]) == ("ascherman", "broken", "")
    names = ("ends", "ends_from", "datum", "halves", "waiting", "missing", "percentage")
    assert [first[name] for name in names] == ["2", 6, "median", "up", "60", "", ""]


@pytest.mark.django_db
def test_what_is_counted_by_ascherman_is_called_so_on_pages_and_paper(client):
    section = section_with(14, "mitchell", round=1)
    client.force_login(director_of(section.club))
    enter_by_chance(section)
    token = publish_results(section, by=None).token
    places = [
        reverse("ranking", args=[section.code]),
        reverse("print-preview", args=[section.code, "ranking"]),
        reverse("public-results", args=[token]),
    ]
    assert all("Ascherman" not in below(client.get(place)) for place in places)

    client.post(reverse("results-profile", args=[section.code]), {"method": "ascherman"})

    assert all("Ascherman" in below(client.get(place)) for place in places)


def below(page):
    """Return the words of a page without the choices of a form."""
    return re.sub(r"<form.*?</form>", "", page.content.decode(), flags=re.DOTALL)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("family", "contest", "asked"),
    [
        ("howell", "pairs", {"value", "waiting", "left", "crossed"}),
        ("swiss", "pairs", {"value", "waiting", "bye"}),
        ("team-round-robin", "teams", {"bye", "left"}),
        ("knockout", "teams", {"left", "equals"}),
    ],
)
def test_the_page_asks_what_makes_a_difference(client, family, contest, asked):
    section = section_with(8, family, round=1, contest=contest)
    client.force_login(director_of(section.club))

    form = client.get(reverse("ranking", args=[section.code])).context["form"]

    assert asked <= set(form.fields)
    assert ("bye" in form.fields) is ("bye" in asked)
    assert ("value" in form.fields) is (contest == "pairs")


def test_every_preset_is_offered_by_name_and_nothing_else_is():
    assert sorted({"club", *FEDERATIONS, *ONLY_IN_DOCUMENTS} - {""}) == sorted(PRESETS)


@pytest.mark.parametrize(
    ("preset", "two_of_ten", "leaver"),
    [
        ("ACBL", (65, 55), {"not-played"}),
        ("USA", (77.78, 22.22), {"compared", "AVE+", "neuberg"}),
        ("ABF", (65, 55), {"not-played"}),
        ("AUS", (65, 55), {"compared", "AVE+", "neuberg"}),
    ],
)
def test_each_name_of_rules_means_one_set_of_rules_on_pages_and_in_documents(
    preset, two_of_ten, leaver
):
    plays = board([420, 170], expected=10, profile={"preset": preset})
    assert tuple(play["ns"]["percent"] for play in plays) == two_of_ten

    _, mine = with_a_leaver({"preset": preset})
    assert {row["ns"]["rule"] for row in mine} <= leaver
    assert (preset in FEDERATIONS) is (preset not in ONLY_IN_DOCUMENTS)
