"""Rows left by a test that commits are deleted."""

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.test import TransactionTestCase

from bridgebuddy.clubs.models import Membership

from . import emptied
from .factories import section_with

pytestmark = pytest.mark.django_db(transaction=True)


def rows():
    """Return the number of rows of each model with any."""
    counted = {model._meta.db_table: model.objects.count() for model in apps.get_models()}
    return {table: count for table, count in counted.items() if count}


def test_all_goes_but_what_migrating_writes(alice, signed_in):
    before = ContentType.objects.count()
    section_with(6, "mitchell", round=2, club=Membership.objects.get().club, by=alice)
    signed_in(alice)
    assert len(rows()) > 10

    emptied.empty()

    assert set(rows()) == emptied.KEPT
    assert ContentType.objects.count() == before == len(apps.get_models())


def test_it_is_done_after_each_such_test():
    assert TransactionTestCase._fixture_teardown is emptied.empty_after
    assert set(rows()) == emptied.KEPT
