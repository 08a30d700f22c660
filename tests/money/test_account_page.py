"""The page of an account, and the treasurer who plays: own limit, own price, own balance."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Role
from bridgebuddy.money.queries.accounts import account_of, balance_of
from bridgebuddy.money.services.accounts import store_payment
from tests.factories import member_of

from .test_pages import money_address, words
from .test_payments import due_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(signed_in, alice):
    return signed_in(alice)


def account_address(club, person):
    return f"/clubs/{club.pk}/money/accounts/{person.pk}/"


def test_the_own_limit_and_price_of_a_person_are_stored_once(page, section, club, person):
    anna = person("Anna North1")
    address = account_address(club, anna)
    sent = {"do": "terms", "overdraft": "2.50", "price_class": "visitor"}

    pressed = [page.post(address, sent).status_code for _twice in range(2)]

    account = account_of(anna)
    assert pressed == [302, 302]
    assert (account.overdraft, account.price_class) == (250, "visitor")
    assert due_of(section, anna).price == 800
    assert AuditRecord.objects.filter(action="club.money_terms").count() == 1
    form = page.get(address, follow=True).content.decode()
    assert re.search(r'name="overdraft"[^>]+value="2.50"|value="2.50"[^>]+name="overdraft"', form)
    assert '<option value="visitor" selected>' in form

    page.post(address, {"do": "terms", "overdraft": "", "price_class": ""})
    account = account_of(anna)
    assert (account.overdraft, account.price_class) == (None, "")
    assert due_of(section, anna).price == 500


@pytest.mark.parametrize(
    "wrong", [{"overdraft": "-1"}, {"overdraft": "much"}, {"price_class": "king"}]
)
def test_a_limit_below_0_and_an_unknown_price_are_refused(page, section, club, person, wrong):
    sent = {"do": "terms", "overdraft": "1", "price_class": ""} | wrong

    answer = page.post(account_address(club, person("Anna North1")), sent)

    assert answer.status_code == 422
    assert account_of(person("Anna North1")) is None


@pytest.mark.parametrize(("limit", "balance"), [("", -1), ("0", 0), ("0.01", -1)])
def test_0_is_a_limit_of_its_own_and_an_empty_field_the_clubs(
    page, section, club, person, limit, balance
):
    anna = person("Anna North1")
    address = account_address(club, anna)

    page.post(address, {"do": "terms", "overdraft": limit, "price_class": ""})
    page.post(address, {"do": "pay-out", "amount": "0.01", "box": "cash", "key": "a"})

    assert balance_of(account_of(anna)) == balance


def test_a_treasurer_who_plays_reads_the_own_balance_and_no_page_of_directors(
    signed_in, section, club, alice, person
):
    anna, other = person("Anna North1"), person("Anna North2")
    treasurer = member_of(club, Role.TREASURER, email="anna@example.org")
    membership = club.memberships.get(user=treasurer)
    membership.person = anna
    membership.save()
    store_payment(anna, 4321, key="a", by=alice)
    store_payment(other, 1234, key="b", by=alice)
    page = signed_in(treasurer)

    home = page.get(reverse("member-home", args=[club.pk]))
    assert "€43.21" in words(home)
    assert "€12.34" not in words(home)
    for address in (
        *(money_address(section), money_address(section, "sheet/"), f"/clubs/{club.pk}/money/"),
        *(account_address(club, anna), account_address(club, other)),
    ):
        assert page.get(address, follow=True).status_code == 200, address
    for address in (
        *(reverse(name, args=[section.code]) for name in ("desk", "ranking", "who-comes")),
        *(reverse(name, args=[club.pk]) for name in ("club-public", "member-mails")),
    ):
        assert page.get(address).status_code == 404, address

    page.post(money_address(section), {"tick": f"{anna.pk}:account:0", "key": "k"})
    assert balance_of(account_of(anna)) == 4321 - 500
    assert "€38.21" in words(page.get(reverse("member-home", args=[club.pk])))
