"""A whole evening with results, by its pages: late pairs, a forgotten arrow-switch, rulings, a correction after the
end.
"""

import json

import pytest
from django.urls import reverse

from bridgebuddy.director.club_data.tables import Result
from bridgebuddy.events.models import Section
from bridgebuddy.scoring.checks.result_checks import SectionDoubts
from bridgebuddy.scoring.models import FouledBoard, ScoringSettings
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of, section_with
from tests.proofs.documents import as_json
from tests.scoring.recount import Recount
from tests.scoring.test_doubts import swapped_outcome, usual

from .reading import address_of, decide, text, ways_on
from .test_rulings import give, standing
from .test_slips import send

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_search")]


def typed(outcome):
    """A result as a scorer types it."""
    if outcome.get("passed"):
        return "p"
    contract, over = outcome["contract"], outcome["tricks"] - 6 - int(outcome["contract"][0])
    doubled = contract.count("x")
    strain = contract[1:].rstrip("x").lower()[0]
    made = "=" if over == 0 else f"{over:+d}"
    return f"{contract[0]}{strain}{'x' * doubled}{outcome['declarer'].lower()}{made}"


def truth(play):
    """Return the real outcome at a table: the board's usual one, with a trick more or less here and there."""
    found = usual(play.board)
    if "tricks" in found:
        found["tricks"] = min(13, found["tricks"] + (play.table * play.board) % 3 - 1)
    return found


def now(section):
    return Section.objects.get(pk=section.pk)


def play_round(browser, section, *, turned_at=0):
    """Begin the next round and type every table's slip; at one table the pairs sit the other way."""
    section = now(section)
    browser.post(reverse("next-round", args=[section.code]), {"after": section.round})
    for table in range(1, 8):
        type_slip(browser, section, table, truth if table != turned_at else turned_truth)


def turned_truth(play):
    return swapped_outcome(truth(play))


def type_slip(browser, section, table, truth=truth):
    """Type the results of a table's boards in the present round, if two pairs sit there."""
    section = now(section)
    plays = section.plays.filter(round=section.round, table=table).exclude(ns=None)
    if plays := list(plays.exclude(ew=None)):
        lines = [typed(truth(play)) for play in plays]
        answer = send(browser, section, plays, *lines, round=section.round, table=table)
        assert answer.status_code == 302, text(answer)


def agrees_with_a_recount(section):
    """Assert that every play has the second implementation's score; return the totals."""
    scored = ScoredSession(SessionSnapshot(now(section)))
    again = Recount(json.dumps(as_json(scored.document)))
    for index, play in enumerate(scored.results.plays):
        for value, side in zip(again.values[index], (play.ns, play.ew), strict=True):
            assert (value and value[0]) == side.exact, play
    return {
        row.label: row.row.percent for ranking in scored.main_lists for row in ranking.standings
    }


def test_an_evening_with_all_that_happens_to_its_results(client):
    section = section_with(13, "mitchell")
    client.force_login(director_of(section.club))
    play_round(client, section)

    # one pair fills the half table while its round is played, the next one plays as rover
    assert not now(section).plays.filter(table=7).exclude(ns=None).exclude(ew=None)
    decide(client, now(section), "late", first="Eve Engel", second="Max Ohm", reason="")
    type_slip(client, section, 7)
    play_round(client, section)
    decide(client, now(section), "late", first="Ida Roth", second="Tom Wolf", reason="")
    play_round(client, section)
    late = [entry.people_in(now(section).round) for entry in section.entries.all()[13:]]
    assert [{person.name for person in people} for people in late] == [
        {"Eve Engel", "Max Ohm"},
        {"Ida Roth", "Tom Wolf"},
    ]
    agrees_with_a_recount(section)

    play_round(client, section, turned_at=3)
    for _round in range(5, 8):
        play_round(client, section)
    assert now(section).round == 7

    # at table 3 they forgot in round 4 which way they sit; the page says so, and leads to the change
    (doubt,) = (
        row
        for row in SectionDoubts(SessionSnapshot(now(section))).open_doubts
        if row.kind == "other-way"
    )
    page = client.get(reverse("look-at", args=[section.code]))
    assert "Table 3, round 4: wrong direction?" in text(page)
    before = dict(now(section).plays.filter(round=4, table=3).values_list("board", "ns"))
    asked = {"round": 4, "table": 3}
    way = ways_on(client.get(address_of(section, "other-way"), asked))[0]
    sent = {**asked, "plan": now(section).plan, "way": way, "reason": "arrow-switch"}
    assert client.post(address_of(section, "other-way"), sent).status_code == 302
    after = dict(now(section).plays.filter(round=4, table=3).values_list("board", "ew"))
    assert before == after
    assert [
        row
        for row in SectionDoubts(SessionSnapshot(now(section))).open_doubts
        if row.key == doubt.key
    ] == []
    everybody = agrees_with_a_recount(section)
    assert len(everybody) == 15

    # a weighted score, then 60/40
    weighted, averaged = now(section).plays.filter(board=5, ns__isnull=False, ew__isnull=False)[:2]
    said = {
        "kind": "weighted",
        "result_ns_1": "+110",
        "share_ns_1": "60",
        "result_ns_2": "2sn-1",
        "share_ns_2": "40",
    }
    after = weighted.results.count()
    give(
        client, "results-line", [section.code, weighted.pk], {**said, "after": after, "reason": "x"}
    )
    said = {"kind": "average", "award_ns": "AVE+", "award_ew": "AVE-", "after": 1, "reason": "y"}
    give(client, "results-line", [section.code, averaged.pk], said)
    assert standing(weighted) == {"assigned": {"ns": [[60, 110], [40, -100]]}}
    ruled = agrees_with_a_recount(section)
    assert ruled != everybody

    # a fouled board is two groups, each compared within itself, and one again
    fouled = {"where": "round", "from_round": 4, "reason": "two cards"}
    give(client, "fouled-board", [section.code, 8], fouled)
    lines = [
        line for line in SessionSnapshot(now(section)).lines if line.board == 8 and line.outcome
    ]
    groups = {line.round >= 4: line.group for line in lines}
    assert groups[True] != groups[False]
    client.post(reverse("unfoul-board", args=[section.code, FouledBoard.objects.get().pk]))
    assert agrees_with_a_recount(section) == ruled

    # final and published; a correction after that makes it revised
    state = reverse("results-state", args=[section.code])
    client.post(state, {"do": "final-publish"})
    token = ScoringSettings.objects.get().token
    client.post(state, {"do": "open", "reason": "A scoring error"})
    play = now(section).plays.filter(board=11, ns__isnull=False, ew__isnull=False).first()
    answer = client.post(
        reverse("enter-result", args=[section.code, play.pk]),
        {"how": "line", "line": "3nn=", "after": 1},
    )
    assert answer.status_code == 302, text(answer)
    assert standing(play)["contract"] == "3NT"
    assert play.results.count() == 2
    client.post(state, {"do": "final-publish"})
    revised = agrees_with_a_recount(section)
    assert revised != ruled
    assert ScoringSettings.objects.get().revision == 2

    # anybody with the link reads the list that counts now, and nothing has been lost on the way
    client.logout()
    seen = text(client.get(reverse("public-results", args=[token])))
    best = max(revised.values())
    assert f"{best:.2f}" in seen
    assert "Revised" in seen or "revised" in seen
    assert not Result.objects.filter(play__section=section, stands=True, outcome={}).exists()
    played = now(section).plays.exclude(ns=None).exclude(ew=None)
    assert Result.objects.filter(play__in=played, stands=True).count() == played.count()


def test_a_howell_by_slips(client):
    """Use slips and travellers only, one of them with a mistake: the list is there with the last of them."""
    section = section_with(8, "howell", boards_per_round=2)
    client.force_login(director_of(section.club))
    for _ in range(6):
        play_round(client, section)
    client.post(reverse("next-round", args=[section.code]), {"after": 6})
    last = list(now(section).plays.filter(round=7).exclude(ns=None).exclude(ew=None))

    # a line that cannot be stores nothing of its slip
    first = [play for play in last if play.table == 1]
    wrong = send(client, now(section), first, "4hs=", "8hs=", round=7, table=1)
    assert wrong.status_code == 422
    assert not Result.objects.filter(play__in=first).exists()

    # the last round comes as travellers: everybody else's line stands there already
    for board in sorted({play.board for play in last}):
        plays = [play for play in last if play.board == board]
        answer = send(client, now(section), plays, *map(typed, map(truth, plays)), board=board)
        assert answer.status_code == 302, text(answer)
    assert "all results are in" in text(client.get(reverse("results", args=[section.code])))

    percents = agrees_with_a_recount(section)
    assert len(percents) == 8
    assert sum(percents.values()) == pytest.approx(400, abs=0.05)
    client.post(reverse("finish", args=[section.code]), {"after": 7})
    client.post(reverse("results-state", args=[section.code]), {"do": "final-publish"})
    client.logout()
    seen = text(client.get(reverse("public-results", args=[ScoringSettings.objects.get().token])))
    assert all(f"{percent:.2f}" in seen for percent in percents.values())
