"""The players' addresses: short, and printable."""

from django.urls import path

from . import views

urlpatterns = [
    path("sw.js", views.service_worker, name="service-worker"),
    path("app.webmanifest", views.manifest, name="manifest"),
    path("p/", views.enter_code, name="code"),
    path("p/language/<str:language>/", views.choose_language, name="player-language"),
    path("p/<str:code>/", views.lookup, name="lookup"),
    path("p/<str:code>/room/", views.room, name="room-display"),
    path("p/<str:code>/<str:label>/", views.player, name="player"),
    path("p/<str:code>/<str:label>/read/", views.have_read, name="have-read"),
]
