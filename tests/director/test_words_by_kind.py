"""The tables of words: nothing the engine proposes or a service records is without a sentence."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings

from bridgebuddy.director.changes import words
from bridgebuddy.director.desk.log import SENTENCES
from bridgebuddy.director.sentences import OTHERWISE, filled_sentence
from movements.engine.changes.proposal import Kind


def test_every_kind_of_proposal_has_words_and_no_other():
    assert words.WORDS_BY_KIND.keys() == set(get_args(Kind))


def recorded_actions():
    """Return the actions that the services record about a section and its results, read from their sources."""
    house = Path(settings.BASE_DIR) / "bridgebuddy"
    services = [house / app / "services" for app in ("events", "scoring", "table_phones")]
    words = (
        node.value
        for folder in (*services, house / "registration", house / "planning")
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {word for word in words if re.fullmatch(r"(section|results|tables)\.[a-z_]+", word)}


def test_every_recorded_action_has_a_sentence_and_no_other():
    told_by_kind = {"section.live_change"}

    assert SENTENCES.keys() == recorded_actions() - told_by_kind


def test_what_an_older_version_wrote_down_is_told_in_general():
    assert words.change_sentence("no-kind-any-more", {}) == "The movement was changed."


def test_the_first_fact_that_is_there_decides_what_is_said():
    sentence = {"back": "back", "names": "%(names)s came", OTHERWISE: "nobody"}

    assert [
        filled_sentence(sentence, facts)
        for facts in ({"names": "Eve", "back": True}, {"names": "Eve", "back": False}, {})
    ] == ["back", "Eve came", "nobody"]
    assert filled_sentence({"skip": "a skip"}, {"skip": 0}) == ""


@pytest.mark.parametrize("turn", ["undo", "redo"])
def test_what_was_taken_back_or_done_again_is_named_with_its_labels(turn):
    facts = {"kind": "as-played", "one": "NS 1", "other": "EW 2", "round": 3}

    beginning = {"undo": "Undone: ", "redo": "Redone: "}[turn]
    assert words.change_sentence(turn, facts) == (
        f"{beginning}NS 1 and EW 2 sat in each other’s place in round 3."
    )
