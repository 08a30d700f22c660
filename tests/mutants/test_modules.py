"""What `make mutants` mutates and runs is there."""

import pytest

from .__main__ import ROOT
from .modules import MODULES, SERVICES


@pytest.mark.parametrize("name", MODULES)
def test_the_files_and_tests_of_a_module_exist(name):
    module = MODULES[name]

    for pattern in (*module.files, *module.tests):
        assert list(ROOT.glob(pattern)), pattern


def test_every_service_is_in_one_module():
    files = [file for module in SERVICES.values() for file in module.files]

    folder = ROOT / "bridgebuddy/events/services"
    there = {str(path.relative_to(ROOT)) for path in folder.glob("*.py")}
    assert sorted(files) == sorted(there - {"bridgebuddy/events/services/__init__.py"})
