"""A reader of spoken calls: turns the English sentences back into places, as a person in the room would.

The reader knows the room: the seats and the places of boards when a round ends, where stands are,
and which tables share all evening. Everything else is taken from the sentences. It shares no code with
`movements.engine.calls`, which makes the calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from movements.engine.model import Movement
from movements.words.calls import SpokenAnnouncement, announcement_after

from .boards import BoardSentences
from .doing import Doing
from .people import PeopleSentences
from .room import COLOURS, NotUnderstood, UnderstoodSentences


def faults(movement: Movement, round: int, call: SpokenAnnouncement | None = None) -> list[str]:
    """Return the errors that people would find who follow the call after a round."""
    try:
        return list(
            Reader(
                movement, round, call or announcement_after(movement, round, boards=", ".join)
            ).faults()
        )
    except NotUnderstood as problem:
        return [f"not understood: {problem}"]


def sentences_of(text: str) -> list[str]:
    """Split a call into its sentences."""
    return [sentence.rstrip(".") for sentence in re.split(r"(?<=\.) ", text) if sentence]


class Reader(PeopleSentences, BoardSentences, Doing):
    """A reader of a round's call who does as it says."""

    def __init__(self, movement: Movement, round: int, call: SpokenAnnouncement) -> None:
        super().__init__(movement, round)
        self.moments: list[list[str]] = [[]]
        for sentence in sentences_of(call.text):
            middle = re.fullmatch(
                rf"(?:In the middle|After (\d+)/(\d+)) of round {round + 1}: (.*)", sentence
            )
            if middle:
                self.moments.append([])
                sentence = middle[3]
            self.moments[-1].append(sentence)

    def faults(self) -> Iterator[str]:
        texts = [*self.moments[0]]
        if len(set(texts)) < len(texts):
            yield f"said twice: {texts}"
        parts = max(
            (
                len(self.movement.seatings_at_table(self.round + 1, t))
                for t in range(1, self.tables + 1)
            ),
            default=1,
        )
        by_cards = False
        for index in range(parts):
            said = self.understand(self.moments[index] if index < len(self.moments) else [])
            by_cards = by_cards or said.boards_by_cards
            said.boards_by_cards = by_cards
            self.carry_out(said, index)
            yield from self._compared(index, parts)

    def understand(self, sentences: list[str]) -> UnderstoodSentences:
        said = UnderstoodSentences()
        for sentence in sentences:
            colour = re.fullmatch(r"(Red|Blue|Green|Orange) copy: (.*)|Copy (\d+): (.*)", sentence)
            if colour:
                copy = COLOURS[colour[1]] if colour[1] else int(colour[3])
                self._copy_line(said, copy, colour[2] or colour[4])
            elif not any(
                understood(said, sentence)
                for understood in (
                    self._people_rule,
                    self._boards_rule,
                    self._people_named,
                    self._boards_named,
                )
            ):
                raise NotUnderstood(sentence)
        return said


def calls_of(movement: Movement) -> Iterator[tuple[int, SpokenAnnouncement]]:
    """Yield the calls of a movement, round by round, where a call is made; sets are named by their letters."""
    for round in range(1, movement.rounds):
        if not movement.is_draw and not {round, round + 1} & {*movement.open_rounds}:
            yield round, announcement_after(movement, round, boards=", ".join)
