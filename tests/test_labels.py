"""Labels that documents quote in italics exist in the product."""

import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

ROOT = settings.BASE_DIR
FOLDERS = ("docs/director", "docs/players", "docs/club", "docs/help/en", "docs/help/de")
DOCUMENTS = [
    ROOT / "README.md",
    *(path for f in FOLDERS for path in sorted((ROOT / f).glob("*.md"))),
]
CATALOG = ROOT / "bridgebuddy" / "locale" / "de" / "LC_MESSAGES" / "django.po"
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
ITALIC = re.compile(r"(?<!\*)\*([A-ZÄÖÜ][^*\n]{2,60}(?:\n[^*\n]{0,60})?)\*(?!\*)")
#: "Settings › Chart of movements", "Results, Draw", "Enter board …": several labels, or the fixed part of one
BETWEEN = re.compile(r" › |, (?=[A-ZÄÖÜ])|…|\d+")
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def normal(text):
    return " ".join(text.replace("’", "'").split()).strip(" .:,").lower()


def texts_of_product():
    """Return all sentences of the product in English and German, one below the other, without placeholders."""
    with CATALOG.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    texts = []
    for message in messages:
        for text in (message.id, message.string):
            texts += [text] if isinstance(text, str) else text
    return "\n".join(normal(PLACEHOLDER.sub("", text)) for text in texts)


@pytest.fixture(scope="module")
def product():
    return texts_of_product()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_quoted_labels_exist(path, product):
    text = CODE.sub("", path.read_text(encoding="utf-8"))
    parts = [
        part for label in ITALIC.findall(text) for part in BETWEEN.split(label) if normal(part)
    ]

    assert [part for part in parts if normal(part) not in product] == []


def test_a_label_that_is_nowhere_is_noticed(product):
    assert normal("Press the blue button") not in product
    assert normal("Start round") in product
