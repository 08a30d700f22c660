"""Pages of a session's results: only the first one counts all results, and none shows outdated ones."""

import pickle
from fractions import Fraction
from random import Random
from threading import Barrier, Thread
from unittest.mock import patch

import pytest

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle import deletions
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_person
from bridgebuddy.operations import process_cache
from bridgebuddy.operations.caching import cached
from bridgebuddy.players.published_results import page_cache
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of
from tests.players.test_kept import (
    Process,
    number_otherwise,
    one_cache,
    one_second,
    rename,
    what_new_ones_show,
)
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
__all__ = ["one_cache", "one_second"]


def published():
    section = scored_section(8, "howell", rounds=3)
    return section, publishing.publish_results(section, by=director_of(section.club)).token


def pages_of(token):
    """Return lists, sheets and boards as the public reads them, and the same evening on its phones."""
    sheets = [f"/r/{token}/sheets/A/{label}/" for label in range(1, 9)]
    boards = [f"/r/{token}/boards/A/{board}/" for board in range(1, 4)]
    own = [f"{label}/results/" for label in range(1, 9)]
    found = f"/r/{token}/find/?name=a"
    return [
        f"/r/{token}/",
        f"/r/{token}/sheets/",
        f"/r/{token}/boards/",
        *sheets,
        *boards,
        *own,
        found,
    ]


def say_less(section, by):
    club = section.club
    club.public_names = {"full": "initials", "initials": "none", "none": "full"}[club.public_names]
    club.save()


def wish_for_less(section, by):
    person = Person.objects.filter(club=section.club, public_name="").order_by("pk").first()
    person.public_name = "none"
    person.save()


def forget(section, by):
    known = Person.objects.filter(club=section.club, anonymous_since=None)
    anonymise_person(known.order_by("pk").first(), by=by)


CHANGES = [rename, number_otherwise, say_less, wish_for_less, forget, say_less, rename, say_less]


def test_no_page_of_what_is_kept_shows_another_name_language_or_numbering_than_a_new_process():
    """Ask for pages in another order each time: each uses the caches that another has left."""
    section, token = published()
    by, dice, pages = director_of(section.club), Random(3), pages_of(token)
    processes = [Process("en"), Process("de")]
    for change in [None, *CHANGES]:
        section = Section.objects.get(pk=section.pk)
        if change:
            change(section, by)
        process = dice.choice(processes)
        asked = dice.sample(pages, 6)
        for language in dice.sample(["en", "de"], 2):  # one process reads to both
            process.phone.defaults["HTTP_ACCEPT_LANGUAGE"] = language
            assert process.shows(section, asked) == what_new_ones_show(language, section, asked), (
                change
            )


@pytest.mark.parametrize("take_away", ["take back", "delete"])
def test_what_is_taken_back_is_on_no_page_that_was_not_asked_for_before(take_away):
    section, token = published()
    by, process, pages = director_of(section.club), Process("en"), pages_of(token)
    before = process.shows(section, pages[:1])

    if take_away == "delete":
        deletions.delete_session(section, name=section.session.event.name, by=by)
    else:
        publishing.unpublish_results(section, by=by)

    after = process.shows(section, [page for page in pages if page.startswith("/r/")])
    assert before[0].startswith("200")
    assert {show[:3] for show in after} == {"404"}


def test_of_a_sessions_pages_only_the_first_reads_it(django_assert_max_num_queries):
    section, token = published()
    process, pages = Process("en"), pages_of(token)
    process.shows(section, pages[:1])

    with patch.object(page_cache, "SessionSnapshot", wraps=SessionSnapshot) as read:
        for page in pages:
            if page.startswith("/r/"):
                with django_assert_max_num_queries(5):
                    assert process.shows(section, [page])[0].startswith("200")

    read.assert_not_called()


def test_who_has_asked_under_another_name_reads_nothing_of_it():
    """Phones of the evening read whole names, and the public reads initials."""
    section, token = published()
    section.club.public_names = "initials"
    section.club.save()
    section = Section.objects.get(pk=section.pk)
    name = section.entries.first().people.first().name
    process = Process("en")

    [private] = process.shows(section, ["1/results/"])
    [public] = process.shows(section, [f"/r/{token}/sheets/A/1/"])

    assert name.split()[-1] in private
    assert name not in public


def test_what_was_counted_is_left_to_no_other_process():
    section, token = published()
    with patch("bridgebuddy.operations.process_cache.store_value") as left:
        Process("en").shows(section, [f"/r/{token}/"])

    assert [type(item.args[1]) for item in left.call_args_list] == [bytes]


def test_of_those_who_ask_at_once_one_works_it_out_and_the_others_wait():
    begun, counted = Barrier(4), []
    found = []

    def work_out():
        counted.append(1)
        return object()

    def ask():
        begun.wait()
        found.append(cached(("page", "of all"), "state", work_out))

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for item in threads:
        item.join()

    assert len(counted) == 1
    assert len(set(map(id, found))) == 1


def test_what_is_left_for_others_has_fractions_as_two_numbers():
    left = (Fraction(305, 6), {"total": Fraction(-1, 3)}, [Fraction(50)])

    written = process_cache._pickle_value(left)

    assert pickle.loads(written) == left
    assert b"305/6" not in written
