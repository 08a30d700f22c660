"""A movement explained in a few sentences: for a list, for a picture's label, for the director."""

from __future__ import annotations

from django.utils.encoding import force_str
from django.utils.html import strip_tags
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from movements.engine.calls import round_end_announcement
from movements.engine.descriptions.shape import RoomShape, room_shape
from movements.engine.model import Movement
from movements.engine.straight import movement_as_seated
from movements.switches.choices import number_list, switch_announcements

from .calls import announcement_after
from .sentences import LINE_LETTERS, LINES, STANDS, label_of, table_count

#: most sentences: more are left to cards and phones
MOST_TURNS = 2


def movement_description(movement: Movement, stand: str = "stand") -> tuple[str, ...]:
    """Return the director's explanation of a movement before the start: the rule, then exceptions.

    `stand` is the club's word for the place where boards wait.
    """
    the_shape = room_shape(movement)
    return tuple(
        sentence
        for sentence in (
            *_rule_sentences(movement, the_shape, stand),
            *_skip_sentences(the_shape),
            *_rover_sentences(movement, the_shape),
            *_share_sentences(the_shape),
            *_stand_sentences(the_shape, stand),
            *_turned_board_sentences(movement, the_shape),
            *_half_round_sentences(movement),
            *_copy_sentences(movement),
        )
        if sentence
    )


def short_description(movement: Movement) -> str:
    """Return the explanation of a movement in one line, for a list."""
    the_shape = room_shape(movement)
    if the_shape.follows:
        return _following_sentence(movement, the_shape)
    if the_shape.weave:
        return _("%(line)s of odd and even tables go opposite ways.") % {"line": LINE_LETTERS["ew"]}
    if the_shape.usual and the_shape.usual.ew is None and the_shape.usual.ns == 0:
        return _("%(line)s stay, the others go as the guide card says.") % {
            "line": LINE_LETTERS["ns"]
        }
    if not the_shape.circles_room or the_shape.usual is None:
        if movement.contest.has_halves:
            return _("Teams meet one after the other.")
        return _("Everybody moves as the guide card says.")
    line = {"line": LINE_LETTERS["ew"]}
    if the_shape.ew == 1 and the_shape.rover:
        return _("%(line)s up one table; the rover takes a seat each round.") % line
    if the_shape.ew == 1 and the_shape.skips:
        return _("%(line)s up one table, once up two.") % line
    if the_shape.ew == 1 and the_shape.boards == -1 and not the_shape.usual.ns:
        return _("%(line)s up one table, boards down one.") % line
    call = announcement_after(_movement_as_announced(movement), the_shape.usual.after_round)
    return ". ".join(line.short for line in call.lines[:2]) + "."


def _movement_as_announced(movement: Movement) -> Movement:
    """Return the movement with the seats that pairs keep when boards are arrow-switched."""
    seated = movement_as_seated(movement)
    return seated[0] if seated else movement


def _rule_sentences(movement: Movement, shape: RoomShape, stand: str) -> list[str]:
    """Return the sentences on how people and boards move."""
    if shape.follows:
        return [_following_sentence(movement, shape), _boards_sentence(movement, shape, stand)]
    if shape.weave:
        return [
            _("%(line)s stay.") % {"line": LINES["ns"]},
            _("%(line)s of odd and even tables go opposite ways, and so do the boards.")
            % {"line": LINES["ew"]},
            _("Announce the moves after each round."),
        ]
    if shape.usual and shape.usual.ew is None and shape.usual.ns == 0:
        words = {"line": LINES["ns"]}
        if _needs_no_cards(movement):
            return [
                _("%(line)s stay. After each round, announce where all others and the boards go.")
                % words
            ]
        return [_("%(line)s stay, the others go as the guide card says.") % words]
    if not shape.circles_room or shape.usual is None:
        return [_("Everybody moves as the guide card or the phone says.")]
    round = shape.usual.after_round
    rule = strip_tags(
        force_str(announcement_after(_movement_as_announced(movement), round, stand).sentence)
    )
    stays = shape.usual.ns == 0 or shape.turned_rounds
    return [rule, _("%(line)s stay.") % {"line": LINES["ns"]} if stays else ""]


def _needs_no_cards(movement: Movement) -> bool:
    """Return whether the announcements suffice without guide cards."""
    calls = (round_end_announcement(movement, round) for round in range(1, movement.rounds))
    return all(not call.people.by_cards and call.boards.kind != "cards" for call in calls)


def _boards_sentence(movement: Movement, shape: RoomShape, stand: str) -> str:
    """Return the sentence about how boards move."""
    if shape.usual is None or shape.usual.boards is None:
        return ""
    call = announcement_after(movement, shape.usual.after_round, stand)
    return " ".join(str(line.say) for line in call.lines if line.who == "boards")


def _following_sentence(movement: Movement, shape: RoomShape) -> str:
    """Return the sentence on stationary pairs and on following another pair."""
    numbers = [follower.contestant for follower in shape.followers]
    by_number = sorted(numbers, reverse=True) == numbers
    names = get_text_list([label_of(movement, number) for number in shape.stays], _("and"))
    stays = (
        ngettext("Pair %(pairs)s stays.", "Pairs %(pairs)s stay.", len(shape.stays))
        % {"pairs": names}
        if shape.stays
        else ""
    )
    follow = (
        _("Everybody else goes where the pair one number lower was.")
        if by_number
        else _("Everybody else follows one other pair all evening.")
    )
    return f"{stays} {follow}".strip()


def _skip_sentences(shape: RoomShape) -> list[str]:
    """Return the sentences about skips."""
    sentences = []
    for after, up in shape.skips[:2]:
        words = {"round": after, "line": LINES["ew"], "tables": table_count(abs(up), loud=True)}
        if up > 0:
            sentences.append(_("Once, after round %(round)s: %(line)s move up %(tables)s.") % words)
        elif (shape.ew or 0) < 0:  # where people usually go down
            sentences.append(
                _("Once, after round %(round)s: %(line)s move down %(tables)s.") % words
            )
    return sentences


def _rover_sentences(movement: Movement, shape: RoomShape) -> list[str]:
    """Return the sentences about the rover."""
    if shape.rover is None:
        return []
    first = min(shape.rover_tables, default=1)
    words = {"pair": label_of(movement, shape.rover), "table": shape.rover_tables.get(first)}
    text = _(
        "%(pair)s is the rover: it takes another pair's place each round, the first at table %(table)s."
    )
    return [text % words, *_rematch_sentences(movement, shape.rover)]


def _rematch_sentences(movement: Movement, rover: int) -> list[str]:
    """Return sentences on the contestants that the rover meets more than once."""
    again = {
        number
        for item in movement.exemptions
        if item.law == "meet-once" and rover in item.contestants
        for number in item.contestants
        if number != rover
    }
    if not again:
        return []
    labels = [label_of(movement, number) for number in sorted(again)]
    words = {"pair": label_of(movement, rover), "pairs": get_text_list(labels, _("and"))}
    return [_("%(pair)s meets %(pairs)s twice.") % words]


def _share_sentences(shape: RoomShape) -> list[str]:
    """Return the sentences about tables that share boards."""
    if len(shape.shares) > 2:
        return [_("Tables share their boards two by two.")]
    return [
        _("Tables %(tables)s play the same boards and pass them to and fro.")
        % {"tables": number_list(share)}
        for share in shape.shares
    ]


def _stand_sentences(shape: RoomShape, stand: str) -> list[str]:
    """Return the sentences about board stands."""
    if not shape.stands:
        return []
    after = {"stand": STANDS[stand], "tables": number_list(shape.stands)}
    return [
        ngettext(
            "Boards wait on a %(stand)s after table %(tables)s.",
            "Boards wait on a %(stand)s after each of the tables %(tables)s.",
            len(shape.stands),
        )
        % after
    ]


def _turned_board_sentences(movement: Movement, shape: RoomShape) -> list[str]:
    """Return sentences on which boards are arrow-switched."""
    seated = movement_as_seated(movement)
    turns = seated[1] if seated else ()
    if not shape.turned_rounds or not {turn.round for turn in turns} <= {*shape.turned_rounds}:
        sentences = list(switch_announcements(turns))
        if len(sentences) > MOST_TURNS:
            return [_("In some rounds some tables turn boards: cards and phones say which.")]
        return sentences
    return [
        ngettext(
            "In round %(rounds)s the boards are turned: North-South play as East-West.",
            "In rounds %(rounds)s the boards are turned: North-South play as East-West.",
            len(shape.turned_rounds),
        )
        % {"rounds": number_list(shape.turned_rounds)}
    ]


def _half_round_sentences(movement: Movement) -> list[str]:
    """Return the sentences on rounds that are played in halves."""
    if any(
        len(movement.seatings_at_table(seating.round, seating.table)) > 1
        for seating in movement.seatings
    ):
        return [_("Some rounds are played in two halves.")]
    return []


def _copy_sentences(movement: Movement) -> list[str]:
    """Return the sentences on the copies of the boards."""
    if movement.copies < 2:
        return []
    return [_("There are %(count)s copies of the boards.") % {"count": movement.copies}]
