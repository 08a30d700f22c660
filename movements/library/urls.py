"""The library's addresses."""

from django.urls import path

from . import views

urlpatterns = [
    path("movements/", views.library, name="library"),
    path("movements/<slug:family>/<int:tables>/", views.movement, name="movement"),
    path("movements/<slug:family>/<int:tables>.<slug:form>", views.download, name="download"),
]
