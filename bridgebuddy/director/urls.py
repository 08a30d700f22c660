"""The director's addresses."""

from django.urls import path

from .changes import views as changes
from .desk import ending, line_up
from .desk import views as desk
from .entries import substitutes
from .entries import views as entries
from .keeping import views as keeping
from .movement import own_movements, switches, using
from .movement import views as movement
from .results import boards, entering, look_at, phones, ranking, rulings, slips, this_round
from .roster import views as roster
from .sections import views as sections
from .sessions import copies, deletions, home
from .sessions import views as sessions

urlpatterns = [
    path("", home.home, name="home"),
    path("clubs/<int:pk>/players/", roster.players, name="players"),
    path("clubs/<int:pk>/players/new/", roster.new_player, name="new-player"),
    path("clubs/<int:pk>/players/merge/", roster.merge_players, name="merge-players"),
    path("clubs/<int:pk>/players/two/", roster.two_people, name="two-people"),
    path("clubs/<int:pk>/players/<int:person>/", roster.edit_player, name="edit-player"),
    path("clubs/<int:pk>/players/<int:person>/forget/", roster.forget_player, name="forget-player"),
    path(
        "clubs/<int:pk>/players/<int:person>/anonymise/",
        keeping.anonymise_player,
        name="anonymise-player",
    ),
    path(
        "clubs/<int:pk>/players/<int:person>/data.<str:kind>",
        keeping.person_data,
        name="person-data",
    ),
    path("clubs/<int:pk>/kept/", keeping.kept, name="kept"),
    path("clubs/<int:pk>/data.<str:kind>", keeping.club_data, name="club-data"),
    path("clubs/<int:pk>/delete/", keeping.delete_club, name="delete-club"),
    path("sessions/new/", sessions.new_session, name="new-session"),
    path("s/<str:code>/edit/", sessions.edit_session, name="edit-session"),
    path("s/<str:code>/renew-code/", sessions.new_code, name="renew-code"),
    path("s/<str:code>/copy/", copies.copy, name="copy-session"),
    path("s/<str:code>/rehearse/", copies.start_rehearsal, name="rehearse"),
    path("s/<str:code>/press-on/", copies.press_on_to_the_end, name="press-on"),
    path("s/<str:code>/delete/", deletions.delete, name="delete-session"),
    path("s/<str:code>/bring-back/", deletions.undelete, name="bring-back"),
    path("s/<str:code>/entries/", entries.entries, name="entries"),
    path("s/<str:code>/entries/add/", entries.add_pair, name="add-pair"),
    path("s/<str:code>/entries/list/", entries.add_list, name="add-list"),
    path("s/<str:code>/entries/list/take/", entries.take_list, name="take-list"),
    path("s/<str:code>/entries/suggestions/", entries.suggestions, name="suggestions"),
    path("s/<str:code>/entries/<int:entry>/", entries.edit_pair, name="edit-pair"),
    path("s/<str:code>/entries/<int:entry>/withdraw/", entries.withdraw, name="withdraw"),
    path("s/<str:code>/entries/<int:entry>/cross/", line_up.cross, name="cross"),
    path("s/<str:code>/substitutes/", substitutes.substitutes, name="substitutes"),
    path("s/<str:code>/substitutes/<int:link>/", substitutes.correct, name="correct-substitute"),
    path("s/<str:code>/substitutes/<int:link>/back/", substitutes.take_back, name="end-substitute"),
    path("s/<str:code>/strengths/", entries.strengths, name="strengths"),
    path("s/<str:code>/seats/", entries.seat, name="seat"),
    path("s/<str:code>/seats/swap/", entries.swap, name="swap"),
    path("movements/import/", own_movements.import_movement, name="import-movement"),
    path("movements/own/<int:pk>/", own_movements.own_movement, name="own-movement"),
    path("use/<slug:family>/<int:tables>/", using.use_movement, name="use-movement"),
    path("s/<str:code>/movement/", movement.choose, name="choose-movement"),
    path("s/<str:code>/movement/switches/", switches.arrow_switches, name="arrow-switches"),
    path("s/<str:code>/sections/", sections.divide, name="divide"),
    path("s/<str:code>/sections/all/", sections.all_sections, name="all-sections"),
    path("s/<str:code>/sections/start/", sections.start, name="start-rounds"),
    path("s/<str:code>/sections/clocks/", sections.clocks, name="section-clocks"),
    path("s/<str:code>/sections/as/", sections.play_as, name="play-as"),
    path("s/<str:code>/desk/", desk.desk, name="desk"),
    path("s/<str:code>/results/", this_round.this_round, name="results"),
    path("s/<str:code>/results/enter/<int:play>/", entering.enter_result, name="enter-result"),
    path("s/<str:code>/results/slips/", slips.slips, name="slips"),
    path("s/<str:code>/results/read/<int:play>/", slips.reading, name="slip-reading"),
    path("s/<str:code>/results/boards/", boards.boards, name="boards"),
    path("s/<str:code>/results/board/<int:board>/", boards.board_results, name="board-results"),
    path("s/<str:code>/results/board/<int:board>/fouled/", rulings.fouled, name="fouled-board"),
    path("s/<str:code>/results/fouled/<int:fouled>/back/", rulings.unfoul, name="unfoul-board"),
    path("s/<str:code>/results/line/<int:play>/", rulings.ruling, name="results-line"),
    path("s/<str:code>/results/undo/<int:result>/", boards.undo, name="results-undo"),
    path("s/<str:code>/results/of/<str:label>/", rulings.score_sheet, name="score-sheet"),
    path(
        "s/<str:code>/results/penalty/<int:penalty>/back/",
        rulings.penalty_back,
        name="penalty-back",
    ),
    path("s/<str:code>/results/look-at/", look_at.look_at, name="look-at"),
    path("s/<str:code>/results/look-at/do/", look_at.doubt, name="results-doubt"),
    path("s/<str:code>/results/phones/", phones.phones, name="phones"),
    path("s/<str:code>/results/phones/secrets/", phones.renew, name="renew-secrets"),
    path("s/<str:code>/results/calls/<int:call>/", phones.take_call, name="take-call"),
    path("s/<str:code>/results/ranking/", ranking.ranking, name="ranking"),
    path("s/<str:code>/results/profile/", ranking.profile, name="results-profile"),
    path("s/<str:code>/results/state/", ranking.state, name="results-state"),
    path("s/<str:code>/change/<slug:wish>/", changes.change, name="change"),
    path("s/<str:code>/undo/", changes.undo, name="undo"),
    path("s/<str:code>/redo/", changes.redo, name="redo"),
    path("s/<str:code>/history/", changes.history, name="history"),
    path("s/<str:code>/rounds/", desk.all_rounds, name="all-rounds"),
    path("s/<str:code>/next-round/", desk.next_round, name="next-round"),
    path("s/<str:code>/back/", desk.back, name="back"),
    path("s/<str:code>/finish/", ending.finish, name="finish"),
    path("s/<str:code>/break/", desk.plan_break, name="break"),
    path("s/<str:code>/seen/", desk.seen, name="seen"),
    path("s/<str:code>/clock/", desk.clock, name="clock"),
]
