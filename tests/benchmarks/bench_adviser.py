"""Time of the adviser: the first advice, and the advice after a changed wish."""

from time import perf_counter

from movements.engine.adviser import Wishes, advise_movements, facts


def main() -> None:
    """Print seconds, and how much faster a changed wish is answered than the first one."""
    for pairs in (8, 16, 28, 60):
        facts._facts.cache_clear()
        first = seconds(Wishes(pairs))
        again = seconds(Wishes(pairs, winners=1, late_pair=True))
        print(
            f"{pairs} pairs: {first:.2f} s, another wish {again:.3f} s, {first / again:.0f} times faster"
        )


def seconds(wishes: Wishes) -> float:
    start = perf_counter()
    advise_movements(wishes)
    return perf_counter() - start
