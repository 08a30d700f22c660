"""Compile the translations; needs no gettext tools on the machine."""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Compile the message catalogues that have changed."""

    help = "Compile every django.po that is newer than its django.mo, which the server reads."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Compile the .po files of all languages to .mo files."""
        for folder in settings.LOCALE_PATHS:
            for po in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                mo = po.with_suffix(".mo")
                if not mo.exists() or mo.stat().st_mtime <= po.stat().st_mtime:
                    _compile_catalog(po, mo)


def _compile_catalog(po: Path, mo: Path) -> None:
    """Write the .mo file of a .po file in one step, because another process may be reading it."""
    with po.open("rb") as source:
        catalogue = read_po(source)
    draft = mo.with_suffix(f".{os.getpid()}")
    with draft.open("wb") as target:
        write_mo(target, catalogue)
    draft.replace(mo)
