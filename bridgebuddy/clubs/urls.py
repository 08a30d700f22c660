"""The clubs' addresses."""

from django.urls import path

from . import own_account, views

urlpatterns = [
    path("clubs/new/", views.new_club, name="new-club"),
    path("account/delete/", own_account.delete_account, name="delete-account"),
    path("account/language/", views.own_language, name="own-language"),
    path("clubs/<int:pk>/", views.settings, name="club-settings"),
    path("clubs/<int:pk>/logo/", views.keep_logo, name="keep-logo"),
    path("clubs/<int:pk>/logo/remove/", views.remove_logo, name="remove-logo"),
    path("clubs/<int:pk>/directors/", views.add_director, name="add-director"),
]
