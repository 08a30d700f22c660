"""mutmut, with what it leaves out: run as a script in a working copy (see `__main__`).

mutmut does not touch functions with decorators, which all services have (a transaction), nor does it
leave out a statement or go past a condition, which is how a version is not counted and a right not
asked for. It tries the quickest tests first, not the likeliest, and takes a busy machine for a mutant that
hangs. It is pinned exactly, since this reaches into it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import _lru_cache_wrapper, wraps
from pathlib import Path
from random import Random
from typing import Any

import libcst as cst

#: decorators under which a function can be exchanged for another one
HARMLESS = {
    "transaction.atomic",
    "contextmanager",
    "property",
    "cached_property",
    "require_safe",
    "wraps",
}


def left_out(node: cst.Expr) -> Iterable[cst.Pass]:
    """A call that stands alone is not made."""
    if isinstance(node.value, cst.Call):
        yield cst.Pass()


def not_raised(node: cst.Raise) -> Iterable[cst.Pass]:
    """Nothing is refused."""
    yield cst.Pass()


def either_way(node: cst.If | cst.CompIf) -> Iterable[cst.CSTNode]:
    """A condition always holds, or never."""
    asked = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    for operator, word in ((cst.Or(), "True"), (cst.And(), "False")):
        answer = cst.BooleanOperation(left=asked, operator=operator, right=cst.Name(word))
        yield node.with_changes(test=answer)


def name_of(decorator: cst.Decorator) -> str:
    called = decorator.decorator
    name = called.func if isinstance(called, cst.Call) else called
    return cst.Module([]).code_for_node(name)


def is_harmless(decorator: cst.Decorator) -> bool:
    return name_of(decorator) in HARMLESS


def late(decorator: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function each time it is called: its mutants come after the module was loaded."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            return decorator(function)(*args, **kwargs)

        return call

    return decorated


LATE = cst.Decorator(cst.parse_expression("__import__('tests.mutants.tool').mutants.tool.late"))


def is_decorator(function: cst.FunctionDef) -> bool:
    inner = [item for item in function.body.body if isinstance(item, cst.FunctionDef)]
    return any("wraps" in map(name_of, item.decorators) for item in inner)


def with_decorated_functions() -> None:
    """Let mutmut look into functions with harmless decorators; only the one that is called keeps them."""
    from mutmut.mutation import file_mutation

    skips = file_mutation.MutationVisitor._skip_node_and_children
    arranged = file_mutation.function_trampoline_arrangement

    def skip(self: Any, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef) and all(map(is_harmless, node.decorators)):
            node = node.with_changes(decorators=())
        return skips(self, node)

    def arrange(function: cst.FunctionDef, mutants: Any, class_name: str | None) -> Any:
        if not all(map(is_harmless, function.decorators)):
            return arranged(function, mutants, class_name)
        plain = function.with_changes(decorators=())
        empty, (called, *others), mapping, names = arranged(plain, mutants, class_name)
        outside = [LATE] if is_decorator(function) else []
        decorators = [*outside, *function.decorators, *called.decorators]
        called = called.with_changes(decorators=decorators)
        return empty, [called, *others], mapping, names

    file_mutation.MutationVisitor._skip_node_and_children = skip
    file_mutation.function_trampoline_arrangement = arrange


#: which tests killed mutants of a function: a file for each
KILLERS = Path("var", "killers").absolute()
#: a mutant is stopped by what it takes of the CPU; by the clock only where it waits for ever
BUSY = 20
SOME = 25


class Collected:
    """All tests, collected once in the process that is forked for every mutant."""

    def __init__(self, arguments: Sequence[str]) -> None:
        import pytest
        from _pytest.config import _prepareconfig

        config = _prepareconfig([*arguments, "-q", "-s"])
        config._do_configure()
        self.session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=self.session)
        config.hook.pytest_collection(session=self.session)
        self.items = {item.nodeid: item for item in self.session.items}
        self._warm_up()

    def _warm_up(self) -> None:
        """Have what lasts a session made once: the database, above all."""
        from django.db import connections

        everything = [*self.items.values()]
        first = next((i for i in everything if i.get_closest_marker("django_db")), everything[0])
        assert not self._fails(first, self._another(first)), first.nodeid
        connections.close_all()
        if not (fork := os.fork()):  # where nothing is broken, nothing may fail in a fork either
            os._exit(bool(self.killer([*self.items][:SOME])))
        assert os.waitpid(fork, 0)[1] == 0, "tests fail though nothing is broken"

    def killer(self, tests: Iterable[str]) -> str:
        """Run tests until one fails, in a fork of its own; return which it was."""
        items = [self.items[test] for test in tests]
        leave_the_press()
        with own_database():
            self.session._setupstate.teardown_exact(items[0])
            for item, following in zip(items, [*items[1:], self._another(items[-1])], strict=True):
                if self._fails(item, following):
                    return str(item.nodeid)
        return ""

    def _another(self, item: Any) -> Any:
        return next((other for other in self.items.values() if other is not item), None)

    def _fails(self, item: Any, following: Any) -> bool:
        from _pytest.runner import runtestprotocol

        return any(
            element.failed for element in runtestprotocol(item, log=False, nextitem=following)
        )


#: the processes that print for the one that was forked: nothing may end them
OF_OTHERS: list[Any] = []


def leave_the_press() -> None:
    """Let a fork print by a process of its own: what two say into one pipe is answered to neither."""
    if press := sys.modules.get("bridgebuddy.printing.rendering.print_process"):
        OF_OTHERS.extend(press._presses)
        press._presses.clear()


def forget_worked_out(module: str) -> None:
    """Have what a module keeps worked out once more: it was worked out before a mutant of it was chosen."""
    for var in vars(sys.modules.get(module, object)).values():
        if isinstance(var, _lru_cache_wrapper):
            var.cache_clear()


@contextmanager
def own_database() -> Iterator[None]:
    """Let a fork have a copy of the test database that was made before."""
    from django.db import connections

    settings = connections["default"].settings_dict
    made = Path(str(settings["NAME"]))
    own = made.with_name(f"{made.stem}-{os.getpid()}.sqlite3")
    if made.exists():
        shutil.copy(made, own)
        settings["NAME"] = str(own)
    yield
    connections.close_all()
    own.unlink(missing_ok=True)


def collected_once() -> None:
    """Fork with all tests collected, and try those first that killed other mutants of the function."""
    from mutmut.configuration import config
    from mutmut.runners.harness import PytestRunner
    from mutmut.utils.file_utils import change_cwd
    from mutmut.utils.format_utils import mangled_name_from_mutant_name
    from mutmut.workers.isolation import ForkRunner

    run, start = PytestRunner.run_tests, ForkRunner.startup

    def startup(self: Any) -> None:
        with change_cwd("mutants"):
            runner = self.test_runner
            selection = config().pytest_add_cli_args_test_selection
            runner.collected = Collected(
                ["--rootdir=.", "--tb=native", *runner._pytest_add_cli_args, *selection]
            )
        start(self)

    def run_tests(self: Any, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        if mutant_name is None:
            return int(run(self, mutant_name=None, tests=tests))
        tests = list(tests)
        file = KILLERS / mangled_name_from_mutant_name(mutant_name)
        known = Counter(file.read_text().splitlines() if file.exists() else ())
        first = [test for test, _ in known.most_common() if test in tests]
        others = [test for test in tests if test not in known]
        forget_worked_out(mutant_name.rpartition(".")[0])
        with change_cwd("mutants"):
            killer = self.collected.killer([*first, *others])
        if killer:
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as notes:
                notes.write(f"{killer}\n")
        return 1 if killer else 0

    ForkRunner.startup, PytestRunner.run_tests = startup, run_tests


def drawn(path: str, keys: Iterable[str], sample: str) -> set[str]:
    """The mutants of a file that a sample takes: of "40 1" forty, drawn with seed 1. A larger one has them too."""
    count, _, seed = sample.partition(" ")
    order = sorted(keys)
    Random(f"{seed} {path}").shuffle(order)
    return set(order[: int(count)])


def only_a_sample(sample: str, *, together: bool) -> None:
    """Try only some mutants of every file, or of all files together."""
    from mutmut import __main__ as mutmut

    collect = mutmut.collect_source_file_mutation_data

    def collect_some(**names: Any) -> Any:
        mutants, files = collect(**names)
        some = set()
        if together:
            some = drawn("", (key for _data, key, _code in mutants), sample)
        else:
            for path, data in files.items():
                some |= drawn(path, data.exit_code_by_key, sample)
        return [mutant for mutant in mutants if mutant[1] in some], files

    mutmut.collect_source_file_mutation_data = collect_some


def only_these_lines(lines: Mapping[str, Sequence[int]]) -> None:
    """Break nothing but what begins on certain lines of a file."""
    from mutmut import __main__ as mutmut

    mutmut.get_covered_lines_for_file = lambda file, _covered: set(lines.get(file, ()))


def patient() -> None:
    """Take no mutant for one that hangs because the machine is busy."""
    from mutmut.workers import isolation

    register = isolation.register_timeout
    isolation.register_timeout = lambda pid, timeout_s: register(pid, BUSY * timeout_s)


def not_twice() -> None:
    """Do not run all tests once more that have just passed while it was seen what they run through."""
    from mutmut.workers.isolation import ForkRunner

    collect, clean = ForkRunner.collect_stats, ForkRunner.run_clean_tests

    def collect_stats(self: Any, tests: Iterable[str] | None) -> int:
        outcome = collect(self, tests)
        self.has_passed = outcome == 0 and not tests
        return outcome

    def run_clean_tests(self: Any, tests: Iterable[str]) -> int:
        return 0 if getattr(self, "has_passed", False) else clean(self, tests)

    ForkRunner.collect_stats, ForkRunner.run_clean_tests = collect_stats, run_clean_tests


def main() -> None:
    from mutmut.__main__ import cli  # it sets how processes start, for the whole process
    from mutmut.mutation.mutators import mutation_operators

    added: Sequence[tuple[type, Any]] = (
        (cst.Expr, left_out),
        (cst.Raise, not_raised),
        (cst.If, either_way),
        (cst.CompIf, either_way),
    )
    mutation_operators.extend(added)
    with_decorated_functions()
    collected_once()
    patient()
    not_twice()
    if lines := os.environ.get("LINES_CHANGED"):
        only_these_lines(json.loads(lines))
    if sample := os.environ.get("SAMPLE"):
        only_a_sample(sample, together=bool(lines))
    cli()


if __name__ == "__main__":
    main()
