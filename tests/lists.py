"""Compare a list that a contributor extends with the names it must have, and say which file to edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def paths(functions: Iterable[Callable[..., object]]) -> set[str]:
    """Return where functions stand: module and name of each."""
    return {f"{function.__module__}.{function.__qualname__}" for function in functions}


def difference(wanted: Iterable[str], listed: Iterable[str], where: str) -> list[str]:
    """Return a sentence for each name that is missing in a list, too much in it, or there twice.

    >>> difference(["a", "b"], ["a", "c", "c"], "NAMES in names.py")
    ["add 'b' to NAMES in names.py", "take 'c' out of NAMES in names.py", "'c' is twice in NAMES in names.py"]
    """
    names, known = list(listed), set(wanted)
    return [
        *(f"add {name!r} to {where}" for name in sorted(known.difference(names))),
        *(f"take {name!r} out of {where}" for name in sorted(set(names) - known)),
        *(
            f"{name!r} is twice in {where}"
            for name in sorted({n for n in names if names.count(n) > 1})
        ),
    ]
