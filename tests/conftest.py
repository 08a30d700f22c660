"""Fixtures of all tests: alice directs a club, bob plays in it, carol directs another."""

import gc
from math import inf

import pytest
from _pytest import runner
from django.conf import settings as django_settings
from django.contrib.auth.hashers import get_hashers, get_hashers_by_algorithm
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, TransactionTestCase
from django.utils import timezone, translation

from bridgebuddy.clubs.models import Membership
from bridgebuddy.operations import process_cache
from bridgebuddy.operations.call_stack import call_with_large_stack
from bridgebuddy.players.api.cross_origin import requests_of_networks
from bridgebuddy.web.static_files import StaticFiles

from . import emptied, prepared, template_names
from .factories import ClubFactory, PersonFactory, UserFactory, director_of, section_with
from .remembered import EVENINGS
from .worked_out import WORKED_OUT

#: a program, with a library that no test needs
collect_ignore = ["data/bws/make.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run only tests that use the database: the rest is the same everywhere, and runs on SQLite."""
    if "postgresql" not in django_settings.DATABASES["default"]["ENGINE"]:
        return
    without = [item for item in items if not touches_the_database(item)]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if touches_the_database(item)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as ever, with room for its calls."""
    return call_with_large_stack(lambda: runner.pytest_runtest_protocol(item, nextitem))


def pytest_configure() -> None:
    """Let a template that asks for an unknown name fail its test."""
    template_names.ask_for_known_names()


def pytest_collection_finish() -> None:
    """Collect garbage rarely: ten thousand tests and their modules stay to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def touches_the_database(item: pytest.Item) -> bool:
    """Return whether a test uses a database: by its mark, through its fixtures, or by starting processes."""
    asked = {"db", "transactional_db", "tmp_path", "tmpdir"} & set(
        getattr(item, "fixturenames", ())
    )
    return bool(asked) or item.get_closest_marker("django_db") is not None


@pytest.fixture(scope="session")
def own_database_file(request, django_db_modify_db_settings):
    """Return this process's copy of the migrated database; None if a run has brought its own."""
    own = None if request.config.option.reuse_db else prepared.own_file()
    yield own
    if own is not None:
        prepared.forget(own)


@pytest.fixture(scope="session")
def django_db_keepdb(request, own_database_file):
    return own_database_file is not None or request.config.option.reuse_db


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, own_database_file, django_db_blocker):
    """Keep a newly migrated database for later runs, and results of the engine for later tests."""
    if own_database_file is not None:
        with django_db_blocker.unblock():
            prepared.keep(own_database_file)
    with pytest.MonkeyPatch.context() as patch:
        WORKED_OUT.install(patch)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_translations():
    """A fresh checkout has the catalogues' sources alone."""
    call_command("compile_translations")


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once():
    """Every test client puts its middleware together anew, which looks at each static file: as long as a page takes."""
    listed = StaticFiles(lambda request: HttpResponse()).files
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFiles, "add_files_from_finders", lambda self: self.files.update(listed))
        yield


@pytest.fixture(scope="session", autouse=True)
def rows_alone_emptied():
    """After a test that commits, a hundred tables are not all emptied: those go that have rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied.empty_after)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_shared():
    """Clear the cache that processes share: tests are one process, except for the few about several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_cache, "_away_until", inf)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_passwords():
    """Hashing passwords slowly is Django's business, and half the time of tests that do it."""
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    get_hashers.cache_clear()
    get_hashers_by_algorithm.cache_clear()


@pytest.fixture(autouse=True)
def names_counted_anew():
    """Name people independently of the people made before."""
    for factory in (UserFactory, ClubFactory, PersonFactory):
        factory.reset_sequence()


@pytest.fixture(autouse=True)
def no_requests_counted():
    """Forget how often the JSON was asked for in other tests."""
    requests_of_networks.clear()


@pytest.fixture(autouse=True)
def language_and_clock_of_nobody():
    """Reset language and clock, whichever page was asked before."""
    translation.deactivate()
    timezone.deactivate()


@pytest.fixture(autouse=True)
def evenings_made_before(request, monkeypatch):
    """An evening like one that was made before is not made again."""
    asked = "settings" in request.fixturenames
    settings = request.getfixturevalue("settings") if asked else None
    with EVENINGS.remembering(monkeypatch, settings), WORKED_OUT.remembering(monkeypatch):
        yield


@pytest.fixture
def club(db):
    return ClubFactory(name="Lindenhof Bridge Club")


@pytest.fixture
def alice(club):
    """Directs the club."""
    return director_of(club, email="alice@example.org")


@pytest.fixture
def bob(club):
    """Is a member of the club, not a director."""
    user = UserFactory(email="bob@example.org")
    Membership.objects.create(club=club, user=user)
    return user


@pytest.fixture
def carol(db):
    """Directs another club."""
    return director_of(ClubFactory(name="Elsewhere"), email="carol@example.org")


@pytest.fixture
def signed_in():
    """Return a browser in which a user is signed in."""

    def browser(user) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return browser


@pytest.fixture
def skip_section(club, alice):
    """An evening of 16 pairs, Skip Mitchell, 7 rounds of 3, round 4 being played."""
    return section_with(16, "skip-mitchell", round=4, club=club, by=alice)


@pytest.fixture
def two_languages(settings):
    """Offer German beside English, whether its catalogue is there or not."""
    settings.LANGUAGES = [("en", "English"), ("de", "German")]
