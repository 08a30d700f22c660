"""The words for contestants on the director's pages, by contest."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from bridgebuddy.events.models import Section
from movements.engine.contest import Contest


@dataclass(frozen=True)
class ContestWords:
    """The sentences and labels of the entries' pages, worded for pairs, players or teams."""

    add: str | Promise
    enter: str | Promise
    in_order: str | Promise
    save: str | Promise
    take_off: str | Promise
    too_few: str | Promise
    late: str | Promise
    where: str | Promise
    leaves: str | Promise
    back: str | Promise
    choose: str | Promise
    sat_wrong: str | Promise


WORDS = {
    Contest.PAIRS: ContestWords(
        add=_("Add pair"),
        enter=_("Enter pairs"),
        in_order=_("Pairs in order of entry"),
        save=_("Save the pair"),
        take_off=_("Take this pair off the list"),
        too_few=_("A movement needs at least 3 pairs: two tables, one of them half."),
        late=_("Late pair"),
        where=_("Where does the pair play?"),
        leaves=_("Pair leaves"),
        back=_("A pair comes back"),
        choose=_("Choose a pair"),
        sat_wrong=_("Two pairs sat wrong"),
    ),
    Contest.INDIVIDUAL: ContestWords(
        add=_("Add player"),
        enter=_("Enter players"),
        in_order=_("Players in order of entry"),
        save=_("Save the player"),
        take_off=_("Take this player off the list"),
        too_few=_("A movement for single players needs at least 4 of them: one table."),
        late=_("Late player"),
        where=_("Where does the player play?"),
        leaves=_("Player leaves"),
        back=_("A player comes back"),
        choose=_("Choose a player"),
        sat_wrong=_("Two players sat wrong"),
    ),
    Contest.TEAMS: ContestWords(
        add=_("Add team"),
        enter=_("Enter teams"),
        in_order=_("Teams in order of entry"),
        save=_("Save the team"),
        take_off=_("Take this team off the list"),
        too_few=_("A match needs two teams."),
        late=_("Late team"),
        where=_("Where does the team play?"),
        leaves=_("Team leaves"),
        back=_("A team comes back"),
        choose=_("Choose a team"),
        sat_wrong=_("Two pairs sat wrong"),
    ),
}


def contestant_words(section: Section) -> ContestWords:
    """Return the sentences and labels worded for a section's contestants."""
    return WORDS[section.contest]


def registered_pairs_text(count: int) -> str:
    """Return the number of registered pairs as text: "13 pairs registered"; empty for none."""
    text = ngettext("%(count)s pair registered", "%(count)s pairs registered", count)
    return text % {"count": count} if count else ""
