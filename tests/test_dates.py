"""Dates are written one way: "Tue 24 Nov", with the year where it may be another one."""

import re
from datetime import date
from pathlib import Path

from bridgebuddy.director.refusals import change_refused
from bridgebuddy.events import errors

ROOT = Path(__file__).parents[1]
#: a date in whatever form a language happens to have
BARE = re.compile(r"\|date\s*[}%]|date_format\([^,]*\)$", re.M)

#: the day of the server, or of a page that is in the time zone of its club
SERVER_DAY = re.compile(r"\blocaldate\(\)|\bdate\.today\(\)|\bdatetime\.(?:now|today)\(\)")
#: modules other than pages that ask for it, and how often
ASK_SERVER_DAY = {
    "events/management/commands/night.py": 1,  # the name of a backup
    "registration/registrations.py": 1,  # with a day more on both sides
    "registration/reminders.py": 1,  # sessions of the next days
}


def test_no_page_writes_a_date_in_a_form_of_its_own():
    written = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "bridgebuddy").rglob("*.py")]

    assert len(written) > 500
    assert [path.name for path in written if BARE.search(path.read_text())] == []


def test_a_refusal_says_the_day_with_its_year():
    refused = errors.BothPlayed(name="Ann", other="Bob", date=date(2024, 3, 12))

    assert change_refused(refused) == (
        "Ann and Bob both played on Tue 12 Mar 2024: they are two people."
    )


def test_no_service_takes_the_day_of_the_server_for_that_of_a_club():
    package = ROOT / "bridgebuddy"
    counts = {
        str(path.relative_to(package)): len(SERVER_DAY.findall(path.read_text()))
        for path in package.rglob("*.py")
        if path.relative_to(package).parts[0] != "director"
    }

    assert {name: count for name, count in counts.items() if count} == ASK_SERVER_DAY
