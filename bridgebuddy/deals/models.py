"""Double-dummy results of deals, stored once for all sessions."""

from __future__ import annotations

from django.db import models


class DoubleDummy(models.Model):
    """The double-dummy tricks of a deal, shared by all clubs because they depend on the cards alone."""

    #: from North on, ranks in order, as in `hands.format_pbn`
    deal = models.CharField(max_length=80, primary_key=True)
    #: twenty characters (`solving.table`); empty if it could not be solved
    tricks = models.CharField(max_length=20, blank=True)
    #: declarer's tricks after each of the leader's thirteen cards in order, by strain and declarer ("NT-N")
    leads = models.JSONField(default=dict, blank=True)
    #: attempts in which the solver hung or died
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "double dummy"

    def __str__(self) -> str:
        return f"{self.deal}: {self.tricks or 'not known'}"
