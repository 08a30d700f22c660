"""A short evening on tables' phones, and the director's pages, in other engines than the other tests' Chromium."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.factories import director_of, section_with
from tests.table_phones.tapping import with_phones

from .engines import launch
from .engines.desk import Desk, work_at_desk
from .engines.evening import StepEvening, play_evening
from .engines.page import DESKS, MISSING, PHONES, steps_on_page, write_steps
from .engines.phone import EnginePhone

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings(
        "ignore:setting remote_server_addr:DeprecationWarning"
    ),  # Selenium's own
]

ENGINES: dict[str, launch.Launch] = {
    "Chromium": launch.chromium_now,
    "Firefox ESR": launch.firefox,
    "WebKitGTK (Safari 26)": launch.webkit_gtk,
    "WPE WebKit (Safari 16)": launch.wpe_webkit,
    "Chromium 92": launch.chromium_92,
    "QtWebKit (Safari 10)": launch.qt_webkit,
}
#: engines that parse none of our scripts
WITHOUT_SCRIPTS = ["QtWebKit (Safari 10)"]


@contextmanager
def started(name: str, chromium, table: str) -> Iterator[launch.Opener]:
    """Start an engine. A missing one is a warning with its name; in CI an error, where it could be installed."""
    try:
        with ENGINES[name](chromium) as open_phone:
            yield open_phone
    except launch.EngineMissing as missing:
        if os.environ.get("CI") and missing.is_installable:
            pytest.fail(f"{name}: {missing}")
        if os.environ.get("WRITE_ENGINES"):
            write_steps(table, name, [], otherwise=MISSING)
        warnings.warn(f"not tested in {name}: {missing}", stacklevel=1)
        pytest.skip(f"{name}: {missing}")


def compare_with_page(table: str, name: str, done: list[str]) -> None:
    """Write the steps done onto the page where that is asked for, and fail where it says something else."""
    if os.environ.get("WRITE_ENGINES"):
        write_steps(table, name, done)
    assert steps_on_page(table, name) == done, "make engines writes docs/dev/engines.md anew"


def test_the_page_names_every_engine():
    assert list(ENGINES) == list(PHONES)


@pytest.mark.parametrize("name", ENGINES)
def test_tables_play_an_evening(name, chromium, wire):
    section = with_phones(section_with(6, "mitchell", round=1), asks_lead=True)
    user = director_of(section.club, email="anna@example.org")
    evening = StepEvening(section, wire, user, name not in WITHOUT_SCRIPTS)

    with started(name, chromium, "phones") as open_phone:
        for _ in range(PHONES[name]):
            evening.add_table(EnginePhone(open_phone()))
        done = list(play_evening(evening))

    compare_with_page("phones", name, done)


@pytest.mark.parametrize("name", DESKS)
def test_a_director_works_at_the_desk(name, chromium, section, director, wire):
    with started(name, chromium, "desk") as open_browser:
        desk = Desk(open_browser(), section, director, wire.trusted)
        done = list(work_at_desk(desk))

    compare_with_page("desk", name, done)
