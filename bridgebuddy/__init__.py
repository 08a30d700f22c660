"""BridgeBuddy: movements and results for duplicate-bridge clubs."""

__version__ = "0.10.0"
