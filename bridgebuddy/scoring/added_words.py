"""The form by which anybody adds a word to the secret that boards are dealt from."""

from django import forms
from django.utils.translation import gettext_lazy

from .services.dealing import LONGEST_WORD


class WordForm(forms.Form):
    """A word that somebody adds."""

    word = forms.CharField(
        label=gettext_lazy("A word of your own"),
        max_length=LONGEST_WORD,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
