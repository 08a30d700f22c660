"""Sheets to look into, and a log of WeasyPrint that must stay empty."""

import io
import json
import logging
from pathlib import Path

import pypdf
import pytest
from PIL import Image

from bridgebuddy.clubs.models import Club, Person, searchable
from bridgebuddy.events.models import Entry, EntryPerson, Section, SectionMovement
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.sessions.sections import section_by_code
from bridgebuddy.printing.context import PrintJob
from movements.engine.families.team_movements.drawn import swiss
from movements.engine.files import document
from movements.engine.model import Movement
from movements.services import store_movement
from tests.factories import SectionFactory

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
PHONES = "http://192.168.1.20:8000"


class Complaints(logging.Handler):
    """Collects WeasyPrint's complaints."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def weasyprint_log():
    """Fail a test whose sheets WeasyPrint complains about; a test that expects it clears the list."""
    complaints = Complaints()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(complaints)
    yield complaints.messages
    logger.removeHandler(complaints)
    assert complaints.messages == []


@pytest.fixture
def job():
    """Return the data from which sheets of a section are made."""

    def job_of(section: Section, paper: str = "a4") -> PrintJob:
        found = section_by_code(section.code)
        return PrintJob(SectionPlan.of(found), paper, PHONES)

    return job_of


@pytest.fixture
def pdf(signed_in):
    """Return the PDF a director gets from an address below /s/<code>/print/."""

    def pdf_of(user, section: Section, address: str) -> pypdf.PdfReader:
        response = signed_in(user).get(f"/s/{section.code}/print/{address}")
        assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
        return pypdf.PdfReader(io.BytesIO(response.content))

    return pdf_of


@pytest.fixture
def reference_section(club):
    """Return a section that plays a published movement, with all seats taken."""

    def section_of(name: str, boards_per_round: int = 2) -> Section:
        data = json.loads((REFERENCE / f"{name}.json").read_text(encoding="utf-8"))
        return section_playing(club, document.read_movement(data).movement, boards_per_round)

    return section_of


@pytest.fixture
def swiss_section(club):
    """Return a Swiss of 8 pairs with only its first round drawn."""
    return section_playing(club, swiss(4, 3, contest="pairs"), 4)


def section_playing(club: Club, movement: Movement, boards_per_round: int) -> Section:
    """Make a section that plays a movement, with all seats taken."""
    section = SectionFactory(
        session__event__club=club, contest=movement.contest, boards_per_round=boards_per_round
    )
    section.movement = store_movement(movement, boards_per_round=boards_per_round)
    section.save()
    SectionMovement.objects.create(section=section, movement=section.movement, version=1)
    for number in movement.contestants:
        entry = Entry.objects.create(section=section, position=number, contestant=number)
        for place in range(1, movement.contest.people + 1):
            name = f"Pat{place} Player{number}{place}"
            person, _ = Person.objects.get_or_create(
                club=club, search=searchable(name), defaults={"name": name}
            )
            EntryPerson.objects.create(entry=entry, section=section, person=person, position=place)
    return section


def picture(kind: str = "PNG", size: tuple[int, int] = (120, 60)) -> bytes:
    """Return the file of a picture."""
    out = io.BytesIO()
    Image.new("RGB", size, "#0f5a47").save(out, kind)
    return out.getvalue()


@pytest.fixture
def rows():
    """Return a grid as people read it: a list for every row, blocks side by side."""

    def rows_of(columns) -> list[tuple[str, ...]]:
        blocks = [block.rows for column in columns for block in column.blocks]
        return [tuple(row) for row in zip(*blocks, strict=True)]

    return rows_of
