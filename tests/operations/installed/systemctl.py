#!/usr/bin/python3
"""Stand in for systemd in a Debian root: start and stop the commands of units, as the users that they name.

Knows the commands of the installer and the documents: start, stop, enable, list-units, daemon-reload; and `boot`, which
starts the enabled units as after power-on. Sandboxing is left out: `systemd-analyze` looks at that. PostgreSQL,
Redis and Caddy are started by their own means if they are installed.
"""

import fnmatch
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS, STATE = Path("/etc/systemd/system"), Path("/run/units")
WANTED = UNITS / "wanted"
OTHERS = ("postgresql", "redis-server", "caddy")


def unit_of(name):
    return UNITS / re.sub(r"@[^.]*", "@", name)


def full(name):
    return name if "." in name else f"{name}.service"


def read(name):
    """Return the lines of a unit by their keys, with its instance and folders filled in."""
    instance = name.rpartition(".")[0].partition("@")[2]
    text = unit_of(name).read_text().replace("%i", instance).replace("%S", "/var/lib")
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.M))


def is_running(name):
    file = STATE / name
    if not file.exists():
        return False
    pid = int(file.read_text())
    if not pid:
        return True
    told = Path(f"/proc/{pid}/stat")
    return told.exists() and told.read_text().rpartition(")")[2].split()[0] != "Z"


def environment(file):
    """Return systemd's reading of an environment file: spaces need no quotes."""
    lines = Path(file).read_text().splitlines() if Path(file).exists() else []
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {name: value.strip().strip("\"'") for name, _, value in pairs}


def start(name):
    if is_running(name):
        return
    unit = read(name)
    STATE.mkdir(exist_ok=True)
    if "ExecStart" not in unit:  # a timer
        (STATE / name).write_text("0")
        return
    user = unit["User"]
    drop = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    if "AmbientCapabilities" in unit:
        wanted = unit["AmbientCapabilities"].removeprefix("CAP_").lower()
        drop += [f"--inh-caps=+{wanted}", f"--ambient-caps=+{wanted}"]
    folder = Path("/var/lib") / unit["StateDirectory"]
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [*drop, *shlex.split(unit["ExecStart"])],
        cwd=unit["WorkingDirectory"],
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment(unit["EnvironmentFile"])},
        stdin=subprocess.DEVNULL,
        stdout=os.open(f"/var/log/{name}.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    (STATE / name).write_text(str(process.pid))
    if unit.get("Type") == "oneshot":
        sys.exit(process.wait())


def stop(name):
    if is_running(name) and (pid := int((STATE / name).read_text())):
        os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + 40
        while is_running(name) and time.monotonic() < until:
            time.sleep(0.05)
        if is_running(name):
            os.killpg(pid, signal.SIGKILL)
    (STATE / name).unlink(missing_ok=True)


def other(verb, name):
    """Start, stop or restart a service of Debian's."""
    if name == "postgresql":
        for cluster in Path("/etc/postgresql").glob("*/*"):
            command = ["pg_ctlcluster", "--skip-systemctl-redirect", "--mode=fast"]
            subprocess.run([*command, cluster.parent.name, cluster.name, verb], check=True)
        return None
    script = Path("/etc/init.d", name)
    if script.exists():
        return subprocess.run([script, verb], check=True, stdout=subprocess.DEVNULL)
    if name != "caddy" or not Path("/usr/bin/caddy").exists():
        return None
    caddy = ["setpriv", "--reuid=caddy", "--regid=caddy", "--clear-groups"]
    caddy += ["--inh-caps=+net_bind_service", "--ambient-caps=+net_bind_service", "/usr/bin/caddy"]
    drop = Path("/etc/systemd/system/caddy.service.d/override.conf")
    told = re.findall(r"^Environment=(\w+)=(.*)$", drop.read_text(), re.M) if drop.exists() else []
    own = {"PATH": "/usr/bin:/bin", "HOME": "/var/lib/caddy", **dict(told)}
    if verb != "start":
        subprocess.run([*caddy, "stop"], env=own, stderr=subprocess.DEVNULL)
    if verb != "stop":
        begin = [*caddy, "start", "--config", "/etc/caddy/Caddyfile"]
        with open("/var/log/caddy.log", "a") as log:
            subprocess.run(begin, env=own, check=True, stdout=log, stderr=log)
    return None


def enable(name):
    WANTED.mkdir(exist_ok=True)
    (WANTED / name).touch()


def main():
    with open("/var/log/systemctl.log", "a") as log:
        log.write(f"{' '.join(sys.argv[1:])}\n")
    verb, *rest = sys.argv[1:]
    now = "--now" in rest
    names = [full(word) for word in rest if not word.startswith("-")]
    names = [name for name in names if "bridgebuddy" in name]
    for name in OTHERS:
        if name in rest and verb in ("start", "stop", "restart"):
            other(verb, name)
    if verb == "list-units":
        pattern = rest[-1]
        running = sorted(STATE.glob("*")) if STATE.exists() else []
        for file in running:
            if fnmatch.fnmatch(file.name, pattern) and is_running(file.name):
                print(f"{file.name} loaded active running")
    elif verb == "enable":
        for name in names:
            enable(name)
            if now:
                start(name)
    elif verb in ("start", "restart"):
        for name in names:
            if verb == "restart":
                stop(name)
            start(name)
    elif verb == "stop":
        for name in names:
            stop(name)
    elif verb == "boot":
        for file in STATE.glob("*"):
            file.unlink()
        for name in OTHERS:
            other("start", name)
        for file in sorted(WANTED.glob("*")):
            start(file.name)


main()
