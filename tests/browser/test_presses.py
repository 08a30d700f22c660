"""Presses that leave a page, straight at the server: a few of those that `tests/proofs/presses.py` counts."""

import pytest

from tests.proofs.presses import press, way_to_server

pytestmark = pytest.mark.browser


def test_no_press_ends_in_an_error_page(chromium, tmp_path):
    with way_to_server("direct", tmp_path) as (address, room):
        assert press(chromium, address, room, phones=4) == []
