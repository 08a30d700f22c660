"""Evenings that were played to their end, with final lists."""

import datetime
from random import Random

from django.db.models import Q

from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from tests.factories import begun, section_with

ROUNDS = 3


def evening(
    club, by, day, seed=None, *, pairs=4, is_final=True, boards_per_round=2, masterpoints=""
):
    """Play a Howell on a day, with scores that hang on the seed; the best pair is another one each time."""
    section = section_with(pairs, "howell", club=club, by=by, boards_per_round=boards_per_round)
    session = section.session
    session.date = datetime.date.fromisoformat(day)
    session.save()
    if masterpoints:
        ScoringSettings.objects.create(session=session, masterpoints=masterpoints)
    section = begun(section, section.movement.rounds)
    random = Random(seed if seed is not None else day)
    scores = [-170, -140, -110, -90, 90, 110, 140]
    plays = section.plays.exclude(Q(ns=None) | Q(ew=None)).order_by("pk")
    enter_results(
        section, [EnteredResult(play.pk, {"score": random.choice(scores)}) for play in plays], by=by
    )
    if is_final:
        make_list_final(section, by=by)
    section.refresh_from_db()
    return section
