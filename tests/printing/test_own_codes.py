"""The codes of own pages on score sheets: only where a club wants them, each of a pair has their own, none is kept."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import Section
from bridgebuddy.printing import views
from bridgebuddy.printing.results.own_codes import contain_own_page_codes, own_codes
from bridgebuddy.printing.results.score_sheets import score_sheets
from bridgebuddy.printing.selection import SheetSelection
from bridgebuddy.publication.models import PlayerPage
from bridgebuddy.publication.own import links
from bridgebuddy.publication.own.printed_codes import give_addresses
from tests.factories import director_of
from tests.scoring.test_tonight import scored_section

from .test_results import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(club, alice):
    Club.objects.filter(pk=club.pk).update(own_pages_on_sheets=True)
    section = scored_section(8, "howell", rounds=2, club=club, by=alice)
    return Section.objects.get(pk=section.pk)


def codes(job):
    entries = [entry.pk for entry in job.section.entries.all()]
    return own_codes(job, entries)


def test_a_club_that_has_not_said_so_has_none_and_gives_none(pdf, job, club, alice):
    section = scored_section(8, "howell", rounds=2, club=club, by=alice)

    give_addresses(section, by=alice)
    text = " ".join(text_of(pdf(alice, section, "score-sheets.pdf")))

    assert "Your own page" not in text
    assert codes(job(section)) == {}
    assert not PlayerPage.objects.exists()


def test_each_of_a_pair_has_their_own_in_the_order_of_the_sheet(pdf, job, section, alice):
    give_addresses(section, by=alice)

    text = text_of(pdf(alice, section, "score-sheets.pdf"))

    assert len(text) == 4
    assert " ".join(text).count("Your own page.") == 8
    found = codes(job(section))
    first = section.entries.get(position=1)
    assert [code.name for code in found[first.pk]] == [player.name for player in first.players]
    squares = {str(item.square) for both in found.values() for item in both}
    assert len(squares) == 16


def test_given_again_they_are_the_same_and_renewed_they_are_others(job, section, alice):
    give_addresses(section, by=alice)
    before = codes(job(section))
    give_addresses(section, by=alice)
    assert codes(job(section)) == before
    first = section.entries.get(position=1).players[0]

    links.give_address(first, by=None)

    entry = section.entries.get(position=1).pk
    after = codes(job(section))[entry]
    assert after[0] != before[entry][0]
    assert after[1] == before[entry][1]


def test_who_has_ended_theirs_or_is_forgotten_has_none(job, section, alice):
    give_addresses(section, by=alice)
    entry = section.entries.get(position=1)
    first, second = entry.players
    links.end_address(PlayerPage.objects.select_related("person__club").get(person=first), by=alice)
    links.ask_to_be_forgotten(PlayerPage.objects.select_related("person__club").get(person=second))
    PlayerPage.objects.filter(person=second).update(hide_at=timezone.now())
    links.hide_requested_names()

    give_addresses(section, by=alice)

    assert entry.pk not in codes(job(section))
    assert len(codes(job(section))) == 7


def test_a_substitute_has_it_who_sat_there_most(job, section, alice):
    entry = section.entries.get(position=1)
    owner = entry.players[0]
    new = Person.objects.create(club=section.club, name="Nora Neu")
    entry.entry_people.filter(position=1).update(person=new, plays_for=owner)

    give_addresses(section, by=alice)

    assert "Nora Neu" in [code.name for code in codes(job(section))[entry.pk]]
    assert owner.name not in [code.name for code in codes(job(section))[entry.pk]]
    assert not PlayerPage.objects.filter(person=owner).exists()


def test_a_sheet_that_opens_pages_is_kept_nowhere(signed_in, section, alice, monkeypatch):
    give_addresses(section, by=alice)
    kept, browser = [], signed_in(alice)
    monkeypatch.setattr(views, "cached_pdf", lambda *sheets: kept.append(sheets) or b"%PDF")

    pdf, shown, other = (
        browser.get(f"/s/{section.code}/print/{name}")
        for name in ("score-sheets.pdf", "score-sheets.html", "ranking.pdf")
    )

    assert "no-store" in pdf["Cache-Control"]
    assert "no-store" in shown["Cache-Control"]
    assert "no-store" in other["Cache-Control"]  # as of all pages of a director
    assert [contain_own_page_codes(*sheets) for sheets in kept] == [False]  # the ranking alone


def test_printed_with_others_in_one_file_they_are_there_and_kept_nowhere(
    signed_in, section, alice, monkeypatch
):
    give_addresses(section, by=alice)
    kept, browser = [], signed_in(alice)
    monkeypatch.setattr(views, "cached_pdf", lambda *sheets: kept.append(sheets) or b"%PDF")
    address = f"/s/{section.code}/print/together.pdf"

    before = browser.get(f"{address}?time=before")
    after = browser.get(f"{address}?time=after&asked=1&sheet=score-sheets&sheet=ranking")

    assert [contain_own_page_codes(*sheets) for sheets in kept] == [False]  # before the session
    assert "no-store" in before["Cache-Control"]
    assert "no-store" in after["Cache-Control"]


def test_whoever_played_gets_one_when_the_list_is_final_and_not_by_printing(
    signed_in, job, section, alice
):
    browser = signed_in(alice)
    browser.get(f"/s/{section.code}/print/score-sheets.pdf")
    assert not PlayerPage.objects.exists()

    browser.post(reverse("results-state", args=[section.code]), {"do": "final"})

    assert PlayerPage.objects.count() == 16
    assert len(codes(job(section))) == 8


def test_a_code_opens_its_owners_page(client, job, section, alice):
    give_addresses(section, by=alice)
    page = PlayerPage.objects.select_related("person__club").first()

    whole = client.get(links.page_address(page)).content.decode()

    assert page.person.name in whole


def test_a_rehearsal_and_teams_have_none(job, section, alice):
    teams = scored_section(8, "swiss", rounds=1, contest="teams", club=section.club, by=alice)

    assert codes(job(teams)) == {}
    sheets = score_sheets(job(teams), SheetSelection())
    assert not any(half.codes for sheet in sheets for half in sheet.halves)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_with_codes_a_long_sheet_goes_on_beside_and_nothing_is_cut(pdf, club, alice, paper):
    Club.objects.filter(pk=club.pk).update(own_pages_on_sheets=True)
    section = scored_section(8, "howell", rounds=7, boards_per_round=5, club=club, by=alice)
    give_addresses(Section.objects.get(pk=section.pk), by=alice)

    pages = text_of(pdf(director_of(club), section, f"score-sheets.pdf?contestant=1&paper={paper}"))

    assert len(pages) == 1
    assert pages[0].count("Your own page.") == 1
    assert pages[0].count("against") == 2
    for board in range(1, 36):
        assert re.search(rf"\b{board}\b", pages[0])


def test_the_switch_is_among_what_the_club_says_of_its_paper(signed_in, club, alice):
    browser, address = signed_in(alice), reverse("club-paper", args=[club.pk])
    assert (
        "Score sheets with the code of the player’s own page"
        in browser.get(address).content.decode()
    )

    browser.post(address, {"own_pages_on_sheets": "True"})

    assert Club.objects.get(pk=club.pk).own_pages_on_sheets
