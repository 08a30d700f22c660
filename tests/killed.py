"""The program killed in the middle of a change."""

import os
import traceback
from collections.abc import Callable

from django.db import connections

from bridgebuddy.events.services import noting


def killed_in(change: Callable[[], object], monkeypatch) -> None:
    """Make a change in a process of its own that dies just before it is written down."""
    monkeypatch.setattr(noting, "record", lambda *_, **__: os._exit(9))
    connections.close_all()
    child = os.fork()
    if child == 0:
        try:
            # a browser's loop has connections of its own in this thread; here is none, so these are others
            connections.close_all()
            change()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    monkeypatch.undo()
    assert os.waitstatus_to_exitcode(status) == 9
