"""Strata, handicaps and categories of contestants, and the scale of masterpoints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.services.locking import lock_session

from ..models import ScoringSettings
from .recording import mark_revised, note_results, scoring_settings_of
from .rulings import check_scorable


@transaction.atomic
def choose_usual_scale(section: Section) -> None:
    """Give a new session its club's masterpoint scale, if the club has one."""
    scale = section.club.masterpoint_scale
    if scale:
        section, _ = lock_session(section)
        scoring = scoring_settings_of(section)
        scoring.masterpoints = scale
        scoring.save(update_fields=["masterpoints"])


@transaction.atomic
def store_classes(
    section: Section,
    *,
    strata: Sequence[str],
    classes: Mapping[int, Mapping[str, Any]],
    min_played: str = "",
    masterpoints: str = "",
    by: User | None,
) -> ScoringSettings:
    """Store the session's strata, masterpoint scale and least boards, and each entry's stratum and categories.

    Keys of other sessions' entries are dropped; entries that are not named keep their groups. Points, handicaps,
    strata and categories change no result. So they do not revise a final list, and may change after the correction
    period. Only `min_played` affects places. Raises `UnknownMethod` if it cannot be scored so, and `ListIsClosed` if
    `min_played` of a closed list would change.
    """
    section, sections = lock_session(section)
    scoring = scoring_settings_of(section)
    ours = set(
        Entry.objects.filter(section__session=section.session_id).values_list("pk", flat=True)
    )
    classes_of_entry = {
        key: class_data
        for key, class_data in scoring.classes.items()
        if int(key) in ours - set(classes)
    }
    profile = {
        key: value for key, value in scoring.profile.items() if key not in ("strata", "min_played")
    }
    if strata:
        profile["strata"] = {"names": list(strata)}
    if min_played:
        profile["min_played"] = int(min_played)
    values = {
        "profile": profile,
        "classes": classes_of_entry
        | {
            str(key): dict(class_data)
            for key, class_data in classes.items()
            if key in ours and class_data
        },
        "masterpoints": masterpoints,
    }
    if all(getattr(scoring, name) == value for name, value in values.items()):
        return scoring
    changes_places = scoring.profile.get("min_played") != profile.get("min_played")
    for name, value in values.items():
        setattr(scoring, name, value)
    if changes_places:
        mark_revised(scoring)
    scoring.save()
    check_scorable(section)
    for session_section in sections:
        note_results(
            session_section, "results.classes" if session_section.pk == section.pk else "", by=by
        )
    return scoring
