"""Movements of a club's own."""

import re
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from bridgebuddy.clubs.models import Membership
from bridgebuddy.events.models import ClubMovement, Section
from movements.engine import catalogue, laws
from movements.engine.declarations import Exemption
from movements.engine.files.document import MovementDocument, write_csv, write_json
from movements.words.violations import violation_sentence
from tests.engine.broken import BROKEN
from tests.factories import ClubFactory, section_with
from tests.markup import words

pytestmark = pytest.mark.django_db


def wrong_cells(response):
    """Return the errors at the cells of the grid, by round and table."""
    page = response.content.decode()
    tables = [int(table) for table in re.findall(r"<th[^>]*>\s*Table (\d+)\s*</th>", page)]
    found = {}
    for row in re.findall(r"<tr.*?</tr>", page, re.S):
        if round := re.search(r'<th scope="row">\s*(\d+)\s*</th>', row):
            cells = re.findall(r"<td.*?</td>", row, re.S)
            for table, cell in zip(tables, cells, strict=False):
                if 'class="wrong"' in cell:
                    found[int(round[1]), table] = re.sub(r"\s+", " ", cell)
    return found


def send(browser, text="", name="Ours", file=None):
    answers = {"name": name, "text": text} | ({"file": file} if file else {})
    return browser.post(reverse("import-movement"), answers)


@pytest.fixture
def howell_text():
    return write_json(MovementDocument(catalogue.build_movement("howell", 4)))


def test_a_lawful_movement_is_kept_and_can_be_played(browser, club, alice, howell_text):
    send(browser, howell_text)

    own = ClubMovement.objects.get(club=club, name="Ours")
    section = section_with(8, club=club, by=alice)
    page = browser.get(reverse("choose-movement", args=[section.code]))
    assert "Ours" in words(page)
    browser.post(reverse("choose-movement", args=[section.code]), {"own": own.pk, "boards": 3})
    section = Section.objects.get(pk=section.pk)
    assert section.movement.movement == own.movement
    assert not section.entries.filter(contestant=None).exists()


def test_csv_is_read_too_and_from_a_file(browser, club):
    text = write_csv(catalogue.build_movement("mitchell", 5), is_complete=True)

    send(browser, file=SimpleUploadedFile("ours.csv", text.encode()))

    assert ClubMovement.objects.get(club=club).movement.tables == 5


def test_a_broken_movement_is_shown_with_its_faults_and_not_kept(browser, howell_text):
    broken = howell_text.replace(
        '"round": 2, "table": 1, "ns": "8"', '"round": 2, "table": 1, "ns": "7"'
    )

    answer = send(browser, broken)

    assert answer.status_code == 422
    assert "breaks rules and was not saved" in words(answer)
    assert "Round 2, table 1: somebody sits at two tables at once (7; tables 1, 4)." in words(
        answer
    )
    assert "wrong" in answer.content.decode()
    assert not ClubMovement.objects.exists()


@pytest.mark.parametrize("law", [law for law in laws.LAWS if law != "unequal-plays"])
def test_whatever_law_a_file_breaks_is_told_on_its_page_and_at_its_cell(browser, law):
    broken = laws.find_errors(BROKEN[law])
    assert law in {violation.law for violation in broken}

    answer = send(browser, write_json(MovementDocument(BROKEN[law])))

    assert answer.status_code == 422
    assert not ClubMovement.objects.exists()
    cells = wrong_cells(answer)
    for violation in broken:
        sentence = violation_sentence(BROKEN[law], violation)
        assert sentence in words(answer)
        for table in violation.tables or (violation.table,):
            if violation.round and table:
                assert sentence in cells[violation.round, table]


def test_a_file_cannot_declare_that_somebody_never_plays(browser):
    broken = BROKEN["field"]
    idle = next(
        violation.contestants for violation in laws.find_errors(broken) if violation.law == "field"
    )
    declared = replace(broken, exemptions=(Exemption("field", 0, "so it is", tuple(idle)),))

    answer = send(browser, write_json(MovementDocument(declared)))

    assert answer.status_code == 422
    assert not ClubMovement.objects.exists()


def test_a_movement_that_is_only_warned_of_is_kept(browser):
    uneven = BROKEN["unequal-plays"]
    assert [violation.law for violation in laws.find_violations(uneven)] == ["unequal-plays"]

    send(browser, write_json(MovementDocument(uneven)))

    assert ClubMovement.objects.get().movement == uneven


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Paste a movement, or choose a file."),
        ("hello", "This cannot be read. Row 1: the column “round” is missing."),
        ("{", "This cannot be read. The file: this is no JSON (line 1, column 2)."),
        ('{"family": 1}', "This cannot be read. The file: the key “contest” is missing."),
        ("[" * 5000, "This cannot be read. The file: this is no JSON (line 1, column 1)."),
        ("x" * 600_000, "at most 500000 characters"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(browser, text, sentence):
    answer = send(browser, text)

    assert answer.status_code == 422
    assert sentence in words(answer)
    assert not ClubMovement.objects.exists()


def test_html_in_a_name_is_text(browser, howell_text):
    send(browser, howell_text, name="<script>alert(1)</script>")

    page = browser.get(reverse("import-movement")).content.decode()
    assert "<script>alert" not in page


def test_own_movements_are_their_clubs_only(browser, carol, signed_in, client, howell_text):
    send(browser, howell_text)
    own = ClubMovement.objects.get()
    address = reverse("own-movement", args=[own.pk])

    assert browser.get(address, follow=True).status_code == 200
    assert signed_in(carol).get(address).status_code == 404
    fold = reverse("import-movement") + f"?open=own&own={own.pk}"
    assert signed_in(carol).get(fold).status_code == 404
    assert client.get(address).status_code == 302
    theirs = section_with(8, club=carol.clubs.get(), by=carol)
    answer = signed_in(carol).post(
        reverse("choose-movement", args=[theirs.code]), {"own": own.pk, "boards": 3}
    )
    assert answer.status_code == 422
    assert Section.objects.get(pk=theirs.pk).movement is None


@pytest.mark.parametrize("boards", ["", "0", "99", "x"])
def test_nonsense_boards_are_refused(browser, club, alice, howell_text, boards):
    send(browser, howell_text)
    section = section_with(8, club=club, by=alice)

    answer = browser.post(
        reverse("choose-movement", args=[section.code]),
        {"own": ClubMovement.objects.get().pk, "boards": boards},
    )

    assert answer.status_code == 422


def test_a_movement_of_the_second_club_stays_there(browser, alice, howell_text):
    other = ClubFactory(name="Other club")
    Membership.objects.create(club=other, user=alice, is_director=True)
    address = reverse("import-movement")

    page = browser.post(
        address, {"name": "Theirs", "text": howell_text, "club": other.pk}, follow=True
    )
    own = ClubMovement.objects.get()
    former = browser.get(reverse("own-movement", args=[own.pk]), follow=True)

    assert own.club == other
    for shown in (page, former):
        assert shown.context["club"] == other
        assert list(shown.context["own"]) == [own]
        assert f"own={own.pk}&amp;club={other.pk}#own" in shown.content.decode()
