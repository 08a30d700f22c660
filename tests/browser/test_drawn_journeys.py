"""Contests that are drawn or of several sessions, from the choice of the movement to the last list.

A few results are entered on the page and one round is drawn there, the others by the service, so that the journeys are
short. With PICTURES=DIR every page that is looked at is taken as a picture there.
"""

import os
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.scoring.models import Draw
from bridgebuddy.scoring.services.results import EnteredResult, enter_result, enter_results
from tests.factories import ClubFactory, director_of, section_with
from tests.scoring.test_drawing import publish
from tests.scoring.test_knockout_places import go_on

from .conftest import DESKTOP, PHONE, scrolls_sideways, sign_in, wait_for_fonts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SCORES = (-500, -170, -140, -110, -100, 90, 110, 140, 170, 200)


class Journey:
    """A director of a section, on a screen of their own."""

    def __init__(self, opened: Page, section: Section, by: User, name: str) -> None:
        self.page, self.section, self.by, self.name = opened, section, by, name

    def go(self, where: str) -> None:
        self.page.goto(f"/s/{self.section.code}/{where}")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(f"^{name}")).first.click()

    def follow(self, name: str) -> None:
        self.page.get_by_role("link", name=re.compile(f"^{name}")).first.click()

    def headed(self, text: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(text)

    def start(self, round: int) -> None:
        self.press(f"Start round {round}")
        expect(self.page.locator(".roundno")).to_contain_text(re.compile(rf"Round {round}\s+of"))
        self.section.refresh_from_db()

    def start_unseen(self) -> None:
        """Begin the next round as the page does."""
        start_next_round(self.section, after=self.section.round, by=self.by)
        self.section.refresh_from_db()

    def enter_one(self) -> None:
        """Enter a result on the page: three no-trump by West, two down."""
        self.go("results/")
        self.page.locator(".cell").first.click()
        for key in ("3", "NT", "W"):
            key_label = self.page.locator(".keys label").filter(
                has=self.page.get_by_role("radio", name=key, exact=True)
            )
            key_label.first.click()
        self.page.get_by_label("Tricks").select_option("-2")
        self.page.locator(".keysform").get_by_role("button", name="Save").click()
        expect(self.page.locator(".cell").first).to_contain_text("W −2")

    def enter_rest(self, rng: random.Random | None = None) -> None:
        """Let all other results of the round come in; without chance the lower number wins."""
        plays = self.section.plays.filter(
            round=self.section.round, taken_back_at=None, results=None
        )
        entered = []
        for play in plays.exclude(ns=None).exclude(ew=None).select_related("ns", "ew"):
            wins = 140 if play.ns.contestant < play.ew.contestant else -140
            score = rng.choice(SCORES) if rng else wins
            entered.append(EnteredResult(play.pk, {"score": score}))
        enter_results(self.section, entered, by=None)
        self.section.refresh_from_db()

    def look(self, what: str) -> None:
        """The page fits the desk's screen and a phone."""
        for width, height in (PHONE, DESKTOP):
            self.page.set_viewport_size({"width": width, "height": height})
            wait_for_fonts(self.page)
            if folder := os.environ.get("PICTURES"):
                path = Path(folder) / f"{self.name}-{what}-{width}.png"
                self.page.screenshot(path=path, full_page=True)
            assert not scrolls_sideways(self.page), f"{what} at {width}"


@pytest.fixture
def journey(page):
    """Begin a journey: sign in who directs the club of a section."""

    def begin(section: Section, name: str) -> Journey:
        opened, by = page(DESKTOP), director_of(section.club)
        sign_in(opened, by)
        return Journey(opened, section, by, name)

    return begin


def choose_drawn(journey: Journey, contest: str, rounds: str = "") -> None:
    journey.go("movement/")
    journey.follow("Swiss or knock-out")
    kinds = journey.page.locator("nav.kinds")
    kinds.get_by_role("link", name=re.compile(f"^{contest}")).click()
    chosen = kinds.get_by_role("link", name=re.compile(f"^{contest}"))
    expect(chosen).to_have_attribute("aria-current", "page")
    if rounds:
        journey.page.get_by_label("Rounds", exact=True).fill(rounds)
    journey.page.get_by_label("Boards a round").fill("4")
    journey.look("choose")
    journey.press("Choose this, draw round 1")
    journey.go("desk/")


def test_nine_teams_play_a_swiss_with_triangles_and_a_correction(journey, page):
    section = section_with(9, contest="teams", club=ClubFactory(name="Lindenhof"))
    at, rng = journey(section, "swiss"), random.Random(7)
    choose_drawn(at, "Swiss", "4")
    at.start(1)
    at.look("desk")
    at.enter_one()
    at.look("results")

    at.enter_rest(rng)
    publish(at.section, at.by)
    at.start_unseen()
    at.enter_rest(rng)
    at.go("desk/")
    at.follow("Draw round 3")
    at.headed("Draw for round 3")
    at.look("draw")
    at.press("Lock and publish round 3")
    at.headed("Round 3 is drawn")
    # a result of round 1 is corrected: no draw is another one by that
    drawn = list(Draw.objects.values())
    enter_result(section, section.plays.filter(round=1)[3].pk, {"score": 1100}, by=None)
    at.go("results/draw/?round=2")
    expect(at.page.get_by_text("The standings have changed since.")).to_be_visible()
    at.look("corrected")
    assert list(Draw.objects.values()) == drawn
    at.go("desk/")
    at.start(3)
    at.enter_rest(rng)
    publish(at.section, at.by)
    at.start_unseen()

    at.enter_rest(rng)
    at.go("desk/")
    at.press("Finish the session")
    at.headed("Winners")  # the end leads to the list
    at.go("results/ranking/")
    at.headed("Winners")
    at.look("ranking")
    at.go("results/matches/")
    at.look("matches")
    movement = Section.objects.get().movement.movement
    assert len({team for three in movement.triangles for team in three.teams}) == 9
    phone = page(PHONE)
    phone.goto(f"/p/{section.code}/1/")
    expect(phone.locator("#me")).to_be_visible()
    assert not scrolls_sideways(phone)


def test_twelve_teams_play_a_knock_out_to_its_winner(journey, page):
    section = section_with(12, contest="teams", club=ClubFactory(name="Lindenhof"))
    at = journey(section, "knockout")
    choose_drawn(at, "Knock-out")
    at.start(1)

    at.enter_rest()
    at.follow("Draw round 2")
    at.headed("Who goes on to round 2?")
    at.look("draw")
    at.press("Lock and publish round 2")
    at.headed("Round 2 is drawn")
    at.go("desk/")
    at.start(2)
    for _ in (3, 4):
        at.enter_rest()
        go_on(at.section, at.by)
    movement = Section.objects.get().movement.movement
    for round, left in ((2, 8), (3, 4), (4, 2)):
        seated = {
            contestant for seating in movement.in_round(round) for contestant in seating.contestants
        }
        assert seated == set(range(1, left + 1))

    at.go("desk/")
    at.look("final")
    phone = page(PHONE)
    phone.goto(f"/p/{section.code}/3/")
    expect(phone.get_by_text("Your matches are over.")).to_be_visible()
    at.enter_rest()
    at.go("desk/")
    at.press("Finish the session")
    at.headed("Winners")  # the end leads to the list
    for where in ("ranking", "matches"):
        at.go(f"results/{where}/")
        at.look(where)


def test_eight_pairs_play_finals_after_a_first_session(journey):
    section = section_with(
        8, "howell", round=7, boards_per_round=2, club=ClubFactory(name="Lindenhof")
    )
    at, rng = journey(section, "finals"), random.Random(3)
    for round in range(1, 8):
        section.round = round
        at.enter_rest(rng)
    at.go("desk/")
    at.press("Finish the session")
    at.headed("Winners")  # the end leads to the list
    at.go("results/ranking/")
    first = [at.page.locator("tbody tr").nth(i).inner_text() for i in range(8)]
    assert all(first)

    at.page.goto(f"/s/{section.code}/copy/?second=1")
    at.look("copy")
    at.page.get_by_role("radio", name=re.compile("Two finals")).check(force=True)
    at.press("Make this session")
    finals = list(Section.objects.exclude(pk=section.pk).order_by("pk"))
    assert [final.entries.count() for final in finals] == [4, 4]
    for final in finals:
        at.section = final
        at.go("movement/")
        at.press("Choose")
        expect(at.page.get_by_text("everybody has a seat")).to_be_visible()
    at.section = finals[0]
    at.go("sections/all/")
    at.look("both")
    at.press("Start round 1 in A and B")
    expect(at.page.get_by_text("Round 1 of ")).to_have_count(2)
    for final in finals:
        final.refresh_from_db()
        at.section = final
        at.enter_rest(rng)
    at.section = finals[0]
    at.go("results/ranking/")
    at.headed("In front: A")
    for letter in "AB":
        expect(at.page.locator(".lead-head").get_by_text(f"Section {letter}")).to_be_visible()
    at.look("ranking")


def test_eight_teams_play_a_round_robin_with_line_ups_and_butler(journey):
    section = section_with(
        8, "team-round-robin", contest="teams", club=ClubFactory(name="Lindenhof")
    )
    at, rng = journey(section, "league"), random.Random(5)
    at.go("desk/")
    at.start(1)
    team = section.entries.get(contestant=1)
    at.go(f"entries/{team.pk}/line-up/")
    chairs = at.page.locator("input[list=squad]")
    chairs.nth(1).fill("Eve Five")
    at.look("line-up")
    at.press("Use this line-up")
    assert "Eve Five" in [person.name for person in team.people.all()]
    at.enter_one()
    at.enter_rest(rng)
    at.go("desk/")
    at.start(2)
    for _ in range(3, 8):
        at.enter_rest(rng)
        at.start_unseen()
    at.enter_rest(rng)
    at.go("desk/")
    at.press("Finish the session")
    at.headed("Winners")  # the end leads to the list
    at.go("results/ranking/")
    at.headed("Winners")
    at.look("ranking")
    at.go("results/matches/")
    at.look("matches")
    at.go("results/butler/")
    at.press("All tables had the same cards")
    at.headed("played best")
    expect(at.page.get_by_text("Eve Five").first).to_be_visible()
    at.look("butler")
