"""Every printed movement: read into the engine's values, checked, written back; and generated."""

import json
from pathlib import Path

import pytest

from movements.engine import catalogue, laws
from movements.engine.files import document

REFERENCE = Path(__file__).parent.parent / "data" / "reference"
FILES = sorted(REFERENCE.glob("*.json"))


def load(name):
    return json.loads((REFERENCE / name).read_text(encoding="utf-8"))


def test_there_are_as_many_reference_files_as_were_handed_over():
    assert len(FILES) == 46


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reference_file_is_read_checked_and_written_back_unchanged(path):
    data = json.loads(path.read_text(encoding="utf-8"))

    read = document.read_movement(data)

    assert laws.find_violations(read.movement) == ()
    assert document.movement_dict(read) == data
    assert json.loads(document.write_json(read)) == data


@pytest.mark.parametrize(
    ("name", "family", "options"),
    [
        ("mitchell-5x5.wikipedia.json", "mitchell", {}),
        ("mitchell-5x5.bridgebuddy.json", "mitchell", {}),
        ("skip-mitchell-10x9.wikipedia.json", "skip-mitchell", {}),
    ],
)
def test_generator_gives_the_printed_table(name, family, options):
    printed = document.read_movement(load(name)).movement

    built = catalogue.build_movement(family, printed.tables, printed.rounds, options=options)

    assert built == printed
