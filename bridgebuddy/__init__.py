"""BridgeBuddy: movements and results for duplicate-bridge clubs."""

__version__ = "0.11.0"
