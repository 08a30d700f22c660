"""Several people who press at the same moment."""

import threading
from collections.abc import Callable, Iterable

from django.db import close_old_connections, connection


def together(*presses: Callable[[], object]) -> list[object]:
    """Call all functions at once, each in a thread of its own; return each result, or its error."""
    gate, outcomes = threading.Barrier(len(presses)), [None] * len(presses)

    def press(index: int) -> None:
        close_old_connections()
        gate.wait()
        try:
            outcomes[index] = presses[index]()
        except Exception as error:
            outcomes[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(index,)) for index in range(len(presses))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def errors(outcomes: Iterable[object]) -> list[object]:
    """Return the errors."""
    return [outcome for outcome in outcomes if isinstance(outcome, Exception)]
