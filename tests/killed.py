"""The program killed in the middle of a change."""

import asyncio
import gc
import os
import traceback
from collections.abc import Callable
from pathlib import Path

from django.db import connection, connections

from bridgebuddy.events.services import recording

OPEN_FILES = Path("/proc/self/fd")


def killed_in(change: Callable[[], object], monkeypatch) -> None:
    """Make a change in a process of its own that dies just before it is written down."""
    monkeypatch.setattr(recording, "add_record", lambda *_, **__: os._exit(9))
    close_all_there_are()
    assert open_files_of_the_database() == []
    child = os.fork()
    if child == 0:
        try:
            change()
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    monkeypatch.undo()
    assert os.waitstatus_to_exitcode(status) == 9


def close_all_there_are() -> None:
    """Close all open connections: a fork would close them a second time, which breaks the file."""
    connections.close_all()
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)  # a browser's, which has others in this thread
    connections.close_all()
    asyncio._set_running_loop(loop)
    gc.collect()  # those of threads that have ended


def open_files_of_the_database() -> list[str]:
    """The files of an embedded database that this process has open, where a system says so."""
    if connection.vendor != "sqlite" or not OPEN_FILES.exists():
        return []
    name = str(connection.settings_dict["NAME"])
    found = [os.readlink(path) for path in OPEN_FILES.iterdir() if path.exists()]
    return [item for item in found if item.startswith(name)]
