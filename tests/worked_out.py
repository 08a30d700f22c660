"""A cache of the engine's results for tests: a later page with the same question gets the stored result.

Advice, proposals and arrow-switches are values made of values, and take longer than the pages that show them. Pages and
services get them from here; the engine's own tests ask it itself. A test that has patched a part of the
engine has its results computed anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from random import Random
from typing import Any

import pytest

#: who asks what, and whether what comes is a list
ASKED = {
    "bridgebuddy.planning.rules.filling.advise_movements": tuple,
    "bridgebuddy.planning.rules.preparing.advise_movements": tuple,
    "bridgebuddy.director.movement.views.advise_movements": tuple,
    "bridgebuddy.events.services.play.changes.proposals": list,
    "movements.switches.choices.switchings": tuple,
}
#: so many answers are kept of each: the largest are a few hundred kilobytes
MOST = 300


class WorkedOut:
    """All results of the engine in this process."""

    def __init__(self) -> None:
        self._patches: pytest.MonkeyPatch | None = None
        self._known: dict[str, dict[Any, Any]] = {name: {} for name in ASKED}
        os.register_at_fork(after_in_child=self.forget)  # there something else may be in its place

    def forget(self) -> None:
        for known in self._known.values():
            known.clear()

    @contextmanager
    def remembering(self, patches: pytest.MonkeyPatch) -> Iterator[None]:
        """Let a test use the stored results until it changes anything in the engine."""
        self._patches = patches
        yield
        self._patches = None

    def _kept(
        self, ask: Callable[..., Any], kind: type, known: dict[Any, Any]
    ) -> Callable[..., Any]:
        """Return `ask` with a cache of its results."""

        def asked(*arguments: Any, **named: Any) -> Any:
            if self._patches is None or _is_engine_patched(self._patches):
                return ask(*arguments, **named)
            key = (*map(_key, arguments), *((name, _key(named[name])) for name in sorted(named)))
            if key not in known:
                if len(known) >= MOST:
                    known.clear()
                known[key] = kind(ask(*arguments, **named))
            return kind(known[key])

        return asked

    def install(self, patches: pytest.MonkeyPatch) -> None:
        """Give the stored results to all callers."""
        for name, kind in ASKED.items():
            room, _, what = name.rpartition(".")
            ask = getattr(import_module(room), what)
            patches.setattr(name, self._kept(ask, kind, self._known[name]))


WORKED_OUT = WorkedOut()


def _key(value: Any) -> Any:
    if isinstance(value, Random):
        return value.getstate()
    return tuple(sorted(value.items())) if isinstance(value, Mapping) else value


def _is_engine_patched(patches: pytest.MonkeyPatch) -> bool:
    where = (getattr(of, "__name__", "") for of, *_ in patches._setattr)
    return any(name.startswith("movements.engine") for name in where)
