"""A backup is everything of one moment, and everything comes back from it."""

import errno
import os
import re
import sqlite3
import subprocess
import tarfile
import threading
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Membership, Person, Upkeep, User
from bridgebuddy.clubs.upkeep import Chore, last_task_runs, store_task_run
from bridgebuddy.events.management.commands import tidy
from bridgebuddy.events.models import Play, Section
from bridgebuddy.operations import backups
from bridgebuddy.operations.database_versions import missing_migrations
from tests.events.single_migrations import newest_migration
from tests.factories import ClubFactory, section_with
from tests.security.servers import ROOT

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "evening.backup"


def backup(file):
    call_command("backup", str(file), stdout=StringIO())


def restore(file):
    told = StringIO()
    call_command("restore", str(file), yes=True, stdout=told)
    return told.getvalue()


def unpacked(file):
    with tarfile.open(file) as whole:
        whole.extract("database", file.parent, filter="data")
    return file.parent / "database"


def everything():
    return {
        model: list(model.objects.order_by("pk").values())
        for model in (Club, Person, Section, Play)
    }


def test_everything_comes_back_from_a_backup(file):
    section_with(10, "mitchell", round=2)
    before = everything()
    backup(file)
    Play.objects.all().delete()
    Club.objects.update(name="Another name")
    ClubFactory()

    restore(file)

    assert everything() == before
    assert ClubFactory().pk not in {row["id"] for row in before[Club]}  # keys go on where they were


def test_what_was_there_before_a_restore_is_kept(file):
    ClubFactory(name="Before")
    backup(file)
    Club.objects.update(name="After")
    restore(file)

    restore(file.with_name("evening.backup.before-restore"))

    assert Club.objects.get().name == "After"


def test_a_backup_is_of_one_moment_while_people_click(file):
    one, other = ClubFactory(name="0"), ClubFactory(name="0")
    stop = threading.Event()

    def click():
        count = 0
        while not stop.is_set():
            count += 1
            with transaction.atomic():
                Club.objects.filter(pk=one.pk).update(name=str(count))
                Club.objects.filter(pk=other.pk).update(name=str(count))
        connections.close_all()

    thread = threading.Thread(target=click)
    thread.start()
    try:
        files = [file.with_name(str(number)) for number in range(5)]
        for each in files:
            backup(each)
    finally:
        stop.set()
        thread.join()

    for each in files:
        restore(each)
        assert len(set(Club.objects.values_list("name", flat=True))) == 1


def test_only_its_owner_may_read_a_backup(file):
    backup(file)

    assert file.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in file.parent.iterdir()] == [file.name]


def test_what_is_no_backup_is_refused_and_nothing_changes(file):
    ClubFactory(name="Ours")
    file.write_text("no backup")

    with pytest.raises(CommandError, match=r"is no backup of BridgeBuddy\. Nothing has changed"):
        restore(file)
    with pytest.raises(CommandError, match="cannot be read"):
        restore(file.with_name("nowhere"))

    assert Club.objects.get().name == "Ours"


def test_a_damaged_backup_is_refused_and_nothing_changes(file):
    section_with(10, "mitchell", round=2)
    before = everything()
    backup(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:5000])

    with pytest.raises(CommandError, match="Nothing has changed"):
        restore(file)

    assert everything() == before


def test_a_backup_of_the_other_database_is_refused(file):
    other = {"sqlite": b"PGDMP", "postgresql": b"SQLite format 3\0"}[connection.vendor]
    file.write_bytes(other)

    with pytest.raises(CommandError, match="the database here is"):
        restore(file)


def test_a_backup_of_a_newer_version_is_refused_and_nothing_changes(file):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("clubs", "9999_of_tomorrow")
    backup(file)
    recorder.record_unapplied("clubs", "9999_of_tomorrow")
    ClubFactory(name="Ours")

    with pytest.raises(CommandError, match=r"newer version: it has clubs\.9999_of_tomorrow"):
        restore(file)

    assert Club.objects.get().name == "Ours"


def test_an_update_is_backed_up_and_the_backup_of_the_version_before_is_brought_up_to_date(file):
    ClubFactory(name="Old friends")
    call_command("migrate", "scoring", "0007", verbosity=0)  # there were fewer columns and tables
    told = StringIO()
    try:
        call_command("migrate", verbosity=0, backup_to=file.parent, stdout=told)
    finally:
        call_command("migrate", verbosity=0, without_backup=True)
    Club.objects.update(name="New friends")
    (made,) = file.parent.iterdir()

    restore(made)

    assert made.name == "before-update"
    assert f"restore {made}" in told.getvalue()
    assert Club.objects.get().name == "Old friends"
    call_command("migrate", check_unapplied=True, verbosity=0)  # exits where there are any
    # the models of then had other names, and the backup has them
    call_command("remove_stale_contenttypes", interactive=False, verbosity=0)


@pytest.fixture
def incomplete():
    """Take the newest migration of clubs from those that have been applied, and put it back."""
    recorder = MigrationRecorder(connection)
    newest = newest_migration("clubs")
    recorder.record_unapplied(*newest)
    yield
    recorder.record_applied(*newest)


def test_an_update_that_cannot_be_backed_up_changes_nothing(file, incomplete, monkeypatch):
    def full(file):
        raise backups.CannotBackUp("The backup could not be written: No space left on device.")

    monkeypatch.setattr(backups, "write_backup", full)
    missing = missing_migrations()

    with pytest.raises(
        CommandError, match=r"No space left on device\. Nothing has changed.*--without-backup"
    ):
        call_command("migrate", backup_to=file.parent)

    assert missing == missing_migrations() != []


def test_what_is_up_to_date_is_not_backed_up_again(file):
    call_command("migrate", verbosity=0, backup_to=file.parent)

    assert list(file.parent.iterdir()) == []


def test_a_full_disk_leaves_the_backup_of_before(file, monkeypatch):
    backup(file)
    before = file.read_bytes()

    def full(draft):
        draft.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(backups, "_function_for_database", lambda ways: full)
    with pytest.raises(CommandError, match="No space left"):
        backup(file)

    assert file.read_bytes() == before
    assert [found.name for found in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("step", ["_flush_to_disk", "_checksum", "_remove_owner"])
def test_a_stick_that_is_pulled_out_during_a_backup_is_said_and_the_backup_of_before_stays(
    file, monkeypatch, step
):
    backup(file)
    before = file.read_bytes()

    def pulled_out(*parts):
        raise OSError(errno.EIO, "Input/output error", str(file))

    monkeypatch.setattr(backups, step, pulled_out)
    with pytest.raises(CommandError, match=r"could not be written: .*Input/output error"):
        backup(file)

    assert file.read_bytes() == before


def test_nothing_happens_unless_it_is_wanted(file, monkeypatch):
    ClubFactory(name="Before")
    backup(file)
    Club.objects.update(name="After")
    monkeypatch.setattr("builtins.input", lambda question: "no")

    with pytest.raises(CommandError, match="Nothing has changed"):
        call_command("restore", str(file))

    assert Club.objects.get().name == "After"


def test_the_way_to_a_missing_tool_is_said(file, monkeypatch):
    monkeypatch.setattr(backups.shutil, "which", lambda program: None)

    with pytest.raises(backups.CannotBackUp, match="apt-get install postgresql-client"):
        backups._run_program("pg_dump")


# ── the key ──


def test_the_key_of_a_machine_comes_back_with_everything_else(file, settings, tmp_path):
    settings.KEY_FILE, settings.SECRET_KEY = tmp_path / "of-here", "the key of then"
    settings.KEY_FILE.write_text("the key of then")
    backup(file)
    settings.KEY_FILE.write_text("the key of now")

    told = restore(file)

    assert settings.KEY_FILE.read_text() == "the key of then"
    assert settings.KEY_FILE.stat().st_mode & 0o777 == 0o600
    assert "valid again once the server is started anew" in told
    restore(file.with_name("evening.backup.before-restore"))
    assert settings.KEY_FILE.read_text() == "the key of now"


def test_a_key_of_the_environment_is_in_no_backup_and_asked_for(file, settings):
    settings.KEY_FILE, settings.SECRET_KEY = None, "the key of then"
    told = StringIO()
    call_command("backup", str(file), stdout=told)

    assert "SECRET_KEY is not in it" in told.getvalue()
    assert b"the key of then" not in file.read_bytes()
    assert "are valid." in restore(file)
    settings.SECRET_KEY = "another"
    assert "SECRET_KEY is another one than where the backup was made" in restore(file)


def test_a_backup_of_a_version_that_kept_no_key_comes_back_and_says_so(file):
    ClubFactory(name="Old friends")
    backup(file)
    unpacked(file).replace(file)
    Club.objects.all().delete()

    told = restore(file)

    assert Club.objects.get().name == "Old friends"
    assert "of a version that kept no key" in told


# ── with a passphrase ──


def test_nobody_reads_a_backup_without_its_passphrase(file, settings, tmp_path):
    settings.BACKUP_PASSPHRASE = 'märz & "noon" $HOME'
    ClubFactory(name="Lindenhof Bridge Club")
    backup(file)
    whole = file.read_bytes()
    Club.objects.all().delete()

    assert b"Lindenhof" not in whole
    assert b"SQLite" not in whole
    restore(file)

    assert Club.objects.get().name == "Lindenhof Bridge Club"
    before = file.with_name("evening.backup.before-restore").read_bytes()
    assert b"SQLite" not in before


@pytest.mark.parametrize("passphrase", ["", "another"])
def test_with_another_passphrase_nothing_changes(file, settings, passphrase):
    settings.BACKUP_PASSPHRASE = "of then"
    backup(file)
    ClubFactory(name="Ours")
    settings.BACKUP_PASSPHRASE = passphrase

    with pytest.raises(CommandError, match=r"passphrase|PASSPHRASE.*Nothing has changed"):
        restore(file)

    assert Club.objects.get().name == "Ours"


def test_a_passphrase_that_is_not_set_is_asked_for(file, settings, monkeypatch):
    settings.BACKUP_PASSPHRASE = "of then"
    ClubFactory(name="Then")
    backup(file)
    settings.BACKUP_PASSPHRASE = ""
    Club.objects.all().delete()
    monkeypatch.setattr("builtins.input", lambda question: "yes")
    monkeypatch.setattr(
        "bridgebuddy.clubs.management.commands.restore.getpass", lambda question: "of then"
    )

    call_command("restore", str(file), stdout=StringIO())

    assert Club.objects.get().name == "Then"


def test_a_passphrase_that_is_given_goes_before_the_one_that_is_set(file, settings):
    settings.BACKUP_PASSPHRASE = "of then"
    ClubFactory(name="Then")
    backup(file)
    settings.BACKUP_PASSPHRASE = "of today"
    Club.objects.all().delete()

    backups.restore_backup(file, "of then")

    assert Club.objects.get().name == "Then"


def test_openssl_alone_opens_an_encrypted_backup(file, settings):
    """The command is in hosting.md: in ten years a club must be able to restore without us."""
    settings.BACKUP_PASSPHRASE = "of then"
    ClubFactory(name="Then")
    backup(file)
    page = (ROOT / "docs" / "admin" / "hosting.md").read_text()
    (command,) = re.findall(r"`(openssl enc -d [^`]+)`", page)
    command = command.replace("FILE", str(file)).replace("whole.tar", str(file.with_name("tar")))

    subprocess.run([*command.split(), "-pass", "pass:of then"], check=True)

    with tarfile.open(file.with_name("tar")) as whole:
        assert "database" in whole.getnames()


def test_a_letter_that_has_changed_is_seen(file):
    ClubFactory(name="Lindenhof Bridge Club")
    backup(file)
    with tarfile.open(file) as whole:
        begins = whole.getmember("database").offset_data
    bytes_ = bytearray(file.read_bytes())
    bytes_[begins + 70] ^= 1  # nothing that the database itself looks at
    file.write_bytes(bytes_)

    with pytest.raises(CommandError, match="damaged"):
        restore(file)


# ── what was there before ──


def test_gone_back_twice_what_was_there_at_first_is_kept(file):
    ClubFactory(name="Then")
    backup(file)
    Club.objects.update(name="At first")
    restore(file)
    restore(file)

    restore(file.with_name("evening.backup.before-restore"))

    assert Club.objects.get().name == "At first"


def test_copies_of_before_are_deleted_after_a_week_and_nothing_else_is(settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    nightly = tmp_path / "backups"
    old = timezone.now().timestamp() - 8 * 24 * 3600
    copies = ("before-update", "backup-1.before-restore", "x.before-restore-2")
    for folder in (settings.VAR_DIR, nightly):
        folder.mkdir()
        for name in (*copies, "backup-1", "bridgebuddy.sqlite3", "secret-key"):
            (folder / name).touch()
            os.utime(folder / name, (old, old))
        (folder / "today.before-restore").touch()

    call_command("night", str(nightly), stdout=StringIO())

    for folder in (settings.VAR_DIR, nightly):
        left = {path.name for path in folder.iterdir()}
        assert left >= {"backup-1", "bridgebuddy.sqlite3", "secret-key", "today.before-restore"}
        assert left.isdisjoint(copies)


def test_it_is_told_how_long_a_copy_is_kept(file, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    backup(file)
    assert "deleted in 7 days" in restore(file)
    settings.VAR_DIR = tmp_path / "elsewhere"
    assert "delete it when you do not need it" in restore(file)


# ── every night ──


def test_every_night_has_a_file_of_its_own_for_a_week(tmp_path):
    call_command("night", str(tmp_path), stdout=StringIO())

    (found,) = tmp_path.iterdir()
    assert found.name == f"backup-{timezone.localdate().isoweekday()}"
    never = {chore for chore, at in last_task_runs().items() if at is None}
    # PostgreSQL looks after its own files
    assert never == (set() if connection.vendor == "sqlite" else {Chore.CHECK})


def test_what_fails_at_night_is_told_and_the_rest_is_done(tmp_path, monkeypatch):
    def broken(**options):
        raise OSError("No space left on device")

    monkeypatch.setattr(tidy, "purge_expired_sessions", broken)

    with pytest.raises(CommandError, match="tidy: No space left on device"):
        call_command("night", str(tmp_path), stdout=StringIO())

    assert len(list(tmp_path.iterdir())) == 1
    assert last_task_runs()[Chore.BACKUP]
    assert last_task_runs()[Chore.TIDY] is None


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a club's own box")
def test_a_director_is_told_when_nothing_has_been_backed_up_for_two_days(alice, signed_in):
    page, sentence = signed_in(alice), "Nothing has been backed up since"

    def home():
        return page.get("/").content.decode()

    assert sentence not in home()
    User.objects.update(date_joined=timezone.now() - timedelta(days=3))
    assert sentence in home()
    store_task_run(Chore.BACKUP)
    assert sentence not in home()
    Upkeep.objects.update(at=timezone.now() - timedelta(days=1, hours=23))
    assert sentence not in home()
    Upkeep.objects.update(at=timezone.now() - timedelta(days=2, hours=1))
    assert sentence in home()
    Membership.objects.update(is_director=False, is_helper=True)
    assert sentence not in home()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of SQLite")
def test_a_backup_holds_a_database_of_its_own(file):
    ClubFactory(name="Ours")
    backup(file)

    with sqlite3.connect(unpacked(file)) as copy:
        assert copy.execute("SELECT name FROM clubs_club").fetchall() == [("Ours",)]
        # one file, which may be copied on
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)


@pytest.fixture
def shred():
    """A name between the rows of the database's file, where no query reads it: SQLite leaves some of its own."""
    ClubFactory(name="Forgotten Shred")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("PRAGMA secure_delete=OFF")
        other.execute("DELETE FROM clubs_club")
        other.commit()
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return b"Forgotten Shred"


def file_itself():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(connection.settings_dict["NAME"]).read_bytes()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file of SQLite")
def test_what_lies_between_the_rows_is_in_no_backup_and_gone_after_a_night(file, shred, tmp_path):
    assert shred in file_itself()

    backup(file)
    assert shred not in unpacked(file).read_bytes()
    assert shred in file_itself()

    call_command("night", str(tmp_path), stdout=StringIO())
    assert shred not in file_itself()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a file of PostgreSQL")
def test_a_backup_holds_what_pg_restore_reads(file):
    backup(file)

    listed = subprocess.run(
        ["pg_restore", "--list", unpacked(file)], capture_output=True, text=True, check=True
    )

    assert "clubs_club" in listed.stdout
