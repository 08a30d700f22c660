"""Models of the whole server, not of a club: counted tries, and the times of maintenance."""

from __future__ import annotations

from django.db import models


class AttemptCount(models.Model):
    """The number of recent tries under a key, such as wrong passwords: see `limits`. The key is only a hash."""

    who = models.CharField(max_length=40, primary_key=True)
    tries = models.PositiveIntegerField()
    until = models.BigIntegerField(db_index=True)  # seconds since 1970: whole, for every database

    class Meta:
        verbose_name_plural = "tries"

    def __str__(self) -> str:
        return f"{self.tries} until {self.until}"


class Upkeep(models.Model):
    """The last run of a maintenance task of the server, and the problem that it found: see `upkeep`."""

    class Task(models.TextChoices):
        """The maintenance tasks of the server: backup, nightly tidying, and the check of the database."""

        BACKUP = "backup", "backup"
        TIDY = "tidy", "tidy"
        CHECK = "check", "check of the database"

    what = models.CharField(max_length=6, choices=Task.choices, primary_key=True)
    at = models.DateTimeField()
    #: problems found; empty if none
    trouble = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name_plural = "upkeep"

    def __str__(self) -> str:
        return f"{self.what} at {self.at:%Y-%m-%d %H:%M}"
