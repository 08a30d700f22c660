"""Documents for members: typed by the secretary, read on a member's home page and nowhere else."""

import pytest
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.models import Role
from bridgebuddy.publication.models import ClubPage
from tests.factories import member_of

pytestmark = pytest.mark.django_db
LINES = "Rules of the club: https://example.org/rules.pdf\n\n Dates until June   http://example.org/d?x=1&y=2 "


@pytest.fixture
def store(club, signed_in):
    browser = signed_in(member_of(club, Role.SECRETARY))

    def send(text):
        sent = {"address": "lindenhof", "is_on": "False", "documents": text}
        return browser.post(reverse("club-public", args=[club.pk]), sent)

    return send


def home_of(signed_in, club):
    address = reverse("member-home", args=[club.pk])
    return " ".join(signed_in(member_of(club)).get(address).content.decode().split())


def test_members_read_the_documents_although_the_page_is_off(club, signed_in, store):
    assert store(LINES).status_code == 302

    page = home_of(signed_in, club)

    assert '<a href="https://example.org/rules.pdf" target="_blank"' in page
    assert ">Rules of the club</a>" in page
    assert 'href="http://example.org/d?x=1&amp;y=2"' in page
    assert "example.org</span>" in page
    assert Client().get(reverse("member-home", args=[club.pk])).status_code == 302


def test_the_form_tells_where_documents_are_read(club, signed_in):
    browser = signed_in(member_of(club, Role.SECRETARY))

    page = browser.get(reverse("club-public", args=[club.pk])).content.decode()

    assert "Signed-in members find them on their first page; the club’s page has none." in page


def test_the_public_page_has_no_documents(club, store):
    store(LINES)
    ClubPage.objects.update(is_on=True)

    for address in ("/club/lindenhof/", "/api/v1/clubs/lindenhof/"):
        answer = Client().get(address)
        assert answer.status_code == 200
        assert "rules.pdf" not in answer.content.decode()


@pytest.mark.parametrize(
    "line",
    [
        "https://example.org/rules.pdf",
        "Rules example.org/rules.pdf",
        "Rules javascript:alert(1)",
        "Rules data:text/html,x",
        "Rules ftp://example.org/a",
        "Rules",
        f"{'x' * 61} https://example.org/",
    ],
)
def test_what_is_no_title_with_an_address_is_refused(club, store, line):
    assert store(line).status_code == 422
    assert not ClubPage.objects.exclude(documents="").exists()


@pytest.mark.parametrize(("length", "status"), [(60, 302), (61, 422)])
def test_a_title_that_is_too_long_is_named_as_such(store, length, status):
    answer = store(f"{'x' * length} https://example.org/")

    assert answer.status_code == status
    if status == 422:
        said = answer.content.decode()
        assert f"The title “{'x' * 61}” has more than 60 characters." in said
        assert "is not a title with a web address" not in said


def test_a_title_is_written_as_text(club, signed_in, store):
    store("<b>O'Brien</b> https://example.org/")

    assert "&lt;b&gt;O&#x27;Brien&lt;/b&gt;" in home_of(signed_in, club)


def test_there_is_room_for_twelve(club, store):
    lines = [f"List {number} https://example.org/{number}" for number in range(13)]

    assert store("\n".join(lines)).status_code == 422
    assert store("\n".join(lines[:12])).status_code == 302
    assert len(ClubPage.objects.get().documents.splitlines()) == 12
