"""A player of an individual: their partners, and the results with each."""

import pytest

from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.results.sheets import PlayersScoreSheet, ScoreSheet
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from .test_tonight import scored_section

pytestmark = pytest.mark.django_db


def test_every_partner_is_listed_with_the_mean_of_the_boards_played_together():
    section = scored_section(8, "individual", rounds=7, contest="individual")
    tonight = SessionSnapshot(section)
    scored = ScoredSession(tonight)
    mine = tonight.find(section, "3")
    own = {}
    for line in tonight.lines:
        for side in ("ns", "ew"):
            player = [item.slug for item in line.side(side)]
            if "3" in player:
                [partner] = [slug for slug in player if slug != "3"]
                own.setdefault(partner, []).append(scored.side(line, side).percent)

    found = ScoreSheet(scored, section, mine).partners

    assert {partner.partner.slug: partner.boards for partner in found} == {
        k: len(v) for k, v in own.items()
    }
    means = {partner.partner.slug: partner.shown for partner in found}
    assert means == pytest.approx({player: sum(x) / len(x) for player, x in own.items()})
    assert [partner.shown for partner in found] == sorted(means.values(), reverse=True)
    assert len(found) == 7


def test_on_a_phone_boards_that_others_will_play_count_for_no_partner():
    section = scored_section(12, "individual", rounds=2, contest="individual")
    tables = {
        line.table for line in SessionSnapshot(section).in_round(section, 2) if "3" in seated(line)
    }
    others = section.plays.filter(round=2).exclude(table__in=tables)
    Result.objects.filter(play__in=others).delete()
    tonight = SessionSnapshot(section)
    sheet = PlayersScoreSheet(ScoredSession(tonight), section, tonight.find(section, "3"))

    hidden = [entry for stage in sheet.begun_stages for entry in stage.entries if entry.is_hidden]

    assert hidden
    assert sum(partner.boards for partner in sheet.partners) + len(hidden) == sum(
        len(stage.entries) for stage in sheet.begun_stages
    )


def seated(line):
    return [item.slug for item in (*line.ns, *line.ew)]


def test_pairs_have_no_list_of_partners():
    section = scored_section(8, "howell")
    tonight = SessionSnapshot(section)

    assert ScoreSheet(ScoredSession(tonight), section, tonight.find(section, "3")).partners == []
