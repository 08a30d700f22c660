"""BridgeBuddy as one command, for an installed package.

`bridgebuddy` starts it as `make run` does; `bridgebuddy backup FILE` and others do the same as with `manage.py`. Its
files are in the user's data folder, unless `VAR_DIR` names another.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

from bridgebuddy import __version__


def data_folder() -> Path:
    """Return the folder for the user's BridgeBuddy data, by the conventions of the operating system."""
    folder = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_DATA_HOME")
    return (Path(folder) if folder else Path.home() / ".local" / "share") / "bridgebuddy"


def main() -> None:
    """Run the management command of the command line; without one, prepare the database and serve until stopped."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    os.environ.setdefault("VAR_DIR", str(data_folder()))
    arguments = sys.argv[1:]
    if arguments and not arguments[0].startswith("-"):
        from django.core.management import execute_from_command_line

        execute_from_command_line(["bridgebuddy", *arguments])
    else:
        start(arguments)


def start(arguments: list[str]) -> None:
    """Update the database and start the server; on a new database, make a demo club first."""
    parser = ArgumentParser(
        prog="bridgebuddy", description="Duplicate-bridge evenings, in a browser."
    )
    parser.add_argument("--version", action="version", version=f"BridgeBuddy {__version__}")
    parser.add_argument("--host", default="0.0.0.0", help="phones reach it on all addresses")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args(arguments)

    import django
    from django.core.management import CommandError, call_command

    django.setup()
    try:
        call_command("migrate", verbosity=0)
    except CommandError as said:
        sys.exit(str(said))
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
