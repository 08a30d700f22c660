"""The steps of the evening, each at every table of a section, in its first two rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.urls import reverse

from bridgebuddy.clubs.models import User
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.play import rounds
from bridgebuddy.scoring.models import Result
from bridgebuddy.table_phones.models import DirectorCall
from bridgebuddy.table_phones.queries.phones import phone_settings_of
from bridgebuddy.table_phones.secrets import secret_of
from tests.browser.wire import Wire

from .phone import PATIENCE, PAUSE, EnginePhone

#: the steps as the page docs/dev/engines.md names them
STEPS: dict[str, Callable[[StepEvening], None]] = {}
#: steps that only the scripts make possible
BY_SCRIPTS = ("cut off and back",)
YES, DONE = "Yes, that is right", "is saved"


@dataclass(frozen=True)
class Contract:
    """A table's contract, lead and tricks, before and after a correction."""

    level: int
    strain: str
    declarer: str
    lead: str
    tricks: int
    changed: int

    def outcome(self, tricks: int) -> dict:
        """Return the stored outcome of the contract."""
        contract = f"{self.level}{self.strain}"
        return {
            "contract": contract,
            "declarer": self.declarer,
            "tricks": tricks,
            "lead": self.lead,
        }


#: by the number of a table
CONTRACTS = {
    1: Contract(4, "S", "S", "DK", 10, 9),
    2: Contract(3, "NT", "W", "HQ", 9, 11),
    3: Contract(2, "H", "N", "C2", 8, 7),
}


@dataclass
class Table:
    """A table, its phone, and the boards of the round being played there."""

    number: int
    phone: EnginePhone
    evening: StepEvening
    boards: list[int] = field(default_factory=list)

    @property
    def contract(self) -> Contract:
        return CONTRACTS[self.number]

    @property
    def plays(self) -> list[Play]:
        section = self.evening.section
        plays = section.plays.filter(round=section.round, table=self.number, taken_back_at=None)
        return list(plays.order_by("board"))

    def open(self, name: str = "table", *args: object) -> None:
        """Open a page of the table by the name of its address."""
        code = self.evening.section.code
        self.phone.open(self.evening.wire.trusted + reverse(name, args=[code, self.number, *args]))

    def open_round(self) -> None:
        self.open()
        self.phone.see_element("#live")

    def tap_contract(self) -> None:
        """Tap the contract, up to the question for the lead."""
        contract = self.contract
        level, strain = f"[value='{contract.level}']", f"[value={contract.strain}]"
        for key in (f"[name=level]{level}", f"[name=strain]{strain}"):
            self.phone.tap_key(f"#pad {key}.key")
            self.phone.see_element(f"#pad {key}.key[aria-pressed=true]")
        self.phone.tap_key(f"#pad [name=by][value={contract.declarer}].key")

    def tap_lead(self) -> None:
        suit, lead = self.contract.lead[0], self.contract.lead
        self.phone.tap_key(f"[data-pad=lead] [name=suit][value={suit}]")
        self.phone.tap_key(f"[data-pad=lead] [name=lead][value={lead}]")

    def tap_tricks(self, tricks: int) -> None:
        self.phone.tap_key(f"[name=tricks][value='{tricks}']")

    def wait_for_result(self, board: int, outcome: dict) -> None:
        """Wait until a result stands in the database."""
        play = next(play for play in self.plays if play.board == board)

        def stored() -> dict | None:
            result = Result.objects.filter(play=play, stands=True).first()
            return result.outcome if result else None

        wait_until(lambda: stored() == outcome, f"{stored()} instead of {outcome}")


@dataclass
class StepEvening:
    """Data for the steps: the section, its tables, and the connection between phones and server."""

    section: Section
    wire: Wire
    user: User
    has_scripts: bool
    tables: list[Table] = field(default_factory=list)

    def add_table(self, phone: EnginePhone) -> None:
        table = Table(len(self.tables) + 1, phone, self)
        table.boards = [play.board for play in table.plays]
        self.tables.append(table)


def step(name: str) -> Callable[[Callable[[StepEvening], None]], Callable[[StepEvening], None]]:
    """Add a function to the steps."""

    def add(function: Callable[[StepEvening], None]) -> Callable[[StepEvening], None]:
        STEPS[name] = function
        return function

    return add


def step_at_each_table(name: str) -> Callable[[Callable[[Table], None]], Callable[[Table], None]]:
    """Add a function to the steps that is called for one table after the other."""

    def add(function: Callable[[Table], None]) -> Callable[[Table], None]:
        def act(evening: StepEvening) -> None:
            for table in evening.tables:
                function(table)

        STEPS[name] = act
        return function

    return add


def wait_until(is_true: Callable[[], bool], otherwise: str) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < ends, otherwise
        time.sleep(PAUSE)


def play_evening(evening: StepEvening) -> Iterator[str]:
    """Do every step that the engine can do, and yield the names of those that are done."""
    for name, act in STEPS.items():
        if evening.has_scripts or name not in BY_SCRIPTS:
            act(evening)
            yield name


@step_at_each_table("join")
def join(table: Table) -> None:
    section = table.evening.section
    table.open("table-join", secret_of(section, table.number, phone_settings_of(section)))
    table.phone.see("Whose phone is this?")
    table.phone.tap("NS")
    table.phone.see_element("#live")


@step_at_each_table("contract and declarer")
def enter_contract(table: Table) -> None:
    table.phone.tap(f"Enter board {table.boards[0]}")
    table.tap_contract()
    table.phone.see("lead?")


@step_at_each_table("lead")
def enter_lead(table: Table) -> None:
    table.tap_lead()
    table.phone.see("How many tricks did")


@step_at_each_table("tricks")
def enter_tricks(table: Table) -> None:
    tricks = table.contract.tricks
    table.tap_tricks(tricks)
    table.phone.see_element("#yes")
    table.wait_for_result(table.boards[0], table.contract.outcome(tricks))


@step_at_each_table("reload")
def reload_question(table: Table) -> None:
    table.phone.reload()
    table.phone.see_element("#yes")


@step_at_each_table("change")
def change_tricks(table: Table) -> None:
    table.phone.tap("No, change it")
    table.tap_contract()
    table.tap_lead()
    table.tap_tricks(table.contract.changed)
    table.phone.see_element("#yes")


@step_at_each_table("yes of the other side")
def agree(table: Table) -> None:
    table.phone.tap(YES)
    table.phone.see(DONE)
    table.wait_for_result(table.boards[0], table.contract.outcome(table.contract.changed))


@step_at_each_table("all passed")
def pass_out(table: Table) -> None:
    table.open_round()
    table.phone.tap(f"Enter board {table.boards[1]}")
    table.phone.tap("All passed")
    table.phone.see_element("#yes")
    table.wait_for_result(table.boards[1], {"passed": True})


@step_at_each_table("back")
def go_back(table: Table) -> None:
    table.open_round()
    table.phone.tap("Boards of earlier rounds")
    table.phone.see("There are none yet.")
    table.phone.back()
    table.phone.see_element("#live")


@step_at_each_table("call the director")
def call_director(table: Table) -> None:
    call_and_take_back(table, "Call the director", "call")


@step_at_each_table("wrong board")
def report_wrong_board(table: Table) -> None:
    call_and_take_back(table, "Wrong board", "board")


def call_and_take_back(table: Table, button: str, why: str) -> None:
    table.open_round()
    table.phone.tap(button)
    table.phone.see("The director has been called.")
    assert [(call.table, call.why) for call in DirectorCall.objects.all()] == [(table.number, why)]
    table.phone.tap("Cancel the call")
    table.phone.see(button)
    wait_until(lambda: not DirectorCall.objects.exists(), "the call is still there")


@step_at_each_table("not played")
def leave_unplayed(table: Table) -> None:
    table.open_round()
    table.phone.tap(f"Enter board {table.boards[2]}")
    table.phone.tap("Not played")
    table.phone.tap("No time left")
    table.phone.see_element("#yes")
    table.wait_for_result(table.boards[2], {"not_played": "time"})


@step("next round")
def start_next_round(evening: StepEvening) -> None:
    for table in evening.tables:
        table.open_round()
    evening.section = rounds.start_next_round(evening.section, after=1, by=evening.user)
    for table in evening.tables:
        table.boards = [play.board for play in table.plays]
        if evening.has_scripts:
            table.phone.see(f"Enter board {table.boards[0]}")  # without a tap
        table.open_round()
        table.phone.see(f"Enter board {table.boards[0]}")


@step("cut off and back")
def enter_while_cut_off(evening: StepEvening) -> None:
    for table in evening.tables:
        table.phone.tap(f"Enter board {table.boards[0]}")
        table.phone.see_element("#pad")
        # a page whose scripts are still on their way cannot keep a result
        table.phone.until(
            "document.readyState === 'complete' && self.tables && self.letters.look && true"
        )
    evening.wire.cut()
    for table in evening.tables:
        table.tap_contract()
        table.tap_lead()
        table.tap_tricks(table.contract.tricks)
        table.phone.see("on this phone")
    evening.wire.mend()
    for table in evening.tables:
        table.phone.run("dispatchEvent(new Event('online'))")
    for table in evening.tables:
        table.wait_for_result(table.boards[0], table.contract.outcome(table.contract.tricks))


@step("session over")
def finish_session(evening: StepEvening) -> None:
    evening.section = rounds.finish_session(evening.section, round=2, by=evening.user)
    for table in evening.tables:
        table.open()
        table.phone.see("Round 2 of 2")
        table.phone.until("document.body.textContent.indexOf('Call the director') < 0")
    # of each table what it has entered, each once
    entered = Result.objects.filter(play__section=evening.section, stands=True)
    boards = 4 if evening.has_scripts else 3
    assert entered.count() == boards * len(evening.tables)
