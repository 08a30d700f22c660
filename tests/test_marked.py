"""All text of templates is marked for translation, including pages that no test opens in another language."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
#: what is translated, what is worked out, and what nobody reads
NOT_SAID = [
    r"\{% comment %\}.*?\{% endcomment %\}|\{#.*?#\}",
    r"\{% blocktranslate\b.*?\{% endblocktranslate\b.*?%\}",
    r"\{% block \w+_(?:class|attributes) %\}.*?\{% endblock \w* ?%\}",
    r"<(style|script|kbd)\b.*?</\1>|<!--.*?-->",
    r"\{%.*?%\}|\{\{.*?\}\}",
    r"&\w+;|\(\.csv\)",
]
READ_OUT = re.compile(r'\b(?:aria-label|placeholder|alt|title)="([^"]*)"')
WORD = re.compile(r"[^\W\d_]{3,}")
#: names of programs, federations and formats are the same everywhere; what is copied into another page is its code
NAMES = {"BridgeBuddy", "BridgeWebs", "ABF", "ACBL", "ACBLscore", "DBV", "EBU", "WBF"}
NAMES |= {"USEBIO", "PBN", "LIN", "DUP", "CSV", "JSON", "ZIP"}
CODE = {"iframe", "src", "width", "height", "title"}


def unmarked(text: str) -> set[str]:
    """Return the words of a template that are not marked for translation."""
    for item in NOT_SAID:
        text = re.sub(item, " ", text, flags=re.DOTALL)
    said = [*READ_OUT.findall(text), re.sub(r"<[^>]*>", " ", text)]
    return {word for text in said for word in WORD.findall(text)} - NAMES


@pytest.mark.parametrize(
    "text", ["<p>Nobody came</p>", '<a title="Their boards">', "{% if x %} That is so{% endif %}"]
)
def test_a_sentence_that_is_not_marked_is_seen(text):
    assert unmarked(text)


def test_whatever_a_template_says_can_be_translated():
    read = [*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt")]
    found = {str(path): unmarked(path.read_text(encoding="utf-8")) for path in read}

    assert {name: words for name, words in found.items() if words - CODE} == {}
