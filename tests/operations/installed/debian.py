"""A Debian of its own: a root made by mmdebstrap, in namespaces without a network, that is thrown away.

Says why where it cannot be made: it needs root, Linux namespaces, and Debian's and Python's package indexes.
Downloads are kept under `var/debian`: the root with its packages for a week, Python's packages for as long as the
lock is the same.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
KEPT = ROOT / "var/debian"
SUITE = os.environ.get("SUITE", "bookworm")
#: in the root: where the volunteer has the program, and where pip finds packages without a network
SOURCE, WHEELS = "/root/bridgebuddy", "/wheels"
#: for each download: a mirror that hangs is one that is away
MOST_SECONDS = 900
LOOPBACK_UP = (
    "import fcntl, socket, struct; s = socket.socket();"
    " fcntl.ioctl(s, 0x8914, struct.pack('16sh', b'lo', 0x49))"
)


class CannotRun(Exception):
    """Why there can be no Debian root here, as a sentence."""


def packages_of_the_box() -> list[str]:
    """Return the packages that club-box.sh installs."""
    script = (ROOT / "deploy/club-box.sh").read_text()
    (line,) = re.findall(r"system-packages.sh\" (.*)$", script, re.M)
    return line.split()


def packages_of_the_server() -> list[str]:
    """Return the packages that federation.md installs."""
    page = (ROOT / "docs/admin/federation.md").read_text()
    (line,) = re.findall(r"^`apt-get install (.*)`$", page, re.M)
    return line.split()


@dataclass
class Debian:
    """A running root; `init` holds its namespaces, and everything in them ends with it."""

    root: Path
    init: subprocess.Popen[bytes]

    @property
    def _inside(self) -> list[str]:
        children = Path(f"/proc/{self.init.pid}/task/{self.init.pid}/children").read_text()
        pid = children.split()[0]
        return ["nsenter", "--mount", "--pid", "--net", "--uts", "--ipc", "--target", pid]

    def start(self, command: str, **environment: str) -> subprocess.Popen[str]:
        """Start a shell command as root in the root, and do not wait for it."""
        usual = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": WHEELS,
        }
        return subprocess.Popen(
            [*self._inside, "chroot", self.root, "sh", "-c", command],
            env={**usual, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str, given: str = "", **environment: str) -> tuple[int, str]:
        """Run a shell command as root in the root; return its exit code and everything it wrote."""
        with self.start(command, **environment) as process:
            said, _ = process.communicate(given)
        return process.returncode, said

    def must(self, command: str, given: str = "", **environment: str) -> str:
        code, said = self.run(command, given, **environment)
        assert code == 0, f"{command}: exit {code}\n{said}\n{self.logs()}"
        return said

    def logs(self) -> str:
        files = sorted((self.root / "var/log").glob("bridgebuddy*.log"))
        return "\n".join(f"== {file.name}\n{file.read_text()[-2000:]}" for file in files)

    def cut_power(self) -> None:
        """End every process at once, as after pulling the plug, and lose the contents of memory."""
        self.init.kill()
        self.init.wait()
        self.init = _start_init(self.root)

    def boot(self) -> None:
        """Start the enabled units, as after power-on."""
        self.must("systemctl boot")


def refuse_unfit_machine() -> None:
    """Raise `CannotRun` if this machine can make no Debian root."""
    if os.geteuid() != 0:
        raise CannotRun("only root may make a Debian root")
    if shutil.which("mmdebstrap") is None:
        script = ROOT / "docs/admin/system-packages.sh"
        subprocess.run(["sh", script, "mmdebstrap"], capture_output=True)
    for program in ("mmdebstrap", "unshare", "nsenter", "chroot", "tar"):
        if shutil.which(program) is None:
            raise CannotRun(f"the program {program} is missing and cannot be installed")
    if subprocess.run(
        ["unshare", "--mount", "--pid", "--net", "--ipc", "--fork", "true"], capture_output=True
    ).returncode:
        raise CannotRun("this machine allows no namespaces")


def make_root(folder: Path, packages: Sequence[str]) -> Path:
    """Make a Debian root with some packages, and the packages of Python for the program. Raises `CannotRun`."""
    root = folder / "root"
    root.mkdir()
    include = ",".join(["ca-certificates", *packages])
    archive = _kept(
        f"root-{SUITE}.tar", include, date.today().strftime("%G-%V"), make=_bootstrap(include)
    )
    subprocess.run(["tar", "-xpf", archive, "--numeric-owner", "-C", root], check=True)
    copy_program(root)
    lock = (ROOT / "requirements.lock").read_text()
    wheels = _kept(f"wheels-{SUITE}", lock, make=lambda draft: _fetch_wheels(root, draft))
    shutil.copytree(wheels, root / WHEELS.lstrip("/"))
    for name, stub in {
        "systemctl": HERE / "systemctl.py",
        "visitor.py": HERE / "visitor.py",
    }.items():
        target = root / "usr/bin" / name
        target.unlink(missing_ok=True)
        shutil.copy(stub, target)
        target.chmod(0o755)
    (root / "usr/bin/hostnamectl").write_text("#!/bin/sh\n")
    (root / "usr/bin/hostnamectl").chmod(0o755)
    return root


def _kept(name: str, *state: str, make: Callable[[Path], None]) -> Path:
    """Return a file or folder that is kept from run to run, and make it if its state is new."""
    digest = hashlib.sha256("\0".join([name, *state]).encode()).hexdigest()[:12]
    kept = KEPT / f"{digest}-{name}"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=KEPT) as folder:
            make(draft := Path(folder, name))
            draft.rename(kept)
    kept.touch()
    return kept


def forget_old_downloads() -> None:
    """Delete downloads that have not been used for two weeks."""
    for kept in KEPT.glob("*"):
        if (date.today() - date.fromtimestamp(kept.stat().st_mtime)).days > 14:
            shutil.rmtree(kept) if kept.is_dir() else kept.unlink()


def _download(command: Sequence[str | Path], failed: str, **more: Any) -> None:
    """Run a command that needs a network. Raises `CannotRun` if it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, **more)
    except subprocess.TimeoutExpired as slow:
        raise CannotRun(f"{failed}: it took more than {MOST_SECONDS} seconds") from slow
    if done.returncode:
        raise CannotRun(f"{failed}: {done.stderr.strip()[-300:]}")


def _bootstrap(include: str) -> Callable[[Path], None]:
    def make(draft: Path) -> None:
        options = ("--quiet", "--variant=apt", f"--include={include}")
        _download(["mmdebstrap", *options, SUITE, draft], "mmdebstrap failed")

    return make


def copy_program(root: Path, where: str = SOURCE) -> Path:
    """Copy the files that git knows, as a clone has them; what git itself keeps in the folder stays."""
    target = root / where.lstrip("/")
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if name.startswith("tests/") or not (ROOT / name).is_file():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    return target


def _fetch_wheels(root: Path, draft: Path) -> None:
    """Let pip in the root fetch the wheels of the lock: beside mmdebstrap the only step that needs a network."""
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", root / "etc/ssl/certs/ca-certificates.crt")
    lock = f"{SOURCE}/requirements.lock"
    fetch = (
        "python3 -m venv /tmp/fetch"
        f" && /tmp/fetch/bin/pip download -q --require-hashes -r {lock} -d /tmp/wheels && rm -r /tmp/fetch"
    )
    passed_on = ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "PIP_INDEX_URL")
    mine = {name: os.environ[name] for name in passed_on if name in os.environ}
    own = {"PATH": "/usr/bin:/bin:/usr/sbin", "HOME": "/root", **mine}
    _download(["chroot", root, "sh", "-c", fetch], "pip could not fetch the packages", env=own)
    shutil.move(root / "tmp/wheels", draft)


def _start_init(root: Path) -> subprocess.Popen[bytes]:
    script = (
        f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev"
        f" && mount -t tmpfs tmpfs {root}/dev/shm && mount -t tmpfs tmpfs {root}/run && mkdir -p {root}/run/systemd/system"
        f' && {sys.executable} -c "{LOOPBACK_UP}" && echo ready && exec sleep infinity'
    )
    init = subprocess.Popen(
        [
            "unshare",
            "--mount",
            "--pid",
            "--net",
            "--uts",
            "--ipc",
            "--fork",
            "--kill-child",
            "sh",
            "-c",
            script,
        ],
        stdout=subprocess.PIPE,
    )
    assert init.stdout is not None
    if init.stdout.readline() != b"ready\n":
        raise CannotRun("the namespaces of the Debian root cannot be set up")
    return init


@contextmanager
def debian(packages: Sequence[str]) -> Iterator[Debian]:
    """Yield a Debian with some packages and the program's source; delete everything afterwards."""
    refuse_unfit_machine()
    folder = Path(tempfile.mkdtemp(prefix="bridgebuddy-debian-"))
    try:
        root = make_root(folder, packages)
        machine = Debian(root, _start_init(root))
        try:
            yield machine
        finally:
            machine.init.kill()
            machine.init.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
