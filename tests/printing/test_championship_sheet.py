"""A championship's list for the wall is on the club's paper."""

import io

import pytest
from django.urls import reverse
from pypdf import PdfReader

from bridgebuddy.clubs.models import PaperSize
from bridgebuddy.seasons.models import Championship
from tests.factories import ClubFactory

pytestmark = pytest.mark.django_db
MM = 72 / 25.4


@pytest.mark.parametrize(
    ("paper", "size"), [(PaperSize.A4, (210.0, 297.0)), (PaperSize.LETTER, (215.9, 279.4))]
)
def test_the_list_is_on_the_clubs_paper(client, club, alice, paper, size):
    club.paper = paper
    club.save()
    one = Championship.objects.create(club=club, name="Tuesdays")
    client.force_login(alice)

    answer = client.get(reverse("print-championship", args=[club.pk, one.pk]))

    (page,) = PdfReader(io.BytesIO(answer.content)).pages
    box = page.mediabox
    assert (round(float(box.width) / MM, 1), round(float(box.height) / MM, 1)) == size
    assert "1 / 1" in page.extract_text()  # of several: which one


def test_another_clubs_championship_is_not_printed(client, club, alice):
    theirs = Championship.objects.create(club=ClubFactory(), name="Tuesdays")
    client.force_login(alice)

    answer = client.get(reverse("print-championship", args=[club.pk, theirs.pk]))

    assert answer.status_code == 404
