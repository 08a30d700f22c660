"""Kinds of contests: drawn as a Swiss or a knock-out, and played in matches or not."""

from bridgebuddy.events.models import Section

SWISS, KNOCKOUT = "swiss", "knockout"
#: a single match, shown in IMPs only
ONE_MATCH = "head-to-head"


def is_swiss_of_pairs(section: Section) -> bool:
    """Return whether a section plays a Swiss of pairs, in which each round is a match."""
    return not section.contest.has_halves and section.stored.family == SWISS


def is_league(section: Section) -> bool:
    """Return whether a section is ranked by the sum of match scores: a Swiss, or teams that all meet each other."""
    if section.movement is None:
        return False
    family = section.movement.family
    return family == SWISS or (section.contest.has_halves and family not in (KNOCKOUT, ONE_MATCH))


def has_matches(section: Section) -> bool:
    """Return whether a section's contestants play matches."""
    if section.contest.has_halves:
        return True
    return section.movement is not None and is_swiss_of_pairs(section)
