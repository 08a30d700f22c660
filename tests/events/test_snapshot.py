"""Reads of a snapshot are of one moment and block no writer."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from bridgebuddy.clubs.models import Club
from bridgebuddy.events.queries.snapshot import read_snapshot
from tests.factories import ClubFactory
from tests.together import errors, together


def names():
    return list(Club.objects.order_by("name").values_list("name", flat=True))


def somebody_else_opens(name):
    assert errors(together(lambda: ClubFactory(name=name))) == []


@pytest.mark.django_db(transaction=True)
def test_what_others_commit_shows_after_the_snapshot():
    ClubFactory(name="A")

    with read_snapshot():
        before = names()
        somebody_else_opens("B")
        within = names()

    assert (before, within, names()) == (["A"], ["A"], ["A", "B"])


@pytest.mark.django_db(transaction=True)
def test_a_snapshot_begins_with_the_first_read():
    with read_snapshot():
        somebody_else_opens("A")

        assert names() == ["A"]


@pytest.mark.django_db(transaction=True)
def test_after_a_snapshot_transactions_lock_as_before():
    with read_snapshot():
        names()
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        transaction.atomic(),
    ):
        ClubFactory(name="A")

    assert names() == ["A"]
    begun = [query["sql"] for query in queries if query["sql"].startswith(("BEGIN", "SET"))]
    assert begun == (["BEGIN IMMEDIATE"] if connection.vendor == "sqlite" else ["BEGIN"])


@pytest.mark.django_db(transaction=True)
def test_an_error_ends_the_snapshot():
    with pytest.raises(Club.DoesNotExist), read_snapshot():
        Club.objects.get()

    ClubFactory(name="A")
    assert names() == ["A"]
    assert not connection.in_atomic_block


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor == 'sqlite'", reason="SQLite knows no such transactions")
def test_postgresql_refuses_to_write_in_a_snapshot():
    with pytest.raises(DatabaseError), read_snapshot():
        ClubFactory(name="A")

    assert names() == []


@pytest.mark.django_db
def test_within_a_transaction_a_snapshot_is_nothing():
    with CaptureQueriesContext(connection) as queries, read_snapshot():
        ClubFactory(name="A")

    kinds = {query["sql"].split()[0] for query in queries}
    is_postgresql = (
        connection.vendor == "postgresql"
    )  # it locks the club's sections first: there are none
    refreshing = {"SAVEPOINT", "SELECT", "RELEASE"} if is_postgresql else {"UPDATE"}
    assert kinds == {"INSERT"} | refreshing
    assert names() == ["A"]
