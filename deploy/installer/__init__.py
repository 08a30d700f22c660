"""Install versions of BridgeBuddy beside each other, switch between them, and go back: see deploy/release.py."""
