"""Take the pictures of the README and of the first page anew: `make pictures`.

Six pictures of the demo club in each of its languages, in `static/images/LANGUAGE/`, and the words that they show.
It needs Chromium, and pdftoppm for the card. Look at them before you commit them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from .pictured import Pictured

#: a screen, a phone, and half of the picture that shows a list with a board
SCREEN, SMALL, HALF = (1280, 800), (375, 667), (860, 860)
GAP = 24
#: colours of a picture: text stays sharp, and a file has a quarter of its size
COLOURS = 96
DOTS = 90
#: the page of cards that has those of pairs that move
PAGE_OF_CARDS = 3


def keep(image: Image.Image, path: Path) -> None:
    """Store a picture as a small PNG file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def shot(page: Page, address: str) -> Image.Image:
    """Return a browser's picture of an address."""
    from tests.browser.conftest import wait_for_fonts

    answer = page.goto(address)
    assert answer
    assert answer.ok, address
    wait_for_fonts(page)
    return Image.open(BytesIO(page.screenshot()))


def side_by_side(left: Image.Image, right: Image.Image) -> Image.Image:
    """Return two pictures of one height in one."""
    both = Image.new("RGB", (left.width + GAP + right.width, left.height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + GAP, 0))
    return both


def cards(pdf: bytes) -> Image.Image:
    """Return two of four cards of a page of a PDF, without its white margins."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "card.pdf"
        path.write_bytes(pdf)
        command = ["pdftoppm", "-r", str(DOTS), "-png", "-singlefile", "-f", str(PAGE_OF_CARDS)]
        command += [str(path), str(path.with_suffix(""))]
        subprocess.run(command, check=True)
        page = Image.open(path.with_suffix(".png")).convert("RGB")
    page = page.crop((0, 0, page.width, page.height // 2 - 2))
    box = ImageChops.difference(page, Image.new("RGB", page.size, "white")).getbbox()
    return page.crop(box) if box else page


class Camera:
    """Takes the pictures of a demo club."""

    def __init__(self, pictured: Pictured, chromium: Browser, address: str, folder: Path) -> None:
        self.pictured, self.chromium, self.address, self.folder = (
            pictured,
            chromium,
            address,
            folder,
        )

    def context(self, size: tuple[int, int], *, signed_in: bool = False) -> BrowserContext:
        """Return a browser that has the pictures' time and language."""
        from django.test import Client

        from .pictured import NOW

        width, height = size
        opened = self.chromium.new_context(
            base_url=self.address,
            viewport={"width": width, "height": height},
            locale={"en": "en-GB", "de": "de-DE"}[self.pictured.language],
            timezone_id="Europe/Berlin",
        )
        opened.set_default_timeout(60_000)
        opened.clock.set_fixed_time(NOW)
        if signed_in:
            client = Client()
            client.force_login(self.pictured.user)
            key = client.cookies["sessionid"].value
            opened.add_cookies([{"name": "sessionid", "value": key, "url": self.address}])
        return opened

    def take(self) -> None:
        """Take all six."""
        from .pictured import TAPPED

        where = self.pictured.addresses()
        desk = self.context(SCREEN, signed_in=True).new_page()
        for name in ("choose", "desk"):
            keep(shot(desk, where[name]), self.folder / f"{name}.png")
        keep(cards(self._pdf()), self.folder / "card.png")
        phone = self.context(SMALL).new_page()
        phone.goto(self.pictured.key_of_table)
        with phone.expect_navigation():
            phone.locator(
                f"form:has([name=who][value='{self.pictured.pair_of_phone}']) button"
            ).click()
        keep(shot(phone, f"{where['phone']}{TAPPED}"), self.folder / "phone.png")
        reader = self.context(HALF).new_page()
        ranking, board = shot(reader, where["ranking"]), shot(reader, where["board"])
        keep(side_by_side(ranking, board), self.folder / "ranking.png")
        season = self.context(SCREEN).new_page()
        keep(shot(season, where["championship"]), self.folder / "championship.png")

    def _pdf(self) -> bytes:
        from django.test import Client

        client = Client()
        client.force_login(self.pictured.user)
        answer = client.get(self.pictured.addresses()["card"].replace(".html", ".pdf"))
        return b"".join(answer) if answer.streaming else answer.content


def solve(pictured: Pictured) -> None:
    """Work out the tricks of the pictured board, as the job does."""
    from bridgebuddy.deals.double_dummy import SolverProcess
    from bridgebuddy.deals.models import DoubleDummy

    with SolverProcess() as solver:
        pbn = pictured.deal.pbn
        DoubleDummy.objects.update_or_create(deal=pbn, defaults={"tricks": solver.solve(pbn)})


@contextmanager
def served() -> Iterator[str]:
    """Serve the product from this process and yield its address."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.test.testcases import LiveServerThread

    server = LiveServerThread("localhost", StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    try:
        yield f"http://localhost:{server.port}"
    finally:
        server.terminate()
        server.join()


def take(language: str) -> None:
    """Take the pictures of a language, in a process and a database of its own, with empty caches."""
    from django.core.management import call_command
    from playwright.sync_api import sync_playwright

    from bridgebuddy.demo import season
    from tests.browser.conftest import CHROMIUM

    from .pictured import IMAGES, Pictured, fixed_time

    call_command("createcachetable", verbosity=0)
    with sync_playwright() as playwright, served() as address, fixed_time(language):
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        pictured = Pictured(language)
        solve(pictured)
        season.play_season(str(pictured.club.pk))
        Camera(pictured, chromium, address, IMAGES / language).take()
        chromium.close()


def write_words(language: str) -> None:
    """Store the words of a language's pages."""
    from .pictured import KEPT, kept_words, words_now

    found = {**kept_words(), **words_now(language)}
    lines = [
        f"{json.dumps(name)}: {json.dumps(found[name], ensure_ascii=False)}"
        for name in sorted(found)
    ]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


WORK = {"take": take, "write-words": write_words}


def main(arguments: list[str]) -> None:
    """Do one piece of work in one language, or start a process for each."""
    if not arguments:
        for language in ("en", "de"):
            for work in WORK:
                subprocess.run(
                    [sys.executable, "-m", "tests.demo.pictures", work, language], check=True
                )
        return
    with tempfile.TemporaryDirectory() as var:
        os.environ |= {
            "VAR_DIR": var,
            "DATABASE_URL": f"sqlite:///{var}/pictures.sqlite3",
            "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
            "DJANGO_SETTINGS_MODULE": "bridgebuddy.settings",
            "PUBLIC_URL": "https://bridge.example.org",
        }
        import django
        from django.conf import settings
        from django.core.management import call_command

        django.setup()
        settings.ALLOWED_HOSTS = ["localhost", "testserver"]
        call_command("migrate", verbosity=0)
        call_command("compile_translations", verbosity=0)
        work, language = arguments
        WORK[work](language)


if __name__ == "__main__":
    main(sys.argv[1:])
