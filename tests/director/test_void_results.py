"""The dialog of a departure says which boards it costs, by the rule that scores them."""

import pytest
from django.db import transaction
from django.urls import reverse

from bridgebuddy.director.changes.proposal_views import ProposalView
from bridgebuddy.director.changes.void_results import add_void_notes, encounters_to_come
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import changes
from bridgebuddy.scoring.checks.leaving_effects import results_voided_by_leaving
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import set_scoring_profile
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.changes import PairLeaves
from tests.factories import director_of
from tests.players.reading import words
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


def void_after(section, way, change):
    """The plays that count for nobody once a proposal has been taken, which is then undone."""
    with transaction.atomic():
        fresh = Section.objects.get(pk=section.pk)
        by = director_of(fresh.club)
        changes.take_proposal(fresh, way, change, plan=fresh.plan, by=by)
        scored = ScoredSession(SessionSnapshot(Section.objects.get(pk=section.pk)))
        void = {line.play for line in scored.tonight.lines if scored.is_cancelled(line)}
        transaction.set_rollback(True)
    return void


@pytest.mark.parametrize(
    ("pairs", "family", "rounds", "leaver", "contest", "costs"),
    [
        (14, "mitchell", 1, 10, "pairs", {3}),
        (14, "mitchell", 3, 10, "pairs", {9}),
        (14, "mitchell", 4, 10, "pairs", {0}),
        (15, "ns-rover", 2, 9, "pairs", None),
        (8, "howell", 2, 3, "pairs", None),
        (12, "individual", 2, 5, "individual", None),
        (6, "team-round-robin", 1, 4, "teams", None),
        (6, "new-england-relay", 2, 4, "teams", None),
        (8, "swiss", 1, 3, "teams", None),
    ],
)
def test_the_dialog_foresees_what_the_rule_then_decides(
    pairs, family, rounds, leaver, contest, costs
):
    section = scored_section(pairs, family, rounds=rounds, contest=contest)
    change = PairLeaves(leaver)
    tonight = SessionSnapshot(section)
    contestant = tonight.people_of(tonight.section)[leaver]
    found = set()

    for way in changes.change_options(section, change):
        after = way.proposal.from_round - 1
        foreseen = results_voided_by_leaving(
            tonight, [contestant], after, encounters_to_come(tonight, way)
        )
        assert {line.play for line in foreseen} == void_after(section, way, change), way.proposal
        found.add(len(foreseen))

    assert found
    assert costs is None or found == costs


def test_the_dialog_names_the_boards_and_the_pairs_that_lose_them(client):
    section = scored_section(14, "mitchell", rounds=1)
    client.force_login(director_of(section.club))
    address = reverse("change", args=[section.code, "leaves"])

    page = words(client.get(address, {"contestant": 10}))

    assert "3 boards that NS 3 played against them will count for nobody." in page
    set_scoring_profile(section, {"leavers": "stand"}, by=director_of(section.club))
    assert "count for nobody" not in words(client.get(address, {"contestant": 10}))


def test_a_change_without_a_departure_has_no_such_note(client):
    section = scored_section(14, "mitchell", rounds=1)
    change = PairLeaves(10)
    evening = SectionPlan.of(section).evening
    views = [ProposalView(way, evening, section) for way in changes.change_options(section, change)]

    add_void_notes(views, section, change)
    assert all(view.void_note for view in views)
    client.force_login(director_of(section.club))
    late = words(client.get(reverse("change", args=[section.code, "late"])))
    assert "count for nobody" not in late
