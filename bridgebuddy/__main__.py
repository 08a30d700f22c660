"""BridgeBuddy as one command, where it was installed as a package.

`bridgebuddy` starts it as `make run` does; `bridgebuddy backup FILE` and the like are what `manage.py` does.
What it writes lies in the folder for data of the person who starts it, unless `VAR_DIR` names another.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

from bridgebuddy import __version__


def data_folder() -> Path:
    """Return where data of the person who starts it are kept: as freedesktop.org says, on Windows its own place."""
    told = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_DATA_HOME")
    return (Path(told) if told else Path.home() / ".local" / "share") / "bridgebuddy"


def main() -> None:
    """Do what the command line asks for; nothing: make the database ready, and answer until told to stop."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    os.environ.setdefault("VAR_DIR", str(data_folder()))
    asked = sys.argv[1:]
    if asked and not asked[0].startswith("-"):
        from django.core.management import execute_from_command_line

        execute_from_command_line(["bridgebuddy", *asked])
    else:
        start(asked)


def start(asked: list[str]) -> None:
    """Start the server, with a demo club where there is no other."""
    parser = ArgumentParser(
        prog="bridgebuddy", description="Duplicate-bridge evenings, in a browser."
    )
    parser.add_argument("--version", action="version", version=f"BridgeBuddy {__version__}")
    parser.add_argument("--host", default="0.0.0.0", help="phones reach it on all addresses")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(asked)

    import django
    from django.core.management import CommandError, call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("compile_translations")
    try:
        call_command("demo", port=options.port)
    except CommandError as there_is_a_club:
        print(there_is_a_club)  # noqa: T201
    try:
        call_command("serve", host=options.host, port=options.port)
    except CommandError as said:
        sys.exit(str(said))


if __name__ == "__main__":
    main()
