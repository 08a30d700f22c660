"""The settings of a server under load: the real ones, and one address more."""

from bridgebuddy.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.load_urls"
