"""Takes pictures of every page and sheet, to look at: `python -m tests.browser.pictures OUTDIR`.

Pages in both languages and in the sizes of a phone, a tablet either way and a desk's screen; sheets as they are
printed, on both papers (with poppler's pdftoppm). All names are invented. A page that can be scrolled sideways is
named. `--only desk,room` takes less, `--words` the text alone. The pictures of the README and of the first page are
others: `make pictures`.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

SIZES = ((375, 667), (768, 1024), (1024, 768), (1280, 800))
LANGUAGES = {"en": "en-GB", "de": "de-DE"}
PAPERS = ("a4", "letter")
FIRST = ("Hanna", "Karl", "Ruth", "Otto", "Mary", "John", "Ida", "Paul", "Nora")
LAST = (
    "Brandt",
    "Fischer",
    "Hughes",
    "Collins",
    "Lehmann",
    "Richter",
    "Turner",
    "Bennett",
    "Miller",
)
#: as long as names may be
LONG = (
    "Gräfin von Hohenlohe-Langenburg-Weikersheim-Öhringen",
    "Freiherr von Reitzenstein-Schwarzenbach zu Nemmersdorf",
)


def names(count: int) -> list[tuple[str, str]]:
    """So many pairs, no two players of one name."""
    people = [f"{first} {last}" for last in LAST for first in FIRST]
    mixed = people[::2] + people[1::2]
    return list(zip(mixed[:count], reversed(mixed[len(mixed) - count :]), strict=True))


class World:
    """A club with evenings of every kind."""

    def __init__(self) -> None:
        from bridgebuddy.clubs.models import Membership
        from bridgebuddy.events.services.play import rounds
        from bridgebuddy.events.services.play.changes import (
            ArrivingEntry,
            change_options,
            take_proposal,
        )
        from bridgebuddy.events.services.setup import entries, movement
        from movements.engine.changes import PairArrives
        from tests.factories import ClubFactory, director_of, section_with

        self.club = ClubFactory(name="Bridgeclub Lindenhof")
        self.user = director_of(self.club, email="anna@example.org")

        def evening(
            pairs, family=None, begun=0, boards_per_round=3, contest="pairs", club=None, **choice
        ):
            people = names(pairs) if contest == "pairs" else None
            section = section_with(
                0 if people else pairs, contest=contest, club=club or self.club, by=self.user
            )
            if people:
                entries.add_pairs(section, people, by=self.user)
            if family:
                section = movement.choose_movement(
                    section, family, boards_per_round=boards_per_round, by=self.user, **choice
                )
            for after in range(begun):
                section = rounds.start_next_round(section, after=after, by=self.user)
            section.refresh_from_db()
            return section

        self.empty = evening(0)
        self.planned = evening(27)
        self.seated = evening(26, "mitchell", boards_per_round=2)
        self.running = evening(26, "mitchell", begun=3, boards_per_round=2)
        self.half = evening(15, "skip-mitchell", begun=3)
        self.howell = evening(10, "howell", begun=2)
        self.teams = evening(8, "team-awl", begun=1, boards_per_round=4, contest="teams")
        self.teams_planned = evening(3, contest="teams")
        other = ClubFactory(name="Bridgeclub der langen Namen")
        Membership.objects.create(club=other, user=self.user, is_director=True)
        self.long = evening(15, "skip-mitchell", club=other)
        self.long_scored = evening(15, "skip-mitchell", begun=1, club=other)
        third = ClubFactory(name="Bridgeclub Hundert", numbers_in_hundreds=True)
        Membership.objects.create(club=third, user=self.user, is_director=True)
        self.hundreds = evening(15, "ns-rover", begun=3, club=third)
        for first, entry in zip(FIRST, self.long.entries.all()[:6], strict=False):
            for person, name in zip(entry.people.all(), LONG, strict=True):
                person.name = f"{first} {name}"
                person.save()
        self.late = evening(16, "skip-mitchell", begun=1)
        change = PairArrives()
        way = change_options(self.late, change)[0]
        take_proposal(
            self.late,
            way,
            change,
            plan=self.late.plan,
            by=self.user,
            newcomer=ArrivingEntry(names=("Eva Engel", "Max Reuter")),
        )
        self.finished = evening(8, "howell", begun=7)
        rounds.finish_session(self.finished, round=7, by=self.user)
        self.scored = evening(13, "mitchell", begun=7)
        self.alone = evening(12, "individual", begun=3, contest="individual")
        self.matches = evening(8, "swiss", begun=1, contest="teams")
        self.far = evening(40, "barometer", begun=2, boards_per_round=2)
        self.first = evening(9, "howell", begun=9)
        self.second = evening(9, "howell", begun=4)
        self.second.session.follows = self.first.session
        self.second.session.save()
        self.enter_results()

    def enter_results(self) -> None:
        """Enter results by chance, some adjusted, and publish them."""
        from bridgebuddy.scoring.services import classes, publishing, results, rulings
        from bridgebuddy.scoring.services.cards import deals

        contracts, rng = ("3NT", "4S", "2H", "5D", "1NT", "4Hx", "6C"), random.Random(1)
        adjusted = (
            {"artificial": {"ns": "AVE+", "ew": "AVE-"}},
            {"assigned": {"ns": [[60, 620], [40, -100]]}},
            {"passed": True},
        )
        evenings = (self.scored, self.alone, self.matches, self.far, self.long_scored)
        for section in (*evenings, self.first, self.second):
            plays = section.plays.exclude(ns=None).exclude(ew=None)
            entered = [
                results.EnteredResult(
                    play.pk,
                    {
                        "contract": rng.choice(contracts),
                        "declarer": rng.choice("NESW"),
                        "tricks": rng.randint(6, 11),
                        "lead": rng.choice("SHDC") + rng.choice("AKQT94"),
                    },
                )
                for play in plays
            ]
            results.enter_results(section, entered, by=self.user)
        for play, outcome in zip(self.scored.plays.filter(board__lt=4), adjusted, strict=False):
            results.enter_result(self.scored, play.pk, outcome, by=self.user)
        entry = self.scored.entries.first().pk
        fine = {"unit": "top", "amount": Decimal("-0.1"), "kind": "time", "reason": "late"}
        rulings.give_penalty(self.scored, entry, **fine, by=self.user)
        pbn = "N:AK83.QT4.AJ.9872 QT5.A2.T9876.KQ3 J94.K9873.Q52.A4 762.J65.K43.JT65"
        deals.store_deals(self.scored, dict.fromkeys(range(1, 20), pbn), by=self.user)
        groups = {
            entry.pk: {"stratum": 1 + entry.position % 3, "handicap": str(entry.position % 4)}
            for entry in self.scored.entries.all()
        }
        classes.store_classes(
            self.scored,
            strata=["A", "B", "C"],
            classes=groups,
            masterpoints="abf-session",
            by=self.user,
        )
        publishing.set_scoring_profile(self.second, {"sessions": "weighted"}, by=self.user)
        publishing.show_after_rounds(self.second, True, by=self.user)
        self.second_token = publishing.publish_results(self.second, by=self.user).token
        publishing.make_list_final(self.scored, by=self.user)
        self.token = publishing.publish_results(self.scored, by=self.user).token

    def print_in(self, language: str, paper: str = "a4") -> None:
        """Let all clubs have a language and a paper."""
        for club in (self.club, self.long.club, self.hundreds.club):
            club.language, club.paper = language, paper
            club.save()

    def pages(self) -> dict[str, str]:
        """The addresses of pages, by the names of their pictures."""
        half, running, planned = self.half.code, self.running.code, self.planned.code
        return {
            "home": "/",
            "club": f"/clubs/{self.club.pk}/",
            "players": f"/clubs/{self.club.pk}/players/",
            "new-session": "/sessions/new/",
            "edit-session": f"/s/{planned}/edit/",
            "copy-session": f"/s/{running}/copy/",
            "delete-session": f"/s/{running}/edit/?open=delete",
            "entries-empty": f"/s/{self.empty.code}/entries/",
            "entries-list": f"/s/{planned}/entries/",
            "entries-seats": f"/s/{self.seated.code}/entries/",
            "entries-running": f"/s/{half}/entries/",
            "entries-long": f"/s/{self.long.code}/entries/",
            "strengths": f"/s/{planned}/strengths/",
            "sections": f"/s/{planned}/sections/",
            "choose": f"/s/{planned}/movement/",
            "choose-open": f"/s/{planned}/movement/?open=scrambled-mitchell",
            "choose-compare": f"/s/{planned}/movement/?side-by-side=1&compare=skip-mitchell&compare=mitchell",
            "switches": f"/s/{self.seated.code}/movement/switches/",
            "desk-before": f"/s/{self.seated.code}/desk/",
            "desk": f"/s/{running}/desk/",
            "desk-half": f"/s/{half}/desk/",
            "desk-open": f"/s/{half}/desk/?open=2",
            "desk-late": f"/s/{self.late.code}/desk/",
            "desk-long": f"/s/{self.long.code}/desk/",
            "desk-hundreds": f"/s/{self.hundreds.code}/desk/",
            "entries-hundreds": f"/s/{self.hundreds.code}/entries/",
            "phone-hundreds": f"/p/{self.hundreds.code}/203/",
            "room-hundreds": f"/p/{self.hundreds.code}/room/",
            "desk-finished": f"/s/{self.finished.code}/desk/",
            "late-pair": f"/s/{half}/change/late/",
            "leaves": f"/s/{half}/change/leaves/?contestant=3",
            "places": f"/s/{half}/change/places/?round=4&one=9&other=10",
            "length": f"/s/{half}/change/length/?rounds=6",
            "break": f"/s/{half}/break/",
            "rounds": f"/s/{half}/rounds/",
            "history": f"/s/{self.late.code}/history/",
            "print": f"/s/{half}/print/",
            "print-late": f"/s/{self.late.code}/print/",
            "results": f"/s/{self.scored.code}/results/",
            "results-boards": f"/s/{self.scored.code}/results/boards/",
            "results-board": f"/s/{self.scored.code}/results/board/1/",
            "results-sheet": f"/s/{self.scored.code}/results/of/NS1/",
            "ranking": f"/s/{self.scored.code}/results/ranking/",
            "looking-back": f"/s/{self.scored.code}/results/ranking/?open=review",
            "deals": f"/s/{self.scored.code}/results/deals/",
            "classes": f"/s/{self.scored.code}/results/classes/",
            "terminals": f"/s/{self.scored.code}/results/terminals/",
            "i-play": f"/s/{running}/i-play/",
            "draw": f"/s/{self.matches.code}/results/draw/",
            "matches": f"/s/{self.matches.code}/results/matches/",
            "public": f"/r/{self.token}/",
            "public-sheet": f"/r/{self.token}/sheets/A/NS1/",
            "ranking-second": f"/s/{self.second.code}/results/ranking/",
            "results-sheet-second": f"/s/{self.second.code}/results/of/3/",
            "public-second": f"/r/{self.second_token}/",
            "public-sheet-second": f"/r/{self.second_token}/sheets/A/3/",
            "public-board": f"/r/{self.token}/boards/A/1/",
            "library": "/movements/",
            "movement": "/movements/skip-mitchell/8/",
            "movement-howell": "/movements/howell/7/",
            "import": "/movements/import/",
            "code": "/p/",
            "lookup": f"/p/{half}/",
            "phone": f"/p/{half}/NS3/",
            "phone-out": f"/p/{half}/EW7/",
            "phone-news": f"/p/{self.late.code}/NS1/",
            "phone-howell": f"/p/{self.howell.code}/4/",
            "room": f"/p/{running}/room/",
            "room-before": f"/p/{self.seated.code}/room/",
            "entries-teams": f"/s/{self.teams_planned.code}/entries/",
            "desk-teams": f"/s/{self.teams.code}/desk/",
            "phone-team": f"/p/{self.teams.code}/3/",
            "room-teams": f"/p/{self.teams.code}/room/",
            "room-half": f"/p/{half}/room/",
        }

    #: what is looked at by whoever is not signed in
    OPEN = {"welcome": "/", "sign-in": "/accounts/login/", "sign-up": "/accounts/signup/"}

    def sheets(self) -> Iterator[tuple[str, str]]:
        """Return the printed sheets of three evenings: a plain one, one with long names, one with one winner."""
        from bridgebuddy.printing.sheets import OF_RESULTS, SHEETS

        for name in SHEETS:
            plain = ("half", "long", "howell", "hundreds")
            scored = ("scored", "alone", "matches", "far", "long_scored", "second")
            for evening in scored if name in OF_RESULTS else plain:
                yield f"{name}-{evening}", f"/s/{getattr(self, evening).code}/print/{name}.pdf"


def take(page, address: str, path: Path, whole: bool = True) -> None:
    from .conftest import wait_for_fonts

    page.goto(address)
    wait_for_fonts(page)
    page.screenshot(path=path, full_page=whole)


def pages(world: World, context, folder: Path, asked) -> Iterator[str]:
    """Take pictures of the pages; yield the pages that can be scrolled sideways."""
    from .conftest import scrolls_sideways

    for language in asked.languages:
        for size in asked.sizes:
            for addresses, user in ((world.pages(), world.user), (world.OPEN, None)):
                page = context(size, LANGUAGES[language], user).new_page()
                for name, address in addresses.items():
                    if asked.takes(name):
                        path = folder / f"{name}-{language}-{size[0]}.png"
                        take(page, address, path, whole=not name.startswith("room"))
                        if scrolls_sideways(page):
                            yield path.name
                page.context.close()


def sheets(world: World, client, folder: Path, asked) -> None:
    for language in asked.languages:
        for paper in asked.papers:
            world.print_in(language, paper)
            for name, address in world.sheets():
                if not asked.takes(name):
                    continue
                answer = client.get(address)
                if answer.status_code == 200:
                    path = folder / f"sheet-{name}-{language}-{paper}.pdf"
                    path.write_bytes(b"".join(answer))
                    command = [
                        "pdftoppm",
                        "-r",
                        "60",
                        "-png",
                        "-l",
                        "3",
                        path,
                        path.with_suffix(""),
                    ]
                    subprocess.run(command, check=True)  # names of our own


def words(world: World, client, folder: Path, asked) -> None:
    """Write down the words of pages and sheets, to be read aloud."""
    from tests.test_german import words_of

    for language in asked.languages:
        world.print_in(language)
        sheets = ((f"sheet-{name}", address) for name, address in world.sheets())
        for name, address in (*world.pages().items(), *sheets):
            if asked.takes(name):
                page = address.replace(".pdf", ".html")
                answer = client.get(page, headers={"accept-language": language})
                if answer.status_code == 200:
                    said = "\n".join(words_of(answer))
                    (folder / f"{name}-{language}.txt").write_text(f"{said}\n")


class PictureOptions(argparse.Namespace):
    def takes(self, name: str) -> bool:
        return not self.only or any(name.startswith(item) for item in self.only)


def asked_for() -> PictureOptions:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[])
    parser.add_argument("--languages", type=lambda text: text.split(","), default=list(LANGUAGES))
    parser.add_argument("--papers", type=lambda text: text.split(","), default=list(PAPERS))
    parser.add_argument(
        "--sizes",
        type=lambda text: [size for size in SIZES if str(size[0]) in text.split(",")],
        default=list(SIZES),
        help="widths: 375,768,1024,1280",
    )
    parser.add_argument("--words", action="store_true", help="what they say, and no pictures")
    parser.add_argument("--no-sheets", action="store_true")
    parser.add_argument("--no-pages", action="store_true")
    asked = parser.parse_args(namespace=PictureOptions())
    return asked


def main() -> int:
    asked = asked_for()
    with tempfile.TemporaryDirectory() as var:
        os.environ["VAR_DIR"] = var
        os.environ["DATABASE_URL"] = f"sqlite:///{var}/pictures.sqlite3"
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        import django

        django.setup()
        return _take_all(asked)


def _take_all(asked: PictureOptions) -> int:
    from django.conf import settings
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.management import call_command
    from django.test import Client
    from django.test.testcases import LiveServerThread
    from playwright.sync_api import sync_playwright

    from movements.switches import choices

    from .conftest import CHROMIUM

    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    choices.TRIALS = 2_000  # a search that is over at once
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    call_command("compile_translations", verbosity=0)
    world = World()
    client = Client()
    client.force_login(world.user)
    server = LiveServerThread("localhost", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    address = f"http://localhost:{server.port}"
    too_wide: list[str] = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )

        def context(size, locale, user):
            opened = chromium.new_context(
                base_url=address, viewport={"width": size[0], "height": size[1]}, locale=locale
            )
            opened.set_default_timeout(60_000)
            if user:
                key = client.cookies["sessionid"].value
                opened.add_cookies([{"name": "sessionid", "value": key, "url": address}])
            return opened

        if asked.folder:
            asked.folder.mkdir(parents=True, exist_ok=True)
            if asked.words:
                words(world, client, asked.folder, asked)
            elif not asked.no_pages:
                too_wide = list(pages(world, context, asked.folder, asked))
            if not (asked.words or asked.no_sheets):
                sheets(world, client, asked.folder, asked)
        chromium.close()
    server.terminate()
    server.join()
    for name in too_wide:
        print(f"scrolls sideways: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
