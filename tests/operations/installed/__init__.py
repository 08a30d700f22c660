"""BridgeBuddy installed as the documents say, in a Debian of its own."""
