"""The club's public page: whether it is on, its address and its text."""

from __future__ import annotations

from typing import Any

from anyascii import anyascii
from django import forms
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods

from bridgebuddy.clubs.access import club_for_secretary
from bridgebuddy.clubs.models import Club
from bridgebuddy.clubs.single_rows import SingleRowForm, save_single_row
from bridgebuddy.operations.local_network import phone_base
from bridgebuddy.publication.documents import (
    LONGEST_TITLE,
    MOST_DOCUMENTS,
    BadLine,
    LongTitle,
    read_documents,
)
from bridgebuddy.publication.models import ClubPage

from .forms import GroupForm, two_way_switch
from .undo import SettingsUndo

REFUSED = 422
LONGEST = 40


class PublicPageForm(GroupForm, SingleRowForm):
    """The form for the contents of a club's public page."""

    is_on = two_way_switch(_lazy("The club’s page"), no=_lazy("off"), yes=_lazy("on"))
    is_indexed = two_way_switch(
        _lazy("Search engines"), no=_lazy("leave it out"), yes=_lazy("may find it")
    )

    class Meta:
        model = ClubPage
        fields = ["is_on", "address", "words", "is_indexed", "documents"]
        widgets = {"documents": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, data: Any = None, **rest: Any) -> None:
        super().__init__(data, **rest)
        self.fields["address"].label = _("Address")
        self.fields["words"].label = _("When and where you play")
        self.fields["documents"].label = _("Documents for members")
        self.fields["documents"].help_text = _(
            "One a line: “Rules https://example.org/rules.pdf”. Signed-in members find them on their "
            "first page; the club’s page has none."
        )

    def clean_documents(self) -> str:
        """Return the typed document links; refuse lines without a title or a web address."""
        text = str(self.cleaned_data["documents"])
        try:
            documents = read_documents(text)
        except LongTitle as long:
            facts = {"title": long.line, "most": LONGEST_TITLE}
            message = _("The title “%(title)s” has more than %(most)s characters.") % facts
            raise forms.ValidationError(message) from None
        except BadLine as bad:
            message = _("“%(line)s” is not a title with a web address.") % {"line": bad.line}
            raise forms.ValidationError(message) from None
        if len(documents) > MOST_DOCUMENTS:
            raise forms.ValidationError(
                _("There is room for %(most)s documents.") % {"most": MOST_DOCUMENTS}
            )
        return "\n".join(f"{document.title} {document.address}" for document in documents)

    def clean_address(self) -> str:
        """Return the address of the public page in lower case."""
        return str(self.cleaned_data["address"]).casefold()


def page_of(club: Club) -> ClubPage:
    """Return a club's public page; if there is none, an unsaved one that is off, with a proposed address."""
    stored = ClubPage.objects.filter(club=club).first()
    return stored or ClubPage(club=club, address=_free_address(club))


def _free_address(club: Club) -> str:
    """Return an unused address of a public page, made of the club's name."""
    plain = slugify(anyascii(club.name))[: LONGEST - 5].strip("-") or "club"
    taken = set(
        ClubPage.objects.filter(address__startswith=plain).values_list("address", flat=True)
    )
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (plain, *numbered) if slug not in taken)


@require_http_methods(["GET", "POST"])
def public_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show and store the settings of a club's public page."""
    club = club_for_secretary(request, pk)
    page = page_of(club)
    before = PublicPageForm(instance=page).stored_values()
    form = PublicPageForm(request.POST if request.method == "POST" else None, instance=page)
    undo = SettingsUndo(request, club, "page")
    if request.method == "POST" and form.is_valid() and _save_page(form):
        if "undo" in request.POST:
            undo.delete_values()
        else:
            undo.store_values(before)
        return redirect("club-public", pk=club.pk)
    context = {
        "club": club,
        "tab": "club",
        "group": "page",
        "form": form,
        "form_address": request.path,
        "undo": undo.fields,
        "page": ClubPage.objects.filter(club=club, is_on=True).first(),
        "base": phone_base(request),
    }
    status = REFUSED if form.errors else 200
    return render(request, "director/club/page.html", context, status=status)


def _save_page(form: PublicPageForm) -> bool:
    """Store the settings of a public page; return False if another club has just taken the address."""
    try:
        with transaction.atomic():
            save_single_row(form)
    except IntegrityError:
        form.add_error("address", _("Another club has this address."))
        return False
    return True
