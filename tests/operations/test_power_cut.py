"""A result that the server has acknowledged is on the disk: pulling the plug loses none."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tests.proofs.power_cuts import CannotMount, disk, evening, missing_after


@pytest.fixture
def image_and_folder(tmp_path):
    """A file system of its own, where this machine mounts one."""
    mounting = disk(tmp_path)
    try:
        found = mounting.__enter__()
    except CannotMount as why:
        pytest.skip(f"This machine mounts no file system image ({why}).")
    yield found
    mounting.__exit__(None, None, None)


def test_acknowledged_results_survive_a_power_cut(tmp_path, image_and_folder):
    image, folder = image_and_folder
    with evening(tmp_path, folder, tables=7, boards=3, seed=1) as played:
        with ThreadPoolExecutor(4) as phones:
            list(phones.map(played.send, played.forms))

        acknowledged = played.cut(image, tmp_path / "copy.img")

    assert len(acknowledged) == len(played.forms) == 21
    assert missing_after(tmp_path / "copy.img", acknowledged) == {}


@pytest.mark.django_db
def test_sqlite_syncs_every_commit():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL syncs by its own settings.")

    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)
