"""The documents tell the truth about files, commands and make targets."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("bridgebuddy/**/README.md"),
        *ROOT.glob("movements/**/README.md"),
    ],
    key=lambda path: path.relative_to(ROOT),
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMAND = re.compile(r"manage\.py ([a-z_]+)")
#: in code, or alone on a line of a block of commands
MAKE = re.compile(r"`(?:[A-Z]+=\S+ )?make ([a-z-]+)|^make ([a-z-]+)$", re.MULTILINE)


def ids(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_links_lead_to_files_that_exist(path):
    links = [link.partition("#")[0] for link in LINK.findall(path.read_text(encoding="utf-8"))]

    gone = [
        link
        for link in links
        if link
        and not link.startswith(("http://", "https://", "mailto:", "/"))
        and not (path.parent / link).exists()
    ]

    assert gone == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids)
def test_commands_and_make_targets_exist(path):
    text = path.read_text(encoding="utf-8")
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )

    unknown = {f"manage.py {name}" for name in COMMAND.findall(text) if name not in get_commands()}
    unknown |= {f"make {name}" for name in map("".join, MAKE.findall(text)) if name not in targets}

    assert unknown == set()


def test_readme_is_short_enough_to_read_in_five_minutes():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()

    assert len(lines) <= 150


APPS = sorted(path.parent for path in ROOT.glob("bridgebuddy/*/__init__.py"))
PARTS_OF_MOVEMENTS = [ROOT / "movements" / name for name in ("engine", "words", "library")]
READMES = [folder / "README.md" for folder in [*APPS, *PARTS_OF_MOVEMENTS]]
STRUCTURE = ROOT / "docs" / "dev" / "structure.md"
FOR_DEVELOPERS = [
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("docs/dev/**/*.md")),
    *READMES,
]
IN_BACKQUOTES = re.compile(r"`([^`\n]+)`")
#: "`name` (`file.py`)" and "`name` in `file.py`", with the name and the file
NAME_IN_FILE = re.compile(r"`([A-Za-z_]\w*)(?:\(\))?`(?:,? (?:in|of|from))?\s+\(?`([\w/.]+\.py)`")
#: nothing with a space, a placeholder (<name>, *, …) or an address that begins with a slash
PATH = re.compile(r"\.?\w[\w.-]*(?:/[\w.-]+)*/?")
#: folders and files that exist on a server only begin with the name of a setting
OF_A_SERVER = re.compile(r"[A-Z_]+/")
NAMED_FILE = re.compile(r".*\w\.(?:py|md|toml|html|js|css|txt|json)")
MODULE = re.compile(r"(?:movements|bridgebuddy|tests)(?:\.\w+)+")
RUN_AS_MODULE = re.compile(r"python -m (tests\.[\w.]+)")
#: a class, a constant, or a function with or without its parentheses
NAME = re.compile(r"(\w+)(?:\(\))?(?:\.\w+)?")


@cache
def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


@cache
def known_paths():
    """Return every ending of every path of a file or folder: `rules/par.py` stands for its whole path."""
    whole = {path for name in tracked_files() for path in (Path(name), *Path(name).parents)}
    return {"/".join(path.parts[start:]) for path in whole for start in range(len(path.parts))}


@cache
def known_words():
    """Return every word of the code."""
    words = set()
    for name in tracked_files():
        if name.endswith((".py", ".js", ".toml", ".html")) and name != "tests/test_documents.py":
            words.update(re.findall(r"\w+", (ROOT / name).read_text(encoding="utf-8")))
    return words


def is_module(name):
    """Return whether a dotted name is a module, or a name in one."""
    path = name.replace(".", "/")
    if {path, f"{path}.py"} & known_paths():
        return True
    module, _, attribute = name.rpartition(".")
    places = [
        ROOT / f"{module.replace('.', '/')}.py",
        ROOT / module.replace(".", "/") / "__init__.py",
    ]
    return any(
        re.search(rf"\b{attribute}\b", place.read_text(encoding="utf-8"))
        for place in places
        if place.exists()
    )


def missing_paths(text):
    """Return the paths and modules in backquotes that do not exist."""
    quoted = IN_BACKQUOTES.findall(text)
    paths = [
        name
        for name in quoted
        if PATH.fullmatch(name)
        and not OF_A_SERVER.match(name)
        and ("/" in name or NAMED_FILE.fullmatch(name))
    ]
    modules = [name for name in quoted if MODULE.fullmatch(name) and name not in paths]
    modules += RUN_AS_MODULE.findall(text)
    return {name for name in paths if name.rstrip("/") not in known_paths()} | {
        name for name in modules if not is_module(name)
    }


def test_an_invented_path_or_module_is_found():
    text = (
        "`bridgebuddy/clubs/invented.py`, `invented.md`, `bridgebuddy.clubs.invented`, `clubs/rules.py`,"
        " `bridgebuddy.clubs.rules`, `movements/engine/`, `templates/<name>.html`, `/readyz`, `VAR_DIR/shared`,"
        " `python -m tests.invented`"
    )

    assert missing_paths(text) == {
        "bridgebuddy/clubs/invented.py",
        "invented.md",
        "bridgebuddy.clubs.invented",
        "tests.invented",
    }


@pytest.mark.parametrize("path", FOR_DEVELOPERS, ids=ids)
def test_paths_and_modules_in_backquotes_exist(path):
    assert missing_paths(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", [STRUCTURE, *READMES], ids=ids)
def test_names_in_backquotes_stand_in_the_code(path):
    quoted = IN_BACKQUOTES.findall(path.read_text(encoding="utf-8"))
    names = {found[1] for name in quoted if (found := NAME.fullmatch(name))}

    assert names - known_words() == set()


@pytest.mark.parametrize("path", FOR_DEVELOPERS, ids=ids)
def test_a_name_said_to_be_in_a_file_is_in_that_file(path):
    modules = [
        module
        for app in ("bridgebuddy", "movements", "tests")
        for module in (ROOT / app).rglob("*.py")
    ]
    missing = [
        (name, where)
        for name, where in NAME_IN_FILE.findall(path.read_text(encoding="utf-8"))
        if not any(
            re.search(rf"\b{name}\b", module.read_text(encoding="utf-8"))
            for module in modules
            if module.as_posix().endswith(f"/{where}")
        )
    ]

    assert missing == []


@pytest.mark.parametrize("path", READMES, ids=ids)
def test_every_app_has_a_readme_of_10_to_25_lines(path):
    lines = path.read_text(encoding="utf-8").splitlines()

    assert 10 <= len(lines) <= 25


@pytest.mark.parametrize(
    ("path", "most"), [(STRUCTURE, 150), (ROOT / "CONTRIBUTING.md", 120)], ids=str
)
def test_pages_for_developers_stay_short(path, most):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most


def test_the_picture_of_the_layers_is_the_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (layers,) = [
        contract["layers"]
        for contract in contracts["importlinter"]["contracts"]
        if contract["type"] == "layers"
    ]
    picture = re.findall(r"^│ ([a-z_ |]+?) *│", STRUCTURE.read_text(encoding="utf-8"), re.MULTILINE)

    assert picture == [layer.replace("bridgebuddy.", "") for layer in layers]


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/dev/decisions/*.md")), ids=ids)
def test_a_decision_has_its_context_and_its_consequences(path):
    headings = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert [name for name in headings if name != "Rejected"] == [
        "Context",
        "Decision",
        "Consequences",
    ]
