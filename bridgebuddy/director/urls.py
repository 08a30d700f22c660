"""The director's addresses."""

from django.urls import path

from .views import desk, movement

urlpatterns = [
    path("s/<str:code>/movement/", movement.choose, name="choose-movement"),
    path("s/<str:code>/desk/", desk.desk, name="desk"),
    path("s/<str:code>/rounds/", desk.all_rounds, name="all-rounds"),
    path("s/<str:code>/next-round/", desk.next_round, name="next-round"),
    path("s/<str:code>/back/", desk.back, name="back"),
    path("s/<str:code>/finish/", desk.finish, name="finish"),
    path("s/<str:code>/clock/", desk.clock, name="clock"),
]
