"""What kind of contest a section is: drawn as a Swiss or a knock-out, and whether two meet in matches."""

from bridgebuddy.events.models import Section

SWISS, KNOCKOUT = "swiss", "knockout"


def is_swiss_of_pairs(section: Section) -> bool:
    """Whether pairs meet in matches, a round each."""
    return not section.contest.has_halves and section.stored.family == SWISS


def has_matches(section: Section) -> bool:
    """Whether those of a section meet in matches."""
    if section.contest.has_halves:
        return True
    return section.movement is not None and is_swiss_of_pairs(section)
