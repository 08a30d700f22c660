"""The ranking: winners, scoring method and progress."""

import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bridgebuddy.clubs.models import Role
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.draws.drawing import RoundDraw
from bridgebuddy.scoring.models import Penalty, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.scales.victory_points import OwnScale
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.scoring.winners import winners_headline
from tests.factories import director_of, member_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    return scored_section(14, "mitchell", rounds=7)


def page(client, section, **query):
    answer = client.get(reverse("ranking", args=[section.code]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_two_lines_have_two_lists_with_names_and_percentages(director, section):
    text = page(director, section)
    assert "North-South" in text
    assert "East-West" in text
    assert text.count('<tr class="low') == 14
    assert "All 147 results are in." in " ".join(text.split())


def test_before_the_first_publication_a_director_is_asked_who_reads_which_names(director, section):
    club, state = section.club, reverse("results-state", args=[section.code])
    asked = page(director, section)

    director.post(state, {"do": "publish", "public_names": "initials", "names_kept_for": "24"})

    club.refresh_from_db()
    assert "Who sees which names?" in asked
    assert (club.public_names, club.names_kept_for) == ("initials", 24)
    assert ScoringSettings.objects.get(session=section.session).is_published
    director.post(state, {"do": "unpublish"})
    assert "Who sees which names?" not in page(director, section)
    director.post(state, {"do": "publish", "public_names": "full", "names_kept_for": ""})
    club.refresh_from_db()
    assert (club.public_names, club.names_kept_for) == ("initials", 24)


def test_a_scorer_is_told_who_reads_which_names_and_changes_nothing(signed_in, section):
    club, state = section.club, reverse("results-state", args=[section.code])
    scorer = signed_in(member_of(club, Role.SCORER))
    told = page(scorer, section)

    scorer.post(state, {"do": "publish", "public_names": "none", "names_kept_for": "12"})

    club.refresh_from_db()
    assert "Everybody will read the full names." in told
    assert "Names are kept for ever." in told
    assert "first-names" not in told
    assert (club.public_names, club.names_kept_for) == ("full", None)


@pytest.mark.parametrize(
    ("pairs", "family", "contest"),
    [(8, "howell", "pairs"), (12, "individual", "individual"), (8, "swiss", "teams")],
)
def test_every_contest_has_a_ranking(client, pairs, family, contest):
    section = scored_section(pairs, family, rounds=1, contest=contest)
    client.force_login(director_of(section.club))
    text = page(client, section)
    assert len(re.findall('<tr[^>]* class="low', text)) == pairs
    assert ("Matchpoints: a share" in text) == (contest != "teams")  # help is of what can be chosen


def test_other_methods_of_a_matchpoint_list_are_offered_where_it_is_said_how_it_is_scored(
    director, section
):
    before, fold = page(director, section).split("How it is scored", 1)

    assert "?method=butler" not in before
    assert "?method=butler" in fold
    assert "?method=cross-imps" in fold
    assert "For scorers" in fold


def test_another_method_stands_beside_and_nothing_is_kept(director, section):
    text = page(director, section, method="butler")
    assert text.count('<tr class="low') == 28
    assert not ScoringSettings.objects.exists()


def test_a_second_list_is_kept_beside_and_published(director, client, section):
    address = reverse("results-beside", args=[section.code])
    director.post(address, {"method": "dice"})
    assert not ScoringSettings.objects.exclude(beside="").exists()

    director.post(address, {"method": "butler"})
    director.post(reverse("results-state", args=[section.code]), {"do": "publish"})

    assert page(director, section).count('<tr class="low') == 28
    published = reverse("public-results", args=[ScoringSettings.objects.get().token])
    assert client.get(published).content.decode().count('<table class="rank">') == 4
    director.post(address, {"method": ""})
    assert client.get(published).content.decode().count('<table class="rank">') == 2
    assert ScoringSettings.objects.get().profile == {}


def test_another_profile_is_kept(director, section):
    address = reverse("results-profile", args=[section.code])
    answer = director.post(address, {"method": "cross-imps", "unequal": "neuberg"})
    assert answer.status_code == 302
    profile = ScoringSettings.objects.get(session=section.session).profile
    assert profile == {"method": "cross-imps", "unequal": "neuberg"}
    assert "Cross-IMPs" in page(director, section)


def test_in_a_swiss_of_pairs_the_scale_follows_from_the_method(client):
    section = scored_section(8, "swiss", rounds=1)
    client.force_login(director_of(section.club))
    address = reverse("results-profile", args=[section.code])

    client.post(address, {"method": "matchpoints", "unequal": "neuberg"})
    client.post(address, {"method": "butler", "unequal": "neuberg"})

    assert ScoringSettings.objects.get().profile == {"method": "butler", "unequal": "neuberg"}
    scored = ScoredSession(SessionSnapshot(section))
    assert (scored.problem, scored.profile.vp) == ("", "wbf-continuous")


OWN = {"vp": "own", "own_total": "30", "own_least": "2 5 8", "own_cap": "25"}


@pytest.mark.parametrize(
    ("said", "vp"),
    [
        ({"vp": "acbl-20"}, "acbl-20"),
        (OWN, OwnScale(Fraction(30), Fraction(15), (2, 5, 8), Fraction(25))),
    ],
)
def test_in_a_swiss_of_pairs_another_scale_may_be_chosen_for_imps(client, said, vp):
    section = scored_section(8, "swiss", rounds=1)
    client.force_login(director_of(section.club))
    address = reverse("results-profile", args=[section.code])

    refused = client.post(address, {"method": "matchpoints", **said})
    assert refused.status_code == 422
    assert "for IMPs only" in refused.content.decode()
    assert client.post(address, {"method": "butler", **said}).status_code == 302

    scored = ScoredSession(SessionSnapshot(section))
    assert (scored.problem, scored.profile.vp) == ("", vp)
    beside = scored.counted_by("matchpoints")
    assert (beside.problem, beside.profile.vp) == ("", "swiss-pairs")
    client.post(address, {"method": "butler", "vp": ""})
    assert ScoredSession(SessionSnapshot(section)).profile.vp == "wbf-continuous"


@pytest.mark.parametrize("method", ["matchpoints", "cross-imps"])
def test_a_swiss_of_pairs_may_be_ranked_by_all_its_boards_and_is_drawn_by_its_matches(
    client, method
):
    section = scored_section(8, "swiss", rounds=1)
    client.force_login(director_of(section.club))
    client.post(reverse("results-profile", args=[section.code]), {"method": method, "vp": "none"})

    scored = ScoredSession(SessionSnapshot(section))
    assert (scored.problem, scored.profile.vp) == ("", None)
    listed = scored.results.rankings[0].rows
    assert all((row.percent is None) == (method != "matchpoints") for row in listed)
    drawing = RoundDraw(scored, scored.tonight.section)
    assert sum(row.total for row in drawing.rows) == 20 * len(scored.results.matches)
    again = client.get(reverse("ranking", args=[section.code]))
    assert '<option value="none" selected>' in again.content.decode()
    for name in ("matches", "draw"):
        assert client.get(reverse(name, args=[section.code])).status_code == 200


def test_of_pairs_without_matches_no_scale_is_asked(director, section):
    assert 'name="vp"' not in page(director, section)


def test_an_unknown_method_is_refused(director, section):
    answer = director.post(reverse("results-profile", args=[section.code]), {"method": "dice"})
    assert answer.status_code == 422
    assert not ScoringSettings.objects.exists()


def test_final_and_published_and_back(director, section):
    address = reverse("results-state", args=[section.code])
    director.post(address, {"do": "final-publish"})
    scoring = ScoringSettings.objects.get()
    assert scoring.is_final
    assert scoring.is_published
    assert "Final" in page(director, section)
    director.post(address, {"do": "open"})
    director.post(address, {"do": "unpublish"})
    scoring.refresh_from_db()
    assert not scoring.is_final
    assert not scoring.is_published


def test_the_page_leads_from_what_looks_wrong_over_final_to_published(director):
    section = scored_section(14, "mitchell", rounds=7)
    director.force_login(director_of(section.club))
    play = section.plays.filter(board=1, table=1).get()
    enter_result(section, play.pk, {"contract": "7NTx", "declarer": "N", "tricks": 1}, by=None)
    state = reverse("results-state", args=[section.code])

    before = " ".join(page(director, section).split())
    assert "Board 1, table 1:" in before  # what is to be looked at is named before the press
    assert before.count("btn primary") == 1
    assert "Make final and publish" in before

    answer = director.post(state, {"do": "final-publish"}, follow=True)
    after = " ".join(answer.content.decode().split())
    assert re.search(r"\d+ results? not checked\.", after)
    scoring = ScoringSettings.objects.get()
    assert (
        f'data-copy="http://testserver{reverse("public-results", args=[scoring.token])}"' in after
    )
    assert after.count("btn primary") == 1
    assert f'href="{reverse("print-pdf", args=[section.code, "ranking"])}"' in after


def test_while_rounds_are_to_come_nothing_is_made_final(director, section):
    Section.objects.filter(pk=section.pk).update(round=3)

    assert "Make final" not in page(director, section)


def test_nobody_else_sees_or_changes_the_ranking(client, section):
    client.force_login(director_of(scored_section(8, "howell", rounds=1).club))
    for name in ("results-profile", "results-state"):
        assert client.post(reverse(name, args=[section.code]), {"do": "final"}).status_code == 404
    assert client.get(reverse("ranking", args=[section.code])).status_code == 404
    assert not ScoringSettings.objects.exists()


def test_the_rules_of_a_federation_are_kept_and_said(director, section):
    address = reverse("results-profile", args=[section.code])
    director.post(address, {"preset": "USA", "method": "matchpoints"})
    assert ScoringSettings.objects.get().profile == {"preset": "USA", "method": "matchpoints"}
    text = page(director, section)
    assert '<option value="USA" selected>' in text
    assert "Rules and their sources" in text
    director.post(address, {"preset": "", "method": "matchpoints"})
    assert ScoringSettings.objects.get().profile == {"method": "matchpoints"}


def test_queries_do_not_grow_with_results(client):
    counts = []
    for rounds in (1, 7):
        section = scored_section(14, "mitchell", rounds=rounds)
        client.force_login(director_of(section.club))
        page(client, section)  # whatever is read once
        with CaptureQueriesContext(connection) as found:
            page(client, section)
        counts.append(len(found))
    assert counts[1] <= counts[0]  # of rounds to come there are fewer


def test_the_headline_names_those_who_lead_where_they_are_one_or_two():
    section = scored_section(14, "mitchell", rounds=7, seed=2)

    named = r"N-S North\d+ & South\d+ and E-W North\d+ & South\d+"
    assert re.fullmatch(
        rf"Winners: {named}", winners_headline(ScoredSession(SessionSnapshot(section)))
    )


@pytest.mark.parametrize(
    ("pairs", "said"),
    [(8, "In front: 1, 2, 3, 4, 5, 6, 7 and 8"), (10, "10 share the first place")],
)
def test_the_headline_only_numbers_or_counts_those_who_lead_where_they_are_many(pairs, said):
    section = section_with(pairs, "howell", round=1)
    for play in section.plays.all():
        enter_result(section, play.pk, {"passed": True}, by=None)

    assert winners_headline(ScoredSession(SessionSnapshot(section))) == said


@pytest.mark.parametrize(("vp", "is_told"), [("swiss-pairs", True), (None, False)])
def test_a_penalty_that_counts_nowhere_since_matches_became_victory_points_is_told(
    client, vp, is_told
):
    section = scored_section(8, "swiss", options={"contest": "pairs", "first": "slide"})
    client.force_login(director_of(section.club))
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": {"vp": vp}}
    )
    entry = section.entries.get(contestant=3)
    Penalty.objects.create(entry=entry, unit="percent", amount=-10, kind="procedural")

    text = page(client, section)

    assert ("A penalty of 3 does not count yet" in text) is is_told
    assert ("Remove the penalty and enter it again" in text) is is_told
