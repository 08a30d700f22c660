"""The URLs of the tables, below those of the players' pages with the session's code."""

from django.urls import path

from .pages import joining, round_page, typed_deals, views

AT = "p/<str:code>/table/<int:table>"
urlpatterns = [
    path(f"{AT}/", round_page.table, name="table"),
    path(f"{AT}/key/<str:key>/", joining.join, name="table-join"),
    path(f"{AT}/digits/", joining.digits, name="table-digits"),
    path(f"{AT}/who/", joining.choose_contestant, name="table-who"),
    path(f"{AT}/call/", views.call_director, name="table-call"),
    path(
        f"{AT}/round/<int:round>/board/<int:number>/", views.store_early_result, name="table-coming"
    ),
    path(f"{AT}/pads/", views.send_keypads, name="table-pads"),
    path(f"{AT}/swap/", joining.swap, name="table-swap"),
    path(f"{AT}/board/<int:play>/", views.board, name="table-board"),
    path(
        f"{AT}/board/<int:play>/check/", views.check_with_other_side, {"came": ""}, name="table-yes"
    ),
    path(f"{AT}/board/<int:play>/cards/", typed_deals.cards, name="table-cards"),
    path(f"{AT}/board/<int:play>/exchange/", views.exchange_boards, name="table-exchange"),
    path(f"{AT}/board/<int:play>/choose/", views.choose_version, name="table-choose"),
    path(
        f"{AT}/board/<int:play>/check/<slug:came>/", views.check_with_other_side, name="table-check"
    ),
]
