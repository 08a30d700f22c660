"""Names and docstrings in plain English: the rules that a program can check."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_MODULES = 3
#: modules of a folder, so that a reader finds what they look for
MOST_IN_FOLDER = 15
#: Django's own class names
USUAL_CLASSES = {"Meta", "Command"}
#: pronouns, adverbs and participles: they do not tell what a module contains
BANNED_MODULES = re.compile(
    "after|again|ahead|alone|apart|away|back|before|beside|done|due|found|given|gone|here|kept|known|late|left|made"
    "|mine|moved|others|owed|owing|owned|read|said|says|seen|sent|shown|taken|there|together|told|turns|two|unwanted"
    "|what|where|who|whose|written"
)
LOOP_OF_TEMPLATE = re.compile(r"{%-?\s*for\s+([\w\s,]+?)\s+in\b")
QUESTION = re.compile(r"(What|Who|Whether)\b")
Source = tuple[str, ast.Module]


def python_sources(*packages: str) -> list[Source]:
    """Return the path and syntax tree of each module of the packages, without migrations."""
    return [
        (str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8")))
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def loop_names(sources: list[Source]) -> Iterator[str]:
    """Yield a message for each loop variable `one`."""
    for path, tree in sources:
        for loop in ast.walk(tree):
            if isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension):
                for name in ast.walk(loop.target):
                    if isinstance(name, ast.Name) and name.id == "one":
                        yield f"{path}:{name.lineno}: name the loop variable `one` for the item"


def template_loops(name: str, text: str) -> Iterator[str]:
    """Yield a message for each loop variable `one` of a template."""
    for loop in LOOP_OF_TEMPLATE.finditer(text):
        if "one" in re.split(r"[\s,]+", loop.group(1)):
            line = text.count("\n", 0, loop.start()) + 1
            yield f"{name}:{line}: name the loop variable `one` for the item"


def repeated_classes(sources: list[Source]) -> Iterator[str]:
    """Yield a message for each class name that stands in too many modules."""
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for path, tree in sources:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name not in USUAL_CLASSES:
                modules[node.name].add(path)
    for name, paths in modules.items():
        if len(paths) > MOST_MODULES:
            yield (
                f"{', '.join(sorted(paths))}: class `{name}` stands in {len(paths)} modules,"
                f" {MOST_MODULES} are allowed: name each for its content"
            )


def question_docstrings(sources: list[Source]) -> Iterator[str]:
    """Yield a message for each docstring that begins with a question word."""
    for path, tree in sources:
        for node in ast.walk(tree):
            if isinstance(
                node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            ) and (word := QUESTION.match(ast.get_docstring(node) or "")):
                line = getattr(node, "lineno", 1)
                yield (
                    f"{path}:{line}: a docstring begins with a verb or a noun, not `{word.group()}`"
                )


def banned_modules(sources: list[Source]) -> Iterator[str]:
    """Yield a message for each module or package with a name that does not tell its content."""
    for path, _ in sources:
        module = Path(path)
        name = module.parent.name if module.stem == "__init__" else module.stem
        if BANNED_MODULES.fullmatch(name):
            yield f"{path}: name the module for its content, not `{name}`"


def large_folders(sources: list[Source]) -> Iterator[str]:
    """Yield a message for each folder with too many modules."""
    counts = Counter(str(Path(path).parent) for path, _ in sources if Path(path).stem != "__init__")
    for folder, count in counts.items():
        if count > MOST_IN_FOLDER:
            yield f"{folder}: {count} modules, {MOST_IN_FOLDER} are allowed: divide it by topic"


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    return python_sources("bridgebuddy", "movements")


@pytest.mark.parametrize(
    "rule", [loop_names, repeated_classes, question_docstrings, banned_modules, large_folders]
)
def test_names_and_docstrings_are_plain(sources, rule):
    messages = list(rule(sources))

    assert not messages, "\n".join(messages)


@pytest.mark.parametrize(
    ("rule", "path", "text", "messages"),
    [
        (loop_names, "a.py", "for one, other in pairs: pass", 1),
        (loop_names, "a.py", "[one for one in pairs]", 1),
        (loop_names, "a.py", "[pair for pair in one]", 0),
        (question_docstrings, "a.py", '"""Whether it rains."""', 1),
        (question_docstrings, "a.py", 'class A:\n    """Whole boards."""', 0),
        (banned_modules, "there/__init__.py", "", 1),
        (banned_modules, "attendance.py", "", 0),
    ],
)
def test_a_breach_is_named_with_its_file(rule, path, text, messages):
    found = list(rule([(path, ast.parse(text))]))

    assert len(found) == messages
    assert all(message.startswith(path) for message in found)


def test_a_folder_of_sixteen_modules_is_a_breach():
    names = ["__init__", *(f"module_{n}" for n in range(16))]
    sources = [(f"a/{name}.py", ast.parse("")) for name in names]

    assert list(large_folders(sources)) == ["a: 16 modules, 15 are allowed: divide it by topic"]
    assert not list(large_folders(sources[:-1]))


def test_a_class_name_in_four_modules_is_a_breach():
    sources = [(f"{n}.py", ast.parse("class Row: pass\nclass Meta: pass")) for n in range(4)]

    (message,) = repeated_classes(sources)

    assert message.startswith("0.py, 1.py, 2.py, 3.py: class `Row`")
    assert not list(repeated_classes(sources[:3]))


@pytest.mark.parametrize("rule", [loop_names, question_docstrings])
def test_loops_and_docstrings_of_tests_are_plain(rule):
    messages = list(rule(python_sources("tests")))

    assert not messages, "\n".join(messages)


def test_loop_variables_of_templates_are_named_for_the_item():
    templates = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]

    messages = [
        message
        for path in templates
        for message in template_loops(str(path.relative_to(ROOT)), path.read_text("utf-8"))
    ]

    assert not messages, "\n".join(messages)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("\n{% for one in rows %}", ["a.html:2: name the loop variable `one` for the item"]),
        ("{% for one, other in rows %}", ["a.html:1: name the loop variable `one` for the item"]),
        ("{% for row in one %}", []),
    ],
)
def test_a_loop_variable_one_of_a_template_is_a_breach(text, messages):
    assert list(template_loops("a.html", text)) == messages
