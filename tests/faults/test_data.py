"""The faults written by hand still fit the code: the cheap part of `make faults`."""

import pytest

from .data import KINDS, ROOT, apps, faults_of

#: so many faults has each app at least
FEWEST = 10


@pytest.mark.parametrize("app", apps())
def test_each_app_has_ten_faults_that_fit_its_code(app):
    faults = faults_of(app)

    assert len(faults) >= FEWEST
    for fault in faults:
        text = fault.path.read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, f"not once in its file: {fault}"
        assert fault.old != fault.new, fault
        assert fault.kind in KINDS, fault
        assert fault.seen, fault
        assert fault.tests, fault
        for file in fault.tests:
            assert (ROOT / "tests" / file).is_file(), f"{file}: {fault}"
        if fault.file.endswith(".py"):
            compile(fault.text, fault.file, "exec")


def test_each_kind_of_fault_is_tried():
    assert {fault.kind for app in apps() for fault in faults_of(app)} == set(KINDS)
