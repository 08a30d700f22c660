"""Sessions that were scored by rules with an older name keep their results."""

from importlib import import_module

import pytest

from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.rules.profile import profile_of
from movements.engine.contest import Contest
from tests.apps_of_then import AppsOfThen
from tests.factories import ClubFactory, section_with

migration = import_module("bridgebuddy.scoring.migrations.0013_names_of_rules")
OWN_TOPS = {"method": "butler", "unequal": "own-tops"}


@pytest.mark.parametrize(
    ("profile", "beside", "kept"),
    [
        ({}, "", {}),
        ({"preset": "EBU"}, "", {"preset": "EBU"}),
        # as the page of a session wrote it
        (
            {"preset": "ACBL", "leavers": "stand", "small_groups": False, "method": "butler"},
            "",
            {"preset": "USA", "method": "butler"},
        ),
        ({"preset": "ABF", "leavers": "stand"}, "", {"preset": "AUS"}),
        # chosen otherwise there
        (
            {"preset": "ACBL", "leavers": "half", "small_groups": True},
            "",
            {"preset": "USA", "leavers": "half", "small_groups": True},
        ),
        # as a club's usual rules wrote it
        ({"preset": "ACBL"}, "", {"preset": "USA", "leavers": "half", "small_groups": True}),
        ({"preset": "ABF"}, "", {"preset": "AUS", "leavers": "half"}),
        (OWN_TOPS, "", OWN_TOPS | {"datum": {"missing": "scaled"}}),
        (
            {"unequal": "own-tops", "datum": {"trim": 1}},
            "butler",
            {"unequal": "own-tops", "datum": {"trim": 1, "missing": "scaled"}},
        ),
        ({"unequal": "own-tops"}, "", {"unequal": "own-tops"}),
    ],
)
def test_a_profile_with_an_old_name_means_the_same(profile, beside, kept):
    assert migration.kept(profile, beside) == kept
    before, after = (profile_of(item, Contest.PAIRS) for item in (profile, kept))
    assert (before.leavers, before.small_groups, before.half, before.sit_outs, before.vp) == (
        *(after.leavers, after.small_groups, after.half, after.sit_outs, after.vp),
    )
    assert migration.kept(kept, beside) == kept


@pytest.mark.django_db
def test_sessions_and_clubs_are_renamed():
    section = section_with(8, "howell", round=1, club=ClubFactory(scoring_rules="ACBL"))
    ScoringSettings.objects.update_or_create(
        session=section.session, defaults={"profile": {"preset": "ABF", "leavers": "stand"}}
    )

    migration.rename(AppsOfThen(), None)

    section.club.refresh_from_db()
    assert section.club.scoring_rules == "USA"
    assert ScoringSettings.objects.get(session=section.session).profile == {"preset": "AUS"}
