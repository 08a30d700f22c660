"""What `make mutants` mutates and runs is there."""

import pytest

from .__main__ import ROOT
from .modules import MODULES


@pytest.mark.parametrize("name", MODULES)
def test_the_files_and_tests_of_a_module_exist(name):
    module = MODULES[name]

    for pattern in (*module.files, *module.tests):
        assert list(ROOT.glob(pattern)), pattern
