"""The form that adds a word to the secret of the deals."""

from django import forms
from django.utils.translation import gettext_lazy

from .services.cards.dealing import LONGEST_WORD


class WordForm(forms.Form):
    """The form in which a player types a word that helps to determine the session's random deals."""

    word = forms.CharField(
        label=gettext_lazy("A word of your own"),
        max_length=LONGEST_WORD,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
