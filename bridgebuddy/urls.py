"""Every address of BridgeBuddy."""

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
]
