"""The desk's menu: the possible actions that have no button on the desk, in groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bridgebuddy.events.models import Section
from bridgebuddy.money.queries.prices import do_players_pay_for
from movements.engine.contest import Contest


@dataclass(frozen=True)
class ChangeItem:
    """A live change in the desk's menu with its title."""

    name: str
    icon: str
    title: str
    is_at_hand: bool


@dataclass(frozen=True)
class MenuItem:
    """An item of the desk's menu: its address, and whether it opens in a dialog or in another tab."""

    icon: str
    title: str | Promise
    address: str
    is_sheet: bool = False
    is_beside: bool = False


@dataclass(frozen=True)
class MenuGroup:
    """Items of the desk's menu that belong together."""

    title: str | Promise
    items: tuple[MenuItem, ...]


#: changes that form a group; the others stand with the coming rounds
THIS_ROUND = ("wrong-boards", "places", "line", "other-way")
PEOPLE = ("stays", "back")
#: the names of the contestants
WHO = {Contest.PAIRS: _("Pairs"), Contest.TEAMS: _("Teams"), Contest.INDIVIDUAL: _("Players")}


def menu_groups(section: Section, items: Sequence[ChangeItem]) -> list[MenuGroup]:
    """Return the groups of the desk's menu in order; some may be empty."""
    wishes = {
        change.name: change_menu_item(section, change) for change in items if not change.is_at_hand
    }
    rest = [name for name in wishes if name not in THIS_ROUND + PEOPLE]
    return [
        MenuGroup(_("This round"), tuple(wishes[name] for name in THIS_ROUND if name in wishes)),
        MenuGroup(
            WHO[section.contest],
            (
                *(wishes[name] for name in PEOPLE if name in wishes),
                MenuItem("users", _("Names"), reverse("entries", args=[section.code])),
                MenuItem(
                    "refresh-cw",
                    _("Enter a substitute"),
                    reverse("substitutes", args=[section.code]),
                ),
                MenuItem(
                    "users", _("The director plays too"), _fold_of(section, "i-play"), is_sheet=True
                ),
            ),
        ),
        MenuGroup(
            _("Rounds to come"),
            (*_arrow_switch_items(section), *(wishes[name] for name in rest)),
        ),
        MenuGroup(_("The session"), tuple(_ending_items(section))),
        MenuGroup(
            _("Look and print"),
            (
                MenuItem(
                    "layout-grid", _("All rounds"), reverse("all-rounds", args=[section.code])
                ),
                MenuItem("printer", _("Print cards"), reverse("print", args=[section.code])),
                MenuItem(
                    "history",
                    _("History of the movement"),
                    _fold_of(section, "history"),
                    is_sheet=True,
                ),
            ),
        ),
        MenuGroup(
            _("Other pages of the session"),
            (
                MenuItem(
                    "monitor",
                    _("Room display, new tab"),
                    reverse("room-display", args=[section.code]),
                    is_beside=True,
                ),
                MenuItem(
                    "smartphone",
                    _("Code for phones, new tab"),
                    reverse("lookup", args=[section.code]),
                    is_beside=True,
                ),
            ),
        ),
    ]


def _fold_of(section: Section, name: str) -> str:
    """Return the address of the desk with the expandable part `name` open."""
    return f"{reverse('desk', args=[section.code])}?open={name}#{name}"


def change_menu_item(section: Section, item: ChangeItem, table: int = 0) -> MenuItem:
    """Return the menu item for a live change, about `table` if it is given."""
    address = reverse("change", args=[section.code, item.name])
    if table:
        address = f"{address}?table={table}"
    return MenuItem(item.icon, item.title, address, is_sheet=True)


def _arrow_switch_items(section: Section) -> Iterator[MenuItem]:
    """Yield the menu item of the arrow-switch page, which is useful before the start."""
    if not section.is_started and section.can_switch_arrows:
        yield MenuItem("scale", _("Arrow-switches"), reverse("arrow-switches", args=[section.code]))


def _ending_items(section: Section) -> Iterator[MenuItem]:
    """Yield the menu items for money, a break and the end of the session."""
    if do_players_pay_for(section.session):
        yield MenuItem("coins", _("Table money"), reverse("money", args=[section.code]))
    if not section.is_finished and not section.is_last_round:
        yield MenuItem("coffee", _("Plan a break"), _fold_of(section, "break"), is_sheet=True)
    if section.is_running and not section.is_last_round:
        finish = reverse("finish", args=[section.code])
        yield MenuItem("flag", _("End the session"), finish, is_sheet=True)
