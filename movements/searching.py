"""The exact search in a process of its own: it needs much memory, and may have to be stopped."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from .engine.changes import Proposal, Rebuild, proposals
from .engine.model import Movement

ROOT = Path(__file__).resolve().parent.parent
log = logging.getLogger(__name__)
LONGEST = 60
"""Seconds after which a search is stopped, whatever it has found: its limit counts work, not time."""


def searched(
    movement: Movement, fixed: int, change: Rebuild, sizes: Mapping[str, int]
) -> list[Proposal]:
    """Return what the exact search proposes; nothing where it has to be stopped, or breaks down."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "movements.searching"],
            input=pickle.dumps((movement, fixed, change, dict(sizes))),
            capture_output=True,
            timeout=LONGEST,
            cwd=ROOT,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return []
    except subprocess.CalledProcessError as broken:  # it had no memory left, as a rule
        log.error("The search failed (%s): %s", broken.returncode, broken.stderr[-2000:])
        return []
    return pickle.loads(done.stdout)  # type: ignore[no-any-return]  # our own process wrote it


def main() -> None:
    """Read a question from the standard input and write the proposals to the standard output."""
    movement, fixed, change, sizes = pickle.load(sys.stdin.buffer)
    pickle.dump(proposals(movement, fixed, change, sizes), sys.stdout.buffer)


if __name__ == "__main__":
    main()
