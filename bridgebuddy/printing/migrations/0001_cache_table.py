"""The table in which printed sheets are kept for a while."""

from django.core.management import call_command
from django.db import migrations


def create(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    initial = True
    dependencies = [("clubs", "0002_cache_table")]
    operations = [migrations.RunPython(create, migrations.RunPython.noop)]
