"""A pytest plugin for mutants: each process gets a copy of the test database that was made once.

Mutants are tested in forks of one process, side by side, and migrating takes longer than their tests.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from django.db import connections

MADE = Path("var", "test-database.sqlite3").absolute()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    own = MADE.with_name(f"{MADE.stem}-{os.getpid()}.sqlite3")
    if MADE.exists():
        shutil.copy(MADE, own)
    connections["default"].settings_dict["TEST"]["NAME"] = str(own)
    config.option.reuse_db = True


def pytest_unconfigure() -> None:
    connections.close_all()
    own = Path(connections["default"].settings_dict["TEST"]["NAME"])
    if own.exists():
        own.replace(MADE) if not MADE.exists() else own.unlink()
