"""Check that every sentence of the product is translated, or collect new sentences."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.commands import makemessages

#: xgettext's time stamp
DATE = re.compile(r'^"POT-Creation-Date: .*"$', re.MULTILINE)
#: the note on texts for players, in a file that also has others
FOR_PLAYERS = "for players"
#: an import of a marking function under another name, and the names that are collected
RENAMED = re.compile(r"\b[np]{0,2}gettext(?:_lazy|_noop)? as (\w+)")
COLLECTED = ("_", "_lazy")
IGNORED = [".venv/*", "var/*", "tests/*", "static/*", "docs/*", "staticfiles/*"]


class SentenceCollector(makemessages.Command):
    """Django's makemessages without fuzzy matching: an empty translation is noticed, a wrong one is not."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=_lazy",  # gettext_lazy, if a module has gettext as _
        # marks of the engine, see movements.engine.translation_marks
        "--keyword=marked",
        f'--keyword=marked_for_players:1,"{FOR_PLAYERS}"',
        "--keyword=marked_in:1c,2",
    ]
    msgmerge_options = [
        *makemessages.Command.msgmerge_options,
        "--no-fuzzy-matching",
    ]


class Command(BaseCommand):
    """Check the message catalogues, or update them."""

    help = (
        "Fail when a sentence is new, gone, fuzzy, untranslated or wrongly so; --update collects."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the argument that rewrites the catalogues instead of only comparing them."""
        parser.add_argument("--update", action="store_true", help="write new sentences to the .po")

    def handle(self, *args: Any, update: bool, **options: Any) -> None:
        """Compare each language's catalogue with the sentences in the code, and report missing translations."""
        if not shutil.which("xgettext"):
            raise CommandError("Install the system package gettext.")
        problems = list(uncollected_calls(Path(settings.BASE_DIR)))
        for po in sorted(Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/django.po")):
            language = po.parent.parent.name
            before, text = _load_catalog(po), po.read_text(encoding="utf-8")
            collected = self._collect_messages(language, po)
            po.write_text(keep_earlier_date(text, po) if update else text, encoding="utf-8")
            problems += problems_of(language, before, collected)
        if update:
            return
        for problem in problems:
            self.stderr.write(problem)
        if problems:
            sys.exit(1)

    def _collect_messages(self, language: str, po: Path) -> Catalog:
        """Run makemessages for a language and return the resulting catalogue."""
        call_command(
            SentenceCollector(),
            locale=[language],
            ignore_patterns=IGNORED,
            add_location="file",
            no_obsolete=True,
            verbosity=0,
        )
        return _load_catalog(po)


def problems_of(language: str, old_catalog: Catalog, collected: Catalog) -> list[str]:
    """Return a catalogue's problems: new, removed, fuzzy and untranslated sentences, and wrong placeholders."""
    problems = [
        f"{language}: new: {message!r}"
        for message in _message_ids(collected) - _message_ids(old_catalog)
    ]
    problems += [
        f"{language}: gone: {message!r}"
        for message in _message_ids(old_catalog) - _message_ids(collected)
    ]
    for message in old_catalog:
        if message.id and message.fuzzy:
            problems.append(f"{language}: fuzzy: {message.id!r}")
        elif _is_wanted(message, language) and not _is_translated(message.string):
            problems.append(f"{language}: untranslated: {message.id!r}")
    for message, errors in old_catalog.check():
        if "no-python-format" not in message.flags:  # "75 % of" looks like a placeholder
            problems += [f"{language}: placeholders: {message.id!r}: {error}" for error in errors]
    return sorted(problems)


def uncollected_calls(root: Path) -> Iterator[str]:
    """Yield calls of translation functions under names that makemessages does not search for."""
    for app in ("bridgebuddy", "movements"):
        for path in sorted((root / app).rglob("*.py")):
            for name in RENAMED.findall(path.read_text(encoding="utf-8")):
                if name not in COLLECTED:
                    yield f"{path.relative_to(root)}: not collected: {name}(…)"


def keep_earlier_date(old_text: str, po: Path) -> str:
    """Return the text of a new .po file, with the creation date from its earlier text."""
    old = DATE.search(old_text)
    now = po.read_text(encoding="utf-8")
    return DATE.sub(lambda _match: old[0], now, count=1) if old else now


def _load_catalog(po: Path) -> Catalog:
    """Read the catalogue of messages in a .po file."""
    with po.open("rb") as file:
        return read_po(file)


def _message_ids(catalogue: Catalog) -> set[object]:
    """Return the English sentences of a catalogue."""
    return {message.id for message in catalogue if message.id}


def _is_wanted(message: Message, language: str) -> bool:
    """Return whether `language` needs a translation of a message; partial languages cover only some places."""
    covered, excluded = settings.PARTIAL_LANGUAGES.get(language, (("",), ()))
    is_covered = any(
        file.startswith(covered) and not file.startswith(excluded)
        for file, _line in message.locations
    )
    return bool(message.id) and (is_covered or FOR_PLAYERS in message.auto_comments)


def _is_translated(string: object) -> bool:
    """Return whether a message, or each of its plural forms, has a translation."""
    return all(string) if isinstance(string, tuple | list) else bool(string)
