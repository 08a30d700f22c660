"""The process of the exact search: it ends with the server, and its memory has a limit."""

import fcntl
import subprocess
import sys
import time

import pytest

from movements import search_process

#: a question whose reading runs a program in the process of the search
ASKING = """
class Question:
    def __reduce__(self):
        return exec, (PROGRAM,)
"""
#: says that it has begun by holding a lock, and searches for ever
SEARCHING = """
import fcntl, pathlib, time
held = open("{lock}", "w")
fcntl.flock(held, fcntl.LOCK_EX)
pathlib.Path("{begun}").touch()
time.sleep(300)
"""
SERVER = """
import django
django.setup()
from movements import search_process
search_process.LONGEST = 600
search_process.searched_proposals(Question(), 0, None, {})
"""
PATIENCE = 250  # seconds until a test gives up


@pytest.fixture
def question():
    """Return the input that makes a question of a program."""

    def asked(program: str) -> object:
        made = {"PROGRAM": program}
        exec(ASKING, made)
        return made["Question"]()

    return asked


def wait_until(is_so) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


def is_free(lock) -> bool:
    """Return whether no process holds the lock on a file."""
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_a_search_ends_with_the_server_that_is_killed(tmp_path):
    lock, begun = tmp_path / "lock", tmp_path / "begun"
    program = SEARCHING.format(lock=lock, begun=begun)
    server = subprocess.Popen([sys.executable, "-c", f"PROGRAM = {program!r}\n{ASKING}{SERVER}"])
    wait_until(begun.exists)
    assert not is_free(lock)

    server.kill()
    server.wait()

    wait_until(lambda: is_free(lock))


def test_a_search_that_wants_too_much_memory_finds_nothing(question, settings, caplog):
    settings.SEARCH_MEMORY = 300

    found = search_process.searched_proposals(question("bytearray(400 * 1024 * 1024)"), 0, None, {})

    assert found == []
    assert "MemoryError" in caplog.text


def test_a_search_may_take_what_the_settings_allow(question, settings, caplog):
    settings.SEARCH_MEMORY = 300

    search_process.searched_proposals(question("bytearray(100 * 1024 * 1024)"), 0, None, {})

    assert "MemoryError" not in caplog.text
    assert "AttributeError" in caplog.text  # what was read is no movement
