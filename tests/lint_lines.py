"""Find lines, files and functions that are too long: python -m tests.lint_lines

`make lint` runs it: lines of templates, style sheets and scripts, and files and functions of the product. A path on a
drawing's line (`d="M …"`) has no place to break, and is allowed; so are migrations.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST = 120
ROOT = Path(__file__).resolve().parent.parent
PLACES = ("templates/**/*.html", "static/css/*.css", "static/js/*.js")
#: lines of a file and of a function, so that a reader can hold it in mind
LONGEST_FILE, LONGEST_FUNCTION = 450, 70
CODE = ("bridgebuddy/**/*.py", "movements/**/*.py")
DRAWN = re.compile(r'\bd="[^"]*"')


def files(root: Path = ROOT) -> list[Path]:
    """Return the files whose lines are checked."""
    return sorted(path for place in PLACES for path in root.glob(place))


def list_length_error(paths: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Name every line that is too long: file, line, length."""
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            length = len(DRAWN.sub("", line))
            if length > MOST:
                name = path.relative_to(root)
                yield f"{name}:{number}: {length} characters, {MOST} are allowed"


def modules(root: Path = ROOT) -> list[Path]:
    """Return the files of the product, without migrations."""
    found = sorted(path for place in CODE for path in root.glob(place))
    return [path for path in found if "migrations" not in path.parts]


def too_large(paths: Iterable[Path], root: Path = ROOT) -> Iterator[str]:
    """Name every file and every function that is too long: where, how long."""
    for path in paths:
        name, text = path.relative_to(root), path.read_text(encoding="utf-8")
        if (lines := len(text.splitlines())) > LONGEST_FILE:
            yield f"{name}: {lines} lines, {LONGEST_FILE} are allowed: divide it by topic"
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    allowed = f"{LONGEST_FUNCTION} are allowed"
                    yield f"{name}:{node.lineno}: {node.name} has {lines} lines, {allowed}"


def main() -> int:
    """Print the places that are too long; return the exit code."""
    found = [*list_length_error(files()), *too_large(modules())]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
