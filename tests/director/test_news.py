"""News of a live change: marked at the desk until seen, offered for printing, announced."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.director.desk.news import ChangedTables, TableChange, news_since
from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.differences import GameFacts, TableDifference
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.services.play import changes, rounds
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.director.reading import LATE, decide, text
from tests.factories import section_with
from tests.markup import markup
from tests.signing_in import asks_to_sign_in

pytestmark = pytest.mark.django_db


def now(section):
    return Section.objects.get(pk=section.pk)


def desk_of(browser, section):
    return markup(browser.get(reverse("desk", args=[section.code])))


def news(section, seen):
    return news_since(SectionPlan.of(section), seen)


def marked(page):
    """The tables with a yellow edge."""
    tiles = re.findall(r'class="\s*tile\b([^"]*)"[^>]*aria-label="Table (\d+)"', page)
    return [int(table) for classes, table in tiles if "changed" in classes.split()]


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def log(page):
    """Return the events that the desk lists, the tapped lines included."""
    lines = re.findall(r"<li><time[^>]*>[^<]*</time>(.*?)</li>", page, re.S)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line)).strip() for line in lines]


def test_tables_that_are_different_are_marked_until_the_director_has_seen_them(
    browser, skip_section
):
    assert marked(desk_of(browser, skip_section)) == []
    decide(browser, skip_section, "leaves", contestant=3)

    page = desk_of(browser, skip_section)
    assert marked(page) == [3]
    assert "Different from round 5 on: Table 3, round 5: EW 6 sits out" in text_of(page)
    assert "Round 5: EW" in text_of(page)
    assert f'href="{reverse("print", args=[skip_section.code])}?since=1"' in page

    answer = browser.post(reverse("seen", args=[skip_section.code]), {"version": 2}, follow=True)
    page = answer.content.decode()
    assert marked(page) == []
    assert "Different from" not in page
    assert "?since=" not in page


def test_another_director_has_not_seen_what_one_has(browser, signed_in, carol, skip_section):
    decide(browser, skip_section, "leaves", contestant=3)
    browser.post(reverse("seen", args=[skip_section.code]), {"version": 2})
    carol.memberships.update(club=skip_section.club)

    assert marked(desk_of(signed_in(carol), skip_section)) == [3]


def test_what_changed_since_is_offered_for_printing(browser, skip_section):
    decide(browser, skip_section, "leaves", contestant=3)

    page = browser.get(reverse("print", args=[skip_section.code]), {"since": 1})

    assert page.status_code == 200
    assert page.context["form"].cleaned_data["since"] == 1


def test_who_sits_where_is_told_for_each_table_once_and_only_what_is_near_is_marked(
    browser, club, alice
):
    """EW 3 goes round the room: every table has a round in which no pair arrives."""
    section = section_with(16, "share-and-relay", round=3, club=club, by=alice)

    decide(browser, section, "leaves", contestant=11)

    found = news(now(section), 1)
    assert [str(line) for line in found.lines if "sits out" in line.words] == [
        "Table 6, round 4: NS 6 sits out",
        "Table 7, round 5: NS 7 sits out",
        "Table 8, round 6: NS 8 sits out",
        "Table 1, round 7: NS 1 sits out",
        "Table 2, round 8: NS 2 sits out",
    ]
    assert found.near == (6,)
    page = desk_of(browser, section)
    assert marked(page) == [6]
    assert "Round 4: NS 6 sits out" in text_of(page)
    assert len(found.first_lines) == 4
    assert f"{len(found.other_lines)} more" in text_of(page)


def test_a_rover_is_told_by_whom_it_replaces(browser, skip_section):
    decide(browser, skip_section, "late", **LATE)

    words = [line.words for line in news(now(skip_section), 1).lines]
    assert all(" instead of " in word for word in words)


def test_what_was_taken_back_is_no_news(browser, skip_section, alice):
    decide(browser, skip_section, "late", **LATE)
    section = now(skip_section)
    assert news(section, 1) == ChangedTables(since=1, now=2, from_round=5, tables=(1, 3, 5))

    section = changes.undo_change(section, plan=section.plan, by=alice)

    assert news(section, 1) is None
    assert news(section, 2) == ChangedTables(since=2, now=3, from_round=5, tables=(1, 3, 5))


def test_rounds_that_are_over_are_no_news(browser, skip_section, alice):
    decide(browser, skip_section, "late", **LATE)
    section = rounds.start_next_round(now(skip_section), after=4, by=alice)
    section = rounds.start_next_round(section, after=5, by=alice)

    assert news(section, 1) == ChangedTables(since=1, now=2, from_round=6, tables=(3, 5))


@pytest.mark.parametrize("version", ["", "x", "9", "-1"])
def test_seeing_a_version_that_is_none_changes_nothing(browser, skip_section, version):
    decide(browser, skip_section, "leaves", contestant=3)

    browser.post(reverse("seen", args=[skip_section.code]), {"version": version})

    assert marked(desk_of(browser, skip_section)) == [3]


def test_to_others_there_is_nothing_to_see(skip_section, bob, carol, signed_in, client):
    address = reverse("seen", args=[skip_section.code])

    for browser in (signed_in(bob), signed_in(carol)):
        assert browser.post(address, {"version": 1}).status_code == 404
    assert asks_to_sign_in(client.post(address, {"version": 1}))


def test_the_log_says_who_why_and_how_much_was_played(browser, skip_section):
    decide(browser, skip_section, "leaves", contestant=3, reason="Feels <b>ill</b>")

    assert log(desk_of(browser, skip_section))[0] == (
        "Anna North5 &amp; Bob South5 left; their table is half empty. Feels &lt;b&gt;ill&lt;/b&gt; "
        "12 of 21 boards played: half or more. alice"
    )


@pytest.mark.parametrize(
    ("round", "played", "word"),
    [(1, 3, "less than half"), (3, 9, "less than half"), (4, 12, "half or more")],
)
def test_a_pair_that_leaves_is_written_down_with_its_boards(
    browser, club, alice, round, played, word
):
    section = section_with(16, "skip-mitchell", round=round, club=club, by=alice)
    decide(browser, section, "leaves", contestant=3)

    facts = section.movements.get(version=2).facts
    assert (facts["boards_played"], facts["boards_planned"]) == (played, 21)
    history = text(browser.get(reverse("history", args=[section.code]), follow=True))
    assert f"{played} of 21 boards played: {word}." in history


def test_boards_for_which_there_was_no_time_are_written_down_and_stay_open(browser, club, alice):
    section = section_with(13, "mitchell", round=1, club=club, by=alice)
    ends = timezone.now() + timedelta(minutes=15)
    Section.objects.filter(pk=section.pk).update(clock_ends_at=ends)

    decide(browser, now(section), "late", **LATE)

    assert section.movements.get(version=2).facts["not_played"] == [21]
    history = text(browser.get(reverse("history", args=[section.code]), follow=True))
    assert "There was no time left for boards: 21." in history
    (line,) = (x for x in SessionSnapshot(now(section)).lines if (x.table, x.board) == (7, 21))
    assert (line.has_begun, line.outcome) == (True, None)


def test_with_time_for_all_boards_nothing_is_written_down(browser, club, alice):
    section = section_with(13, "mitchell", round=1, club=club, by=alice)
    section = rounds.add_minute(section, by=alice)

    decide(browser, section, "late", **LATE)

    assert "not_played" not in section.movements.get(version=2).facts


def test_nobody_is_called_who_has_left(browser, skip_section):
    decide(browser, skip_section, "late", **LATE)
    decide(browser, now(skip_section), "leaves", contestant=9)

    assert (
        "NS 9" not in desk_of(browser, skip_section).split('class="say"')[1].split("</section>")[0]
    )


def test_an_evening_that_ends_earlier_says_so_and_marks_no_table(browser, club, alice):
    section = section_with(14, "mitchell", round=3, club=club, by=alice)
    decide(browser, section, "length", rounds=5)

    page = browser.get(reverse("desk", args=[section.code]))

    assert news(now(section), 1) == ChangedTables(1, 2, from_round=6, tables=(), last_round=5)
    assert marked(page.content.decode()) == []
    assert re.search(
        r"Round 5 is the last one now\. Print what changed: \d+ sheets Seen", text(page)
    )
    changes.undo_change(now(section), plan=now(section).plan, by=alice)
    assert news(now(section), 1) is None


def test_rounds_on_end_are_told_as_a_range():
    assert (
        str(TableChange(1, (2, 3, 4, 5, 8), "NS 4 sits out"))
        == "Table 1, rounds 2–5, 8: NS 4 sits out"
    )


def test_a_tile_tells_a_change_once_for_all_its_rounds_and_leaves_sharing_to_its_own_line():
    was = GameFacts(1, 1, (("ns", "NS 1"), ("ew", "EW 2")), (1, 2, 3), (), True)
    instead = replace(was, people=(("ns", "NS 1"), ("ew", "EW 9")), shared_with=(8,))
    different = tuple(TableDifference(round, 1, (was,), (instead,)) for round in (2, 3, 4))
    changed_tables = ChangedTables(1, 2, 2, (1,), near=(1,), different=different)

    assert [(line.rounds_text, line.words) for line in changed_tables.lines_by_table[1]] == [
        ("2–4", "EW 9 instead of EW 2")
    ]
    assert list(map(str, changed_tables.lines)) == [
        "Table 1, rounds 2–4: EW 9 instead of EW 2; shares boards with table 8"
    ]
