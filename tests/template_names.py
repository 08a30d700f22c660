"""Templates are not typed: a lookup of a name that an object of ours does not have fails the test that renders it.

Django writes nothing for such a name, and takes it for false: a renamed property would leave a page without its figure.
"""

from __future__ import annotations

from typing import Any

from django.forms import BaseForm
from django.template.base import Variable, VariableDoesNotExist

OURS = ("bridgebuddy.", "movements.")
#: classes of which a template shows several kinds, and asks each for what only some have
SEVERAL_KINDS = {
    *(
        "StandTile",
        "StayingPairs",
        "TableSeats",
        "SessionCard",
        "FinalStep",
        "RankingPage",
        "TeamPage",
    ),
}
_resolve_lookup = Variable._resolve_lookup


class UnknownName(BaseException):
    """A template asks an object for a name that it does not have. Templates handle no such exception."""


def resolve_known(variable: Variable, context: Any) -> Any:
    """Resolve a variable; raise `UnknownName` if an object of ours lacks a name. Forms may lack a field."""
    try:
        return _resolve_lookup(variable, context)
    except VariableDoesNotExist as missing:
        name, found = [*(missing.params or ()), None, None][:2]
        kind = type(found)
        if (
            kind.__module__.startswith(OURS)
            and not isinstance(found, BaseForm)
            and kind.__name__ not in SEVERAL_KINDS
        ):
            raise UnknownName(f"{{{{ {variable.var} }}}}: {kind.__name__} has no {name}") from None
        raise


def ask_for_known_names() -> None:
    """Let all templates be rendered in this way from now on."""
    Variable._resolve_lookup = resolve_known
