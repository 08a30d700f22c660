"""The steps of the evening, one after the other at table 1 of a section in its first round."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.urls import reverse

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Section
from bridgebuddy.events.services import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import Call
from bridgebuddy.table_phones.queries.phones import phones_of
from bridgebuddy.table_phones.secrets import secret_of
from tests.browser.wire import Wire

from .phone import PATIENCE, PAUSE, EnginePhone

#: the steps as the page docs/dev/engines.md names them
STEPS: dict[str, Callable[[Evening], None]] = {}
#: steps that only the scripts make possible
BY_SCRIPTS = ("cut off and back",)
YES, DONE = "Yes, that is right", "is stored"


def step(name: str) -> Callable[[Callable[[Evening], None]], Callable[[Evening], None]]:
    """Add a function to the steps."""

    def add(function: Callable[[Evening], None]) -> Callable[[Evening], None]:
        STEPS[name] = function
        return function

    return add


@dataclass
class Evening:
    """What a step needs: the phone, the section, and the wire between phone and server."""

    phone: EnginePhone
    section: Section
    wire: Wire
    user: User
    has_scripts: bool
    boards: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.boards = [play.board for play in self.plays]

    @property
    def plays(self) -> list:
        plays = self.section.plays.filter(round=self.section.round, table=1, taken_back_at=None)
        return list(plays.order_by("board"))

    def open(self, name: str, *args: object) -> None:
        self.phone.open(self.wire.trusted + reverse(name, args=[self.section.code, *args]))

    def open_table(self) -> None:
        self.open("table", 1)
        self.phone.see_element("#live")

    def tap_contract(self, level: int, strain: str, declarer: str) -> None:
        """Tap a contract, up to the question for the lead."""
        phone = self.phone
        for key in (f"[name=level][value='{level}']", f"[name=strain][value={strain}]"):
            phone.tap_key(f"#pad {key}.key")
            phone.see_element(f"#pad {key}.key[aria-pressed=true]")
        phone.tap_key(f"#pad [name=by][value={declarer}].key")

    def tap_lead(self, suit: str, rank: str) -> None:
        self.phone.tap_key(f"[data-pad=lead] [name=suit][value={suit}]")
        self.phone.tap_key(f"[data-pad=lead] [name=lead][value={suit}{rank}]")

    def wait_for_result(self, board: int, outcome: dict) -> None:
        """Wait until a result stands in the database."""
        play = next(play for play in self.plays if play.board == board)

        def stored() -> dict | None:
            result = Result.objects.filter(play=play, stands=True).first()
            return result.outcome if result else None

        wait_until(lambda: stored() == outcome, f"{stored()} instead of {outcome}")


def wait_until(is_true: Callable[[], bool], otherwise: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < ends, otherwise
        time.sleep(PAUSE)


def play_evening(evening: Evening) -> Iterator[str]:
    """Do every step that the engine can do, and yield the names of those that are done."""
    for name, act in STEPS.items():
        if evening.has_scripts or name not in BY_SCRIPTS:
            act(evening)
            yield name


@step("join")
def join(evening: Evening) -> None:
    secret = secret_of(evening.section, 1, phones_of(evening.section))
    evening.open("table-join", 1, secret)
    evening.phone.see("Whose phone is this?")
    evening.phone.tap("NS")
    evening.phone.see_element("#live")


@step("contract and declarer")
def enter_contract(evening: Evening) -> None:
    evening.phone.tap(f"Enter board {evening.boards[0]}")
    evening.tap_contract(4, "S", "S")
    evening.phone.see("lead?")


@step("lead")
def enter_lead(evening: Evening) -> None:
    evening.tap_lead("D", "K")
    evening.phone.see("How many tricks did")


@step("tricks")
def enter_tricks(evening: Evening) -> None:
    evening.phone.tap_key("[name=tricks][value='10']")
    evening.phone.see_element("#yes")
    outcome = {"contract": "4S", "declarer": "S", "tricks": 10, "lead": "DK"}
    evening.wait_for_result(evening.boards[0], outcome)


@step("reload")
def reload_question(evening: Evening) -> None:
    evening.phone.reload()
    evening.phone.see_element("#yes")


@step("change")
def change_tricks(evening: Evening) -> None:
    evening.phone.tap("No, change it")
    evening.tap_contract(4, "S", "S")
    evening.tap_lead("D", "K")
    evening.phone.tap_key("[name=tricks][value='9']")
    evening.phone.see_element("#yes")


@step("yes of the other side")
def agree(evening: Evening) -> None:
    evening.phone.tap(YES)
    evening.phone.see(DONE)
    outcome = {"contract": "4S", "declarer": "S", "tricks": 9, "lead": "DK"}
    evening.wait_for_result(evening.boards[0], outcome)


@step("all passed")
def pass_out(evening: Evening) -> None:
    evening.open_table()
    evening.phone.tap(f"Enter board {evening.boards[1]}")
    evening.phone.tap("All passed")
    evening.phone.see_element("#yes")
    evening.wait_for_result(evening.boards[1], {"passed": True})


@step("back")
def go_back(evening: Evening) -> None:
    evening.open_table()
    evening.phone.tap("Boards of former rounds")
    evening.phone.see("There are none yet.")
    evening.phone.back()
    evening.phone.see_element("#live")


@step("call the director")
def call_director(evening: Evening) -> None:
    call_and_take_back(evening, "Call the director", "call")


@step("wrong board")
def report_wrong_board(evening: Evening) -> None:
    call_and_take_back(evening, "Wrong board", "board")


def call_and_take_back(evening: Evening, button: str, why: str) -> None:
    evening.open_table()
    evening.phone.tap(button)
    evening.phone.see("The director has been called.")
    assert [call.why for call in Call.objects.all()] == [why]
    evening.phone.tap("Nobody needs to come any more")
    evening.phone.see(button)
    wait_until(lambda: not Call.objects.exists(), "the call is still there")


@step("not played")
def leave_unplayed(evening: Evening) -> None:
    evening.open_table()
    evening.phone.tap(f"Enter board {evening.boards[2]}")
    evening.phone.tap("Not played")
    evening.phone.tap("No time left")
    evening.phone.see_element("#yes")
    evening.wait_for_result(evening.boards[2], {"not_played": "time"})


@step("next round")
def start_next_round(evening: Evening) -> None:
    evening.open_table()
    evening.section = rounds.start_next_round(evening.section, after=1, by=evening.user)
    evening.boards = [play.board for play in evening.plays]
    if evening.has_scripts:
        evening.phone.see(f"Enter board {evening.boards[0]}")  # without a tap
    evening.open_table()
    evening.phone.see(f"Enter board {evening.boards[0]}")


@step("cut off and back")
def enter_while_cut_off(evening: Evening) -> None:
    board = evening.boards[0]
    evening.phone.tap(f"Enter board {board}")
    evening.phone.see_element("#pad")
    # a page whose scripts are still on their way cannot keep a result
    evening.phone.until(
        "document.readyState === 'complete' && self.tables && self.letters.look && true"
    )
    evening.wire.cut()
    evening.tap_contract(3, "NT", "S")
    evening.tap_lead("H", "Q")
    evening.phone.tap_key("#tricks [name=tricks][value='9']")
    evening.phone.see("on this phone")
    evening.wire.mend()
    evening.phone.run("dispatchEvent(new Event('online'))")
    outcome = {"contract": "3NT", "declarer": "S", "tricks": 9, "lead": "HQ"}
    evening.wait_for_result(board, outcome)


@step("session over")
def finish_session(evening: Evening) -> None:
    evening.section = rounds.finish(evening.section, round=2, by=evening.user)
    evening.open("table", 1)
    evening.phone.see("Round 2 of 2")
    evening.phone.until("document.body.textContent.indexOf('Call the director') < 0")
