"""The URLs of printing."""

from django.urls import path

from . import views
from .lists import money, movement
from .results import championship

urlpatterns = [
    path("s/<str:code>/print/", views.choose_sheets, name="print"),
    path("print/<slug:family>/<int:tables>.pdf", movement.movement, name="print-movement"),
    path(
        "clubs/<int:pk>/season/<int:championship>/sheet.pdf",
        championship.championship,
        name="print-championship",
    ),
    path("s/<str:code>/money/sheet.pdf", money.cash_sheet, name="print-money-sheet"),
    path("clubs/<int:pk>/money/month.pdf", money.money_month, name="print-money-month"),
    path("s/<str:code>/print/logo.css", views.logo, name="print-logo"),
    path("s/<str:code>/print/<slug:name>.pdf", views.pdf, name="print-pdf"),
    path("s/<str:code>/print/<slug:name>.html", views.preview_sheet, name="print-preview"),
]
