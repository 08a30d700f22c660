"""The exact search in its own process, because it needs much memory and may have to be stopped.

It ends with its parent, however that ends, and gets no more memory than the settings allow.
"""

from __future__ import annotations

import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from .engine.changes import Proposal, Rebuild, proposals
from .engine.model import Movement

ROOT = Path(__file__).resolve().parent.parent
log = logging.getLogger(__name__)
LONGEST = 60
"""Seconds after which a search is stopped, with or without a result: its limit counts work, not time."""


def searched_proposals(
    movement: Movement, fixed_rounds: int, change: Rebuild, sizes: Mapping[str, int]
) -> list[Proposal]:
    """Return the proposals of an exhaustive search in a separate process; empty if it is stopped or fails."""
    asker, held = os.pipe()  # nothing is written: it closes when this process ends
    passed_on = () if sys.platform == "win32" else (asker,)
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "movements.search_process",
                str(asker),
                str(settings.SEARCH_MEMORY),
            ],
            input=pickle.dumps((movement, fixed_rounds, change, dict(sizes))),
            capture_output=True,
            timeout=LONGEST,
            cwd=ROOT,
            check=True,
            pass_fds=passed_on,
        )
    except subprocess.TimeoutExpired:
        return []
    except subprocess.CalledProcessError as broken:  # usually it ran out of memory
        log.error("The search failed (%s): %s", broken.returncode, broken.stderr[-2000:])
        return []
    finally:
        os.close(asker)
        os.close(held)
    return pickle.loads(done.stdout)  # type: ignore[no-any-return]  # our own process wrote it


def main() -> None:
    """Run the search process: read a change from standard input, and write the proposals to standard output."""
    asker, megabytes = map(int, sys.argv[1:])
    if sys.platform != "win32":  # a process cannot pass a pipe on there; the search ends by itself
        threading.Thread(target=_end_with_parent_process, args=[asker], daemon=True).start()
    _limit_memory(megabytes * 1024 * 1024)
    movement, fixed_rounds, change, sizes = pickle.load(sys.stdin.buffer)
    pickle.dump(proposals(movement, fixed_rounds, change, sizes), sys.stdout.buffer)


def _end_with_parent_process(asker: int) -> None:
    """End this process when the parent process `asker` has ended or closed its pipe."""
    os.read(asker, 1)
    os._exit(1)


def _limit_memory(memory: int) -> None:
    """Limit the memory of this process to `memory` bytes."""
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):  # the limit is lower, or the system has none
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    main()
