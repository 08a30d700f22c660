"""BridgeBuddy: movements and results for duplicate-bridge clubs."""

__version__ = "0.2.0"
