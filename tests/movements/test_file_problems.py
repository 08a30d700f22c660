"""Errors in a movement's file, in the reader's language."""

import re

import pytest
from django.utils import translation

from movements.engine.errors import FILE_PROBLEMS, BadMovementFile
from movements.engine.files.document import read_csv, read_json
from movements.words.file_problems import PROBLEMS, file_problem


def test_every_problem_has_a_sentence_that_names_the_same_facts():
    def facts(sentence):
        return sorted(re.findall(r"%\((\w+)\)s", str(sentence)))

    with translation.override("de"):
        german = {key: facts(sentence) for key, sentence in PROBLEMS.items()}

    assert german == {key: facts(sentence) for key, sentence in FILE_PROBLEMS.items()}


@pytest.mark.parametrize(
    ("read", "text", "english", "german"),
    [
        (
            read_json,
            '{"family": ',
            "The file: this is no JSON (line 1, column 12).",
            "Die Datei: das ist kein JSON (Zeile 1, Zeichen 12).",
        ),
        (
            read_json,
            '{"rows": [], "rows": []}',
            "The file: the key 'rows' is there twice.",
            "Die Datei: der Schlüssel 'rows' steht zweimal da.",
        ),
        (
            read_csv,
            "round,table,ns,ew,boards\n1,1,1,1,A\n1,two,2,2,B\n",
            "Row 3, column “table”: 'two' is no number up to 999.",
            "Zeile 3, Spalte „table“: 'two' ist keine Zahl bis 999.",
        ),
        (
            read_json,
            '{"family": "x", "contest": "chess", "tables": 1, "rounds": 1, "field": {"pairs": ["1"]},'
            ' "boards": [], "rows": []}',
            "“contest”: this should be pairs, individual or teams.",
            "„contest“: hier sollte pairs, individual oder teams stehen.",
        ),
    ],
)
def test_a_problem_is_told_with_its_place(read, text, english, german):
    with pytest.raises(BadMovementFile) as caught:
        read(text)

    assert file_problem(caught.value) == english
    with translation.override("de"):
        assert file_problem(caught.value) == german
