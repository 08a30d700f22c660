"""The ranking on paper."""

import pytest

from bridgebuddy.scoring.services.classes import classify
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("pairs", "family", "contest", "pages"),
    [
        (14, "mitchell", "pairs", 1),
        (8, "howell", "pairs", 1),
        (12, "individual", "individual", 1),
        (8, "swiss", "teams", 2),  # the pairs have a page of their own
        (80, "mitchell", "pairs", 2),
    ],
)
def test_everybody_stands_on_the_ranking_once(pdf, client, paper, pairs, family, contest, pages):
    kwargs = {"rounds": 1, "contest": contest}
    if pairs == 80:
        family = "skip-mitchell"
    section = scored_section(pairs, family, **kwargs)
    club = section.club
    club.paper = paper
    club.save()
    found = pdf(director_of(club), section, "ranking.pdf")
    assert len(found.pages) == pages
    text = " ".join(page.extract_text() for page in found.pages)
    for entry in section.entries.all():
        name = entry.team_name if contest == "teams" else entry.players[0].surname
        assert name in text


def test_there_is_no_ranking_before_the_first_result(client, alice, club, signed_in):
    section = section_with(8, "howell", round=1, club=club, by=alice)
    answer = signed_in(alice).get(f"/s/{section.code}/print/ranking.pdf")
    assert answer.status_code == 422


def test_the_place_in_each_stratum_stands_on_the_ranking(pdf):
    section = scored_section(8, "howell")
    classes = {
        entry.pk: {"stratum": 1 + (place >= 4)}
        for place, entry in enumerate(section.entries.order_by("pk"))
    }
    classify(section, strata=["Open", "Novice"], classes=classes, by=None)
    found = pdf(director_of(section.club), section, "ranking.pdf")
    assert len(found.pages) == 1
    text = found.pages[0].extract_text()
    assert "Open" in text
    assert "Novice" in text
