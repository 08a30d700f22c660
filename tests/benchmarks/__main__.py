"""Run every benchmark and print its ratios and figures. Nothing is asserted."""

import importlib
import pkgutil
from pathlib import Path


def main() -> None:
    """Run the modules named bench_*, in order."""
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name.startswith("bench_"):
            print(f"== {module.name.removeprefix('bench_').replace('_', ' ')}", flush=True)
            importlib.import_module(f"{__package__}.{module.name}").main()


if __name__ == "__main__":
    main()
