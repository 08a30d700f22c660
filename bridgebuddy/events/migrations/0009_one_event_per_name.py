from django.db import migrations, models
from django.db.models import Count, Min


def join_doubles(apps, schema_editor):
    """Let the oldest event of a name have the sessions of all, and the others go."""
    database = schema_editor.connection.alias
    events = apps.get_model("events", "Event").objects.using(database)
    sessions = apps.get_model("events", "Session").objects.using(database)
    doubled = events.values("club", "name").annotate(number=Count("pk"), oldest=Min("pk"))
    for double in doubled.filter(number__gt=1):
        others = events.filter(club=double["club"], name=double["name"]).exclude(
            pk=double["oldest"]
        )
        sessions.filter(event__in=others).update(event=double["oldest"])
        others.delete()
    # PostgreSQL alters no table whose foreign keys are still to be checked
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0008_contests"),
    ]

    operations = [
        migrations.RunPython(join_doubles, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(
                fields=("club", "name"), name="one_event_per_name"
            ),
        ),
    ]
