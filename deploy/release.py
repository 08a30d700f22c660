"""Install BridgeBuddy beside the running version, switch to it, and go back.

    python3 deploy/release.py install       build the version in this folder, and switch to it when it works
    python3 deploy/release.py back          return to the version before, with its database
    python3 deploy/release.py run COMMAND   run a command of the program as its user and with its settings

Needs root and Python 3.11 alone. A version never changes once it is built:

    /opt/bridgebuddy/releases/7     the program, and a link `.venv` to its packages
    /opt/bridgebuddy/venvs/HASH     packages, shared by versions with the same requirements.lock
    /opt/bridgebuddy/current        link to the version that runs; changed by one rename
    /opt/bridgebuddy/previous       link to the version before

The embedded database belongs to a version too, because an older program cannot read a newer database:
`/var/lib/bridgebuddy/bridgebuddy.sqlite3` is a link to `current/database`, and that is a link to the file. A version
that adds migrations gets a migrated copy. So the rename of `current` switches program and database together: a power
cut before it changes nothing, and going back is the same rename. A database named by DATABASE_URL is backed up and
migrated in place; going back restores the backup.
"""

import os
import sys
from collections.abc import Callable

from installer.machine import Machine, UpdateFailed, say
from installer.versions import back, install, run

COMMANDS: dict[str, Callable[[Machine], None]] = {"install": install, "back": back}


def main(arguments: list[str]) -> int:
    """Do what the command line asks for and return the exit code."""
    name, *words = arguments or [""]
    if os.geteuid() != 0 and name != "run":
        say("Run it as root, with sudo.")
        return 1
    os.umask(0o022)  # the program's user reads what root installs
    try:
        if name == "run":
            return run(Machine(), words)
        if name not in COMMANDS or words:
            say(str(__doc__))
            return 2
        COMMANDS[name](Machine())
    except (UpdateFailed, OSError) as failed:
        say(f"FAILED: {failed}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
