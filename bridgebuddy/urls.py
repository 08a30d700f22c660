"""All URLs of BridgeBuddy."""

from django.urls import include, path

urlpatterns = [
    path("", include("bridgebuddy.director.urls")),
    path("", include("bridgebuddy.table_phones.urls")),
    path("", include("bridgebuddy.players.urls")),
    path("", include("bridgebuddy.printing.urls")),
    path("", include("bridgebuddy.clubs.urls")),
    path("", include("movements.library.urls")),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]

handler500 = "bridgebuddy.web.error_pages.error_page"
