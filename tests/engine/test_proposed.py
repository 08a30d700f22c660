"""Proposals in evenings of all kinds match the stored page, to the last seat."""

import pytest

from .proposed import PAGE, evenings, told

WRITTEN = {
    f"== {part}".partition("\n")[0].removeprefix("== "): f"== {part}".rstrip("\n") + "\n"
    for part in PAGE.read_text(encoding="utf-8").split("== ")[1:]
}


@pytest.mark.parametrize("evening", evenings())
def test_what_is_proposed_is_what_the_page_says(evening):
    assert told(evening) == WRITTEN[evening], "run python -m tests.engine.proposed and read it"
