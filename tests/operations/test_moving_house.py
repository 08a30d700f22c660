"""A backup made while people play opens everything in another house: nothing else has to be brought along."""

import json
import os
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from bridgebuddy.events.services.play import rounds
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import secret_of
from tests.factories import section_with
from tests.security.servers import ROOT
from tests.table_phones.tapping import with_phones

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="a club's own box"),
]
#: what is asked in the new house: addresses, each with the cookies of who had them in the old one
ASK = """
import json, sys, django
django.setup()
from django.test import Client
for cookies, address in json.load(sys.stdin):
    browser = Client(SERVER_NAME="localhost")
    browser.cookies.load(cookies)
    print(browser.get(address).status_code)
"""


def manage(folder, *command, said=""):
    """Run a program in a house where there is nothing but the program itself."""
    environment = {"VAR_DIR": str(folder), "PATH": os.environ["PATH"]}
    environment["DJANGO_SETTINGS_MODULE"] = "bridgebuddy.settings"
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        input=said,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cookies_of(browser):
    return "; ".join(f"{name}={row.value}" for name, row in browser.cookies.items())


def test_last_weeks_cards_phones_and_sign_ins_are_valid_after_moving_house(
    club, alice, signed_in, settings, tmp_path
):
    settings.KEY_FILE = tmp_path / "secret-key"
    settings.KEY_FILE.write_text(settings.SECRET_KEY)
    section = with_phones(section_with(10, "mitchell", round=1, club=club, by=alice))
    key = secret_of(section, 1, phone_settings_of(section))
    card = reverse("table-join", args=[section.code, 1, key])
    phone, director = Client(), signed_in(alice)
    phone.get(card)
    table = reverse("table", args=[section.code, 1])
    asked = [
        ("", card),
        ("", card.replace(key, "a" * len(key))),
        (cookies_of(phone), table),
        ("", table),
        (cookies_of(director), reverse("desk", args=[section.code])),
        ("", reverse("desk", args=[section.code])),
    ]
    here = [
        Client(headers={"cookie": cookies}).get(address).status_code for cookies, address in asked
    ]
    assert here == [302, 403, 200, 403, 200, 302]
    call_command("backup", str(tmp_path / "backup"), stdout=StringIO())
    rounds.start_next_round(section, after=1, by=alice)  # people play on

    house = tmp_path / "house"
    house.mkdir()
    manage(house, "manage.py", "restore", str(tmp_path / "backup"), "--yes")

    assert manage(house, "-c", ASK, said=json.dumps(asked)).split() == [
        str(status_code) for status_code in here
    ]
