"""Compile the translations; needs no gettext tools on the machine."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compile every django.po into the django.mo that the server reads."
    requires_system_checks: list[str] = []

    def handle(self, *args, **options) -> None:
        for folder in settings.LOCALE_PATHS:
            for po in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                with po.open("rb") as source:
                    catalogue = read_po(source)
                with po.with_suffix(".mo").open("wb") as target:
                    write_mo(target, catalogue)
