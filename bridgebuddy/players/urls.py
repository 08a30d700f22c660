"""The URLs of the players' pages: short, for printing."""

from django.urls import path

from . import club_page, views
from .api import views as api
from .arrivals import door
from .own_pages import (
    mail_address,
    member_home,
    member_mails_off,
    own,
    own_claim,
    own_registration,
)
from .published_results import deals, privacy, results, season

urlpatterns = [
    path("sw.js", views.service_worker, name="service-worker"),
    path("app.webmanifest", views.manifest, name="manifest"),
    path("p/", views.enter_code, name="code"),
    path("p/language/<str:language>/", views.choose_language, name="player-language"),
    path("p/<str:code>/", views.find_contestant, name="lookup"),
    path("p/<str:code>/room/", views.room, name="room-display"),
    path("p/<str:code>/privacy/", privacy.section_privacy, name="player-privacy"),
    path("p/<str:code>/deals/", deals.section_deals, name="player-deals"),
    path("p/<str:code>/deals/word/", deals.add_deal_word, name="player-deals-word"),
    path("p/<str:code>/door/<str:door_key>/", door.show_door, name="door"),
    path("p/<str:code>/door/<str:door_key>/here/", door.store_arrival, name="through-door"),
    path("p/<str:code>/door/<str:door_key>/leave/", door.leave_door, name="leave-door"),
    path("p/<str:code>/<str:label>/", views.show_plan, name="player"),
    path("p/<str:code>/<str:label>/results/", results.my_results, name="my-results"),
    path("p/<str:code>/<str:label>/read/", views.mark_notice_read, name="have-read"),
    path("p/<str:code>/<str:label>/mine/", own_claim.claim_own_page, name="own-claim"),
    path("clubs/<int:pk>/home/", member_home.member_home, name="member-home"),
    path("clubs/<int:pk>/home/page/", member_home.member_page, name="member-page"),
    path(
        "clubs/<int:pk>/home/come/<int:session>/",
        member_home.store_members_registration,
        name="member-come",
    ),
    path("me/", own.own_code, name="own-code"),
    path("me/<str:code>/", own.own_page, name="own-page"),
    path("me/<str:code>/coming/", own_registration.own_open_sessions, name="own-coming"),
    path(
        "me/<str:code>/coming/<int:session>/",
        own_registration.own_session_registration,
        name="own-come",
    ),
    path("me/<str:code>/kept/", own.own_stored_data, name="own-kept"),
    path("me/<str:code>/forget/", own.own_deletion_request, name="own-forget"),
    path("me/<str:code>/file/<str:kind>/", own.own_file, name="own-file"),
    path("mails/<str:signed>/", member_mails_off.member_mails_off, name="member-mails-off"),
    path("mail/<str:secret>/", mail_address.mail_address, name="mail-address"),
    path("club/<slug:address>/", club_page.club_page, name="club-page"),
    path(
        "club/<slug:address>/coming/<int:session>/", club_page.club_registration, name="club-come"
    ),
    path("club/<slug:address>/feed.xml", club_page.club_feed, name="club-feed"),
    path("club/<slug:address>/calendar.ics", club_page.club_calendar, name="club-calendar"),
    path("club/<slug:address>/embed/", club_page.club_embedded, name="club-embedded"),
    path("club/<slug:address>/players/", club_page.club_players, name="club-players"),
    path("club/<slug:address>/players/<int:person>/", club_page.club_players, name="club-player"),
    path("club/<slug:address>/<int:year>/", club_page.club_year, name="club-year"),
    path("club/<slug:address>/<int:year>/<int:month>/", club_page.club_year, name="club-month"),
    path("api/v1/results/<str:token>/", api.results, name="api-results"),
    path(
        "api/v1/results/<str:token>/boards/<str:section>/<int:number>/", api.board, name="api-board"
    ),
    path(
        "api/v1/results/<str:token>/sheets/<str:section>/<str:label>/", api.sheet, name="api-sheet"
    ),
    path(
        "api/v1/results/<str:token>/matches/<str:section>/<int:round>/<str:home>/<str:away>/",
        api.match,
        name="api-match",
    ),
    path("api/v1/championships/<str:token>/", api.championship, name="api-championship"),
    path("api/v1/clubs/<slug:address>/", api.club, name="api-club"),
    path("api/v1/clubs/<slug:address>/results/", api.club_results, name="api-club-results"),
    path("api/v1/schemas/<slug:name>/", api.schema, name="api-schema"),
    path("r/<str:token>/", results.results, name="public-results"),
    path("r/<str:token>/find/", results.find, name="public-find"),
    path("r/<str:token>/privacy/", privacy.results_privacy, name="public-privacy"),
    path("r/<str:token>/deals/", deals.result_deals, name="public-deals"),
    path(
        "r/<str:token>/deals/<str:section>/<str:format>/",
        deals.send_deal_file,
        name="public-deals-file",
    ),
    path("r/<str:token>/sheets/", results.sheets, name="public-sheets"),
    path("r/<str:token>/sheets/<str:section>/<str:label>/", results.sheet, name="public-sheet"),
    path("r/<str:token>/matches/", results.matches, name="public-matches"),
    path(
        "r/<str:token>/match/<str:section>/<int:round>/<str:home>/<str:away>/",
        results.match,
        name="public-match",
    ),
    path("r/<str:token>/pairs/", results.pairs, name="public-pairs"),
    path("r/<str:token>/boards/", results.boards, name="public-boards"),
    path("r/<str:token>/boards/<str:section>/<int:number>/", results.board, name="public-board"),
    path("c/<str:token>/", season.championship, name="public-championship"),
    path("c/<str:token>/<int:number>/", season.championship, name="public-championship-line"),
]
