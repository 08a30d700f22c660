"""Tests and pages have room for their calls: asking for memory at each of them is a fifth of their time."""

import inspect

from bridgebuddy.operations.call_stack import SLOTS, call_with_large_stack


def test_a_test_is_called_with_room():
    assert call_with_large_stack.__code__ in {frame.frame.f_code for frame in inspect.stack(0)}


def test_what_is_called_is_called_as_ever():
    def deep(more):
        return 1 + deep(more - 1) if more else 0

    assert call_with_large_stack.__code__.co_stacksize == SLOTS
    assert call_with_large_stack(lambda: deep(300)) == 300
