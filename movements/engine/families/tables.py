"""Reading of data files beside the families: each file once, on first use."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "tables"


@lru_cache
def read_data_table(name: str) -> dict[str, Any]:
    """Return the data of the file `tables/<name>.toml`."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
