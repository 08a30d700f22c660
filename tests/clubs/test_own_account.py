"""Any account can be deleted, unless a club would be left without a director."""

import pytest
from django.urls import reverse

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.clubs.models import Club, Membership, User
from bridgebuddy.clubs.sign_in.account_deletion import delete
from tests.factories import director_of
from tests.markup import has_open_fold
from tests.together import together

pytestmark = pytest.mark.django_db
ADDRESS = "/account/delete/"


def test_an_account_is_deleted_by_whoever_knows_its_password(signed_in, bob, club):
    browser = signed_in(bob)
    record = AuditRecord.objects.create(action="x", subject="club", subject_id=club.pk, by=bob)
    assert "bob@example.org" in browser.get(ADDRESS, follow=True).content.decode()

    answer = browser.post(ADDRESS, {"password": "right horse battery"})

    assert answer.url == reverse("account_login")
    assert not User.objects.filter(pk=bob.pk).exists()
    record.refresh_from_db()
    assert record.by is None
    assert browser.get(reverse("new-club")).status_code == 302


@pytest.mark.parametrize("sent", [{}, {"password": ""}, {"password": "wrong"}])
def test_without_the_password_the_account_stays(signed_in, bob, sent):
    answer = signed_in(bob).post(ADDRESS, sent)

    assert answer.status_code == 422
    assert answer.templates[0].name == "clubs/account.html"
    assert has_open_fold(answer, "delete")
    assert User.objects.filter(pk=bob.pk).exists()


def test_the_only_director_of_a_club_stays(signed_in, alice, bob, club):
    browser = signed_in(alice)
    assert "Lindenhof Bridge Club" in browser.get(ADDRESS, follow=True).content.decode()

    answer = browser.post(ADDRESS, {"password": "right horse battery"})

    assert answer.status_code == 422
    assert User.objects.filter(pk=alice.pk).exists()
    Membership.objects.filter(user=bob).update(is_director=True)
    browser.post(ADDRESS, {"password": "right horse battery"})
    assert not User.objects.filter(pk=alice.pk).exists()


def test_strangers_sign_in_first(client):
    assert client.get(ADDRESS).status_code == 302
    assert client.post(ADDRESS).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_who_leave_at_once_one_stays():
    club = Club.objects.create(name="Two")
    both = [director_of(club), director_of(club)]

    gone = together(*(lambda user=user: delete(user) for user in both))

    assert sorted(gone) == [False, True]
    assert User.objects.count() == 1


@pytest.mark.parametrize("has_mail", [True, False])
def test_an_address_is_changed_where_it_can_be_proved(signed_in, bob, settings, has_mail):
    settings.HAS_MAIL = has_mail
    page = signed_in(bob).get(reverse("account")).content.decode()
    assert (f'href="{reverse("account_email")}"' in page) == has_mail
