"""Find lines of templates, style sheets and scripts that are too long: python -m tests.lint_lines

`make lint` runs it. A path on a drawing's line (`d="M …"`) has no place to break, and is let be.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST = 120
ROOT = Path(__file__).resolve().parent.parent
PLACES = ("templates/**/*.html", "static/css/*.css", "static/js/*.js")
DRAWN = re.compile(r'\bd="[^"]*"')


def files(root: Path = ROOT) -> list[Path]:
    """Return the files whose lines are read."""
    return sorted(path for place in PLACES for path in root.glob(place))


def too_long(paths: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Name every line that is too long: file, line, length."""
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            length = len(DRAWN.sub("", line))
            if length > MOST:
                name = path.relative_to(root)
                yield f"{name}:{number}: {length} characters, {MOST} are allowed"


def main() -> int:
    """Print what is too long; what is returned is how the program ends."""
    found = list(too_long(files()))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
