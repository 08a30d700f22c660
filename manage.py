#!/usr/bin/env python
"""Django's command line for BridgeBuddy."""

import os
import sys


def main() -> None:
    if sys.argv[1:] == ["--version"]:  # Django would print its own
        from bridgebuddy import __version__

        print(f"BridgeBuddy {__version__}")  # noqa: T201
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
