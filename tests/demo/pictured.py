"""Pictures of the README and of the first page: six pages of the demo club at a fixed time.

`make pictures` takes them (`tests/demo/pictures.py`). `tests/data/pictures.json` has the words of these pages, so a
test notices when the pages differ from the pictures.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

from django.test import Client

from bridgebuddy.clubs.models import User
from bridgebuddy.demo import season
from bridgebuddy.demo.people import WORDS
from bridgebuddy.events.models import Play, Section
from bridgebuddy.registration import registering
from bridgebuddy.scoring.models import Deal, ScoringSettings
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import secret_of
from tests.test_german import words_of

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "static" / "images"
KEPT = ROOT / "tests" / "data" / "pictures.json"
#: a Thursday evening
NOW = datetime(2026, 11, 26, 19, 40, tzinfo=UTC)
TABLE, BOARD = 4, 12
#: what a phone has tapped: four spades by South
TAPPED = "?level=4&strain=S&by=S"

#: numbers and times depend on the results that are invented; the words of a page do not
NUMBERS = re.compile(r"\d+")


@contextmanager
def fixed_time(seed: str) -> Iterator[None]:
    """Let it be one moment, and let codes be the same at every run.

    Another club needs another seed: caches know a session by its code.
    """
    chance = random.Random(seed)
    with (
        mock.patch("django.utils.timezone.now", return_value=NOW),
        mock.patch("secrets.choice", chance.choice),
    ):
        yield


@dataclass
class Pictured:
    """A demo club and the addresses of its pictures, within `fixed_time`."""

    language: str

    def __post_init__(self) -> None:
        self.user: User = season.make_demo_club("not needed", self.language)
        self.club = self.user.clubs.get()
        self.coming = Section.objects.get(round=0)
        registering.enter_registered_pairs(self.coming, by=self.user)
        self.tonight = Section.objects.get(round=season.ROUND, finished_at=None)
        self.played = Section.objects.filter(session__event__name=WORDS[self.language].tuesday)
        self.last = self.played.exclude(finished_at=None).latest("session__date")
        self.token = ScoringSettings.objects.get(session=self.last.session).token

    @property
    def key_of_table(self) -> str:
        """The address that a table's card has in its QR code."""
        secret = secret_of(self.tonight, TABLE, phone_settings_of(self.tonight))
        return f"/p/{self.tonight.code}/table/{TABLE}/key/{secret}/"

    @property
    def pad(self) -> str:
        """The address of the keys of the next board at that table."""
        plays = Play.objects.filter(section=self.tonight, round=season.ROUND, table=TABLE)
        play = plays.exclude(results__stands=True).earliest("pk")
        return f"/p/{self.tonight.code}/table/{TABLE}/board/{play.pk}/"

    @property
    def pair_of_phone(self) -> int:
        """The key of the pair that sits North-South at that table."""
        return (
            Play.objects.filter(section=self.tonight, round=season.ROUND, table=TABLE)
            .latest("pk")
            .ns_id
            or 0
        )

    @property
    def deal(self) -> Deal:
        """The deal of the pictured board."""
        return Deal.objects.get(session=self.last.session, board=BOARD)

    def addresses(self) -> dict[str, str]:
        """Return the address of every picture."""
        championship = self.club.championships.earliest("pk")
        return {
            "choose": f"/s/{self.coming.code}/movement/",
            "desk": f"/s/{self.tonight.code}/desk/",
            "phone": self.pad,
            "card": f"/s/{self.tonight.code}/print/guide-cards.html",
            "ranking": f"/r/{self.token}/",
            "board": f"/r/{self.token}/boards/A/{BOARD}/",
            "championship": f"/c/{championship.token}/",
        }

    def words(self) -> dict[str, list[str]]:
        """Return the words of each page, without numbers."""
        director, phone = Client(), Client()
        director.force_login(self.user)
        headers = {"accept-language": self.language}
        phone.get(self.key_of_table, headers=headers)
        who = f"/p/{self.tonight.code}/table/{TABLE}/who/"
        phone.post(who, {"who": self.pair_of_phone}, headers=headers)
        said = {}
        for name, address in self.addresses().items():
            client = phone if name == "phone" else director
            answer = client.get(address, headers=headers, follow=True)
            assert answer.status_code == 200, address
            said[name] = [NUMBERS.sub("0", word) for word in words_of(answer)]
        return said


def words_now(language: str) -> dict[str, list[str]]:
    """Return the present words of each picture, from a database without accounts: every word once, in order."""
    with fixed_time(language):
        said = Pictured(language).words()
    said["ranking"] += said.pop("board")
    return {
        f"{language}/{name}": sorted({word for text in words for word in text.split()})
        for name, words in said.items()
    }


def kept_words() -> dict[str, list[str]]:
    """Return the words that were written down when the pictures were taken."""
    return dict(json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.exists() else {}


def likeness(before: list[str], now: list[str]) -> float:
    """Return the share of all words that both lists have, from 0 to 1."""
    return len({*before} & {*now}) / max(1, len({*before} | {*now}))
