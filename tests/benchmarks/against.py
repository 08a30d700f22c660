"""Compare the CPU time of each line of work with another commit: `make bench BEFORE=<commit>`.

    make bench BEFORE=<commit> LINES="some words"       only lines in which one of them is

The other commit gets a working tree of its own for as long as this takes. Both do every line of
`lines` in turns, in the same run, so that a busy machine is as busy for both; the best of their CPU
times are compared. A line is slower where the ratio is above 1.1: less than that comes and goes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .lines import LINES

ROOT = Path(__file__).parents[2]
TURNS = 5
SLOWER = 1.1


@contextmanager
def tree_of(commit: str) -> Iterator[Path]:
    """Check a commit out beside ours, and clear it away again."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", tree, commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", tree], check=True)


class Checkout:
    """A process that does the lines of `lines` with the product of a checkout."""

    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("lines.py"))]
        self.process = subprocess.Popen(
            command, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Checkout:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.communicate()

    def seconds(self, line: str) -> float | str:
        """Return the CPU seconds of a line, or the error that prevents it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(line, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        return answer.get("seconds") or str(answer["fault"])


def best(now: Checkout, before: Checkout, line: str) -> tuple[float, float] | str:
    """Return the least a line takes now, and took before; a sentence where they cannot be compared."""
    least = [float("inf"), float("inf")]
    for turn in range(TURNS):
        for index in (0, 1) if turn % 2 else (1, 0):
            found = (now, before)[index].seconds(line)
            if isinstance(found, str):
                return f"{('now', 'before')[index]}: {found}"
            least[index] = min(least[index], found)
    return least[0], least[1]


def main(commit: str, *words: str) -> None:
    """Print a ratio for every line, and at the end which are slower."""
    slower = []
    with ExitStack() as stack:
        tree = stack.enter_context(tree_of(commit))
        now, before = (stack.enter_context(Checkout(place)) for place in (ROOT, tree))
        print(f"{'CPU, milliseconds':40} {'now':>9} {'before':>9} {'ratio':>6}")
        for line in (line for line in LINES if not words or any(word in line for word in words)):
            found = best(now, before, line)
            if isinstance(found, str):
                print(f"{line:40} {found}", flush=True)
                continue
            ratio = found[0] / found[1]
            mark = "  slower" if ratio > SLOWER else ""
            slower += [line] if mark else []
            times = f"{1000 * found[0]:9.2f} {1000 * found[1]:9.2f}"
            print(f"{line:40} {times} {ratio:6.2f}{mark}", flush=True)
    print(f"slower: {', '.join(slower) or 'nothing'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
