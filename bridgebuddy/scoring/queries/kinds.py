"""What kind of contest a section is: drawn as a Swiss or a knock-out, and whether two meet in matches."""

from bridgebuddy.events.models import Section

SWISS, KNOCKOUT = "swiss", "knockout"
#: one match alone, of which nothing but IMPs is told
ONE_MATCH = "head-to-head"


def is_swiss_of_pairs(section: Section) -> bool:
    """Whether pairs meet in matches, a round each."""
    return not section.contest.has_halves and section.stored.family == SWISS


def is_league(section: Section) -> bool:
    """Whether matches are added up by what each was worth: a Swiss, and teams that all meet each other."""
    if section.movement is None:
        return False
    family = section.movement.family
    return family == SWISS or (section.contest.has_halves and family not in (KNOCKOUT, ONE_MATCH))


def has_matches(section: Section) -> bool:
    """Whether those of a section meet in matches."""
    if section.contest.has_halves:
        return True
    return section.movement is not None and is_swiss_of_pairs(section)
