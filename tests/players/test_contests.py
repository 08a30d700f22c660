"""Every contest on a phone: pairs with half rounds, teams, single players, draws on results."""

import pytest

from bridgebuddy.events.models import Section
from movements.engine.catalogue import build
from tests.factories import section_with

from .reading import player, words
from .test_player import play

pytestmark = pytest.mark.django_db
BEGINS = "Round "


def playing(club, family: str, tables: int, *, boards: int = 4, size: int = 2, round: int = 1, **options):
    section = play(section_with(0, club=club), build(family, tables, None, None, options), boards, size)
    Section.objects.filter(pk=section.pk).update(round=round)
    return section


def says(client, section: Section, label: str) -> str:
    """What the phone says of the evening, from the round being played on."""
    page = words(player(client, section, label))
    return page[page.index("Round ") : page.index(" Saved on this phone")]


def test_x(client, club):
    for fam, t, lab, size,opts in [("mitchell-teams",8,"3",4,{}),("team-round-robin",6,"6",4,{}),("team-round-robin",7,"1",4,{}),("team-round-robin",7,"7",4,{}),("swiss",7,"5",4,{}),("swiss",7,"1",4,{}),("swiss",8,"1",2,{"contest":"pairs"}),("rainbow",5,"N1",1,{}),("team-rings",9,"1",4,{}),("triangle",3,"2",4,{}),("head-to-head",2,"1",4,{})]:
        s = playing(club, fam, t, size=size, **opts)
        print("##", fam, t, lab, says(client, s, lab))
    s = section_with(9, "two-way-rover", round=2, club=club, boards_per_round=4)
    for l in ("NS4","NS5","EW1"): print("##", l,  says(client, s, l))
    s = section_with(7, "scissors-mitchell", round=2, club=club, boards_per_round=4)
    for l in ("NS1","NS4","EW1"): print("##", l,  says(client, s, l))
    assert 0
