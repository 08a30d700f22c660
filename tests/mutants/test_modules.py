"""What `make mutants` mutates and runs is there."""

import pytest

from .__main__ import ROOT
from .modules import CHANGES, MODULES, OF_THE_CLUB, READING, RULES, SCORING_RULES, SERVICES


def modules_in(folder):
    """Return the modules of a folder and of the folders in it."""
    paths = (ROOT / folder).rglob("*.py")
    return {str(path.relative_to(ROOT)) for path in paths if path.name != "__init__.py"}


@pytest.mark.parametrize("name", MODULES)
def test_the_files_and_tests_of_a_module_exist(name):
    module = MODULES[name]

    for pattern in (*module.files, *module.tests):
        assert list(ROOT.glob(pattern)), pattern


@pytest.mark.parametrize(
    ("modules", "folder"),
    [(SERVICES, "bridgebuddy/events/services"), (CHANGES, "movements/engine/changes")],
)
def test_every_file_of_a_folder_is_in_one_module(modules, folder):
    files = [file for module in modules.values() for file in module.files]

    assert set(files) - {f"{folder}/__init__.py"} == modules_in(folder)
    assert len(files) == len(set(files))


def test_every_file_of_the_rules_of_scoring_is_in_one_module():
    files = [file for module in SCORING_RULES.values() for file in module.files]

    assert {file for file in files if not file.endswith("/__init__.py")} == modules_in(RULES)
    assert len(files) == len(set(files))


@pytest.mark.parametrize(
    ("folder", "left_out"),
    [
        ("money", {"apps", "errors", "models", "__init__"}),
        ("rulings", {"__init__"}),
        ("players/api", set()),
    ],
)
def test_every_file_of_money_rulings_and_data_is_in_one_module(folder, left_out):
    top = ROOT / "bridgebuddy" / folder
    files = [path for item in OF_THE_CLUB.values() for path in item.files]
    found = [path for pattern in files for path in ROOT.glob(pattern) if path.is_relative_to(top)]
    there = {
        path
        for path in top.rglob("*.py")
        if not {"migrations", "templatetags", "subjects"} & set(path.parts)
        and not (path.parent == top and path.stem in left_out)
    }

    assert sorted(found) == sorted(there)


def test_every_query_of_results_is_in_one_module():
    modules = {name: item for name, item in READING.items() if name.startswith("scoring/")}
    files = [file for module in modules.values() for file in module.files]

    folders = ("snapshot", "results", "draws", "checks", "files")
    assert set(files) == {
        module for folder in folders for module in modules_in(f"bridgebuddy/scoring/{folder}")
    }
    assert len(files) == len(set(files))
