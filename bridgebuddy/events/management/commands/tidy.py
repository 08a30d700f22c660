"""Command that deletes expired data."""

import time
from pathlib import Path

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from bridgebuddy.clubs.models import AttemptCount, Invitation
from bridgebuddy.clubs.sign_in.security import delete_old_security_events
from bridgebuddy.clubs.upkeep import Chore, store_task_run
from bridgebuddy.events.services.lifecycle.deletions import purge_expired_sessions
from bridgebuddy.events.services.lifecycle.forgetting import anonymise_inactive_people
from bridgebuddy.events.services.lifecycle.trials import forget_trials
from bridgebuddy.events.services.stored_movements import delete_unused_movements
from bridgebuddy.jobs.services import delete_old_failed_jobs, request_nightly_jobs
from bridgebuddy.operations.backups import delete_old_copies
from bridgebuddy.operations.process_cache import FileCache


def _expired_rows(name: str) -> int:
    """Delete the expired rows of a cache stored in the database; other caches expire by themselves."""
    cache = caches[name]
    if not isinstance(cache, DatabaseCache):
        return 0
    now = timezone.now().replace(microsecond=0, tzinfo=None)  # in the form of the cache
    with connection.cursor() as cursor:
        table = connection.ops.quote_name(cache._table)  # type: ignore[attr-defined]  # nothing else says it
        cursor.execute(
            f"DELETE FROM {table} WHERE expires < %s",
            [connection.ops.adapt_datetimefield_value(now)],
        )
        return int(cursor.rowcount)


class Command(BaseCommand):
    """Delete data whose time is over."""

    help = (
        "Forget deleted sessions, old rehearsals, names that a club no longer keeps, movements that no"
        " section has or could go back to, sign-ins, invitations and answers that have expired, and copies of before"
        " an update or a restore that are a week old. Run it every night."
    )

    def handle(self, *args: object, **options: object) -> None:
        """Delete expired data."""
        forgotten = purge_expired_sessions(maximum=None)
        self.stdout.write(f"Trials forgotten: {forget_trials()}")
        self.stdout.write(f"Stored movements deleted: {delete_unused_movements()}")
        self.stdout.write(f"Sessions forgotten: {forgotten}")
        self.stdout.write(f"Names forgotten: {anonymise_inactive_people()}")
        call_command("clearsessions")
        Invitation.objects.filter(until__lte=timezone.now()).delete()
        AttemptCount.objects.filter(until__lte=int(time.time())).delete()
        rows = sum(_expired_rows(name) for name in caches)
        self.stdout.write(f"Expired answers of searches, sheets and limits deleted: {rows}")
        if isinstance(files := caches["shared"], FileCache):
            files.delete_expired_files()
        delete_old_security_events()
        delete_old_failed_jobs()
        request_nightly_jobs()
        copies = delete_old_copies(Path(settings.VAR_DIR))
        self.stdout.write(f"Copies of before an update or a restore deleted: {copies}")
        store_task_run(Chore.TIDY)
