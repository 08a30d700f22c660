"""A short evening on a table's phone in other engines than today's Chromium."""

import os
import warnings

import pytest

from tests.factories import director_of
from tests.table_phones.tapping import with_phones

from .engines import launch
from .engines.evening import Evening, play_evening
from .engines.page import COLUMNS, steps_on_page, write_steps
from .engines.phone import EnginePhone

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENGINES = {
    "Chromium 92": launch.chromium_92,
    "WPE WebKit (Safari 16)": launch.wpe_webkit,
    "WebKitGTK (Safari 26)": launch.webkit_gtk,
    "Firefox ESR": launch.firefox,
    "QtWebKit (Safari 10)": launch.qt_webkit,
}
#: engines that parse none of our scripts
WITHOUT_SCRIPTS = ["QtWebKit (Safari 10)"]


def test_the_page_names_every_engine():
    assert list(ENGINES) == COLUMNS


@pytest.mark.skipif(not os.environ.get("TEST_ENGINES"), reason="`make engines` runs these")
@pytest.mark.parametrize("name", ENGINES)
def test_an_evening_in_another_engine(name, chromium, section, wire):
    """A missing engine is an error in CI, and a warning with its name elsewhere."""
    with_phones(section, asks_lead=True)
    has_scripts = name not in WITHOUT_SCRIPTS
    try:
        with ENGINES[name](chromium) as engine:
            user = director_of(section.club, email="anna@example.org")
            evening = Evening(EnginePhone(engine), section, wire, user, has_scripts)
            done = list(play_evening(evening))
    except launch.EngineMissing as missing:
        if os.environ.get("CI"):
            pytest.fail(f"{name}: {missing}")
        warnings.warn(f"not tested in {name}: {missing}", stacklevel=1)
        pytest.skip(f"{name}: {missing}")
    if os.environ.get("WRITE_ENGINES"):
        write_steps(name, done)
    assert steps_on_page(name) == done, "make engines writes docs/dev/engines.md anew"
