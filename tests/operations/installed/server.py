"""A server for many clubs, as `docs/admin/federation.md` sets it up without containers."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from .debian import ROOT, SOURCE, debian, packages_of_the_server
from .walk import FAILING, MIGRATION, Walk

PAGE = (ROOT / "docs/admin/federation.md").read_text()
CLONE = "/usr/local/src/bridgebuddy"
PASSWORD = "by6the7book"
SERVICES = "bridgebuddy@8000 bridgebuddy-work"
#: what the operator fills in; a value with spaces and without quotes is one that systemd takes, too
FILLED_IN = {
    "SECRET_KEY": "k" * 50,
    "ALLOWED_HOSTS": "localhost",
    "CSRF_TRUSTED_ORIGINS": "https://localhost",
    "PUBLIC_URL": "https://localhost",
    "DATABASE_URL": f"postgres://bridgebuddy:{PASSWORD}@127.0.0.1/bridgebuddy",
    "BACKUP_PASSPHRASE": "four words by heart",
}


def documented(word: str) -> str:
    """Return the one block of commands of the page in which a word stands."""
    blocks = re.findall(r"(?:^    .+\n)+", PAGE, re.M)
    (block,) = [block for block in blocks if word in block]
    return re.sub(r"\s+#.*|^    ", "", block, flags=re.M)


def documented_update() -> str:
    (line,) = re.findall(r"^\*\*An update:\*\* `(.*)`\.", PAGE, re.M)
    return line


def walk_a_server() -> list[str]:
    """Install, break and update a server with PostgreSQL, Redis and Caddy; return the rows of its table."""
    with debian(packages_of_the_server()) as machine:
        walk = ServerWalk(
            machine,
            documented_update(),
            f"cd {CLONE} && python3 deploy/release.py back",
            address="https://localhost",
            health="http://127.0.0.1:8000",
        )
        install(walk)
        verify_units(walk)
        walk.do_a_job()
        walk.night_backup_restore(f"systemctl stop {SERVICES}", f"systemctl start {SERVICES}")
        stop_redis(walk)
        failing_updates(walk)
        power_cuts(walk)
        walk.update_and_back()
        return walk.rows


class ServerWalk(Walk):
    """A server whose operator gets versions by `git pull`."""

    def source(self, marker: str = "", **changes: str) -> None:
        super().source(marker, **changes)
        commit = "git add --all . && git -c user.name=a -c user.email=a@b.org commit --quiet --allow-empty -m version"
        self.machine.must(f"cd {SOURCE} && git init --quiet . && {commit}")


def install(walk: Walk) -> None:
    """Run the page's commands one by one."""
    machine = walk.machine
    walk.source()
    machine.boot()  # Debian starts the database and Redis once they are installed
    for line in documented("useradd").splitlines():
        command = line.replace("<address of BridgeBuddy>", SOURCE)
        command = (
            command
            if command.startswith(("useradd", "install -d", "git"))
            else f"cd {CLONE} && {command}"
        )
        machine.must(command, f"{PASSWORD}\n{PASSWORD}\n" if "--pwprompt" in line else "")
        if "bridgebuddy.env" in line:
            fill_in(walk)
    assert walk.answers(), machine.logs()
    machine.must(f"cd {CLONE} && cp deploy/Caddyfile /etc/caddy/")
    drop = machine.root / "etc/systemd/system/caddy.service.d/override.conf"
    drop.parent.mkdir(parents=True)
    drop.write_text("[Service]\nEnvironment=BRIDGEBUDDY_SITE=localhost\n")
    machine.must("systemctl restart caddy")
    walk.begin("--force")
    walk.look()
    walk.restart()
    walk.look()
    walk.note("installed by the commands of the page, power cut", "nothing")


def fill_in(walk: Walk) -> None:
    file = walk.machine.root / "etc/bridgebuddy.env"
    text = file.read_text()
    for name, value in FILLED_IN.items():
        text, count = re.subn(f"^{name}=.*$", f"{name}={value}", text, flags=re.M)
        assert count == 1, name
    file.write_text(text)


def verify_units(walk: Walk) -> None:
    """Let systemd read the installed units, with the programs that they start."""
    if shutil.which("systemd-analyze") is None:
        print("The units were not verified: this machine has no systemd-analyze.")
        return
    # the root has no systemd, whose own units are read, too
    own = Path("/usr/lib/systemd/system")
    shutil.copytree(
        own, walk.machine.root / own.relative_to("/"), symlinks=True, dirs_exist_ok=True
    )
    units = sorted((walk.machine.root / "etc/systemd/system").glob("bridgebuddy*.*"))
    names = [unit.name.replace("@.", "@8000.") for unit in units]
    done = subprocess.run(
        ["systemd-analyze", "verify", f"--root={walk.machine.root}", *names],
        capture_output=True,
        text=True,
    )
    about_ours = [line for line in done.stderr.splitlines() if "bridgebuddy" in line]
    assert about_ours == [], about_ours
    walk.note("`systemd-analyze verify` of the installed units", "nothing")


def stop_redis(walk: Walk) -> None:
    walk.machine.must("systemctl stop redis-server")
    walk.look()
    walk.machine.must("systemctl start redis-server")
    walk.note("Redis stopped", "nothing")


def failing_updates(walk: Walk) -> None:
    migration = MIGRATION.format(work="pass")
    walk.source("the new", migration=MIGRATION.format(work=FAILING))
    walk.fails(
        "update whose migration fails: the backup is restored",
        "The database could not be migrated.",
    )
    walk.source(
        "the new", migration=migration, serve="\nCommand.handle = lambda *a, **b: print('no')\n"
    )
    walk.fails(
        "update to a server that does not start: the backup is restored",
        "The new version does not answer.",
    )
    walk.source(
        "the new", migration=migration, server="\n[Service]\nExecStart=/bin/false serve --port %i\n"
    )
    short = {"BRIDGEBUDDY_PATIENCE": "25"}  # this one never answers
    walk.fails(
        "update whose unit is wrong: the backup is restored",
        "The version before runs again.",
        **short,
    )
    walk.source("the new", migration=migration)


def power_cuts(walk: Walk) -> None:
    """Pull the plug before and after the migration; then a backup must be restored, as the page says."""
    machine = walk.machine
    walk.cut_power_at("Building the new version")
    assert walk.answers(), machine.logs()
    walk.look()
    walk.note("power cut at *Building the new version*", "nothing")
    walk.cut_power_at("Trying the new version")
    code, said = machine.run(f"systemctl stop {SERVICES}; bridgebuddy serve --port 0")
    sentence = "A newer version of BridgeBuddy has written the database"
    assert (code, sentence in said) == (1, True), said
    backup = max(
        machine.root.glob("var/lib/bridgebuddy/before-update-*"),
        key=lambda file: file.stat().st_mtime,
    )
    machine.must(f"bridgebuddy restore --yes /var/lib/bridgebuddy/{backup.name}")
    machine.must(f"systemctl start {SERVICES}")
    assert walk.answers(), machine.logs()
    walk.look()
    walk.note(
        "power cut at *Trying the new version*, `bridgebuddy restore before-update-N`", sentence
    )
