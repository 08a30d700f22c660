from django.db import migrations, models
from django.db.models import F


def fill(apps, schema_editor):
    """Take the present time of final lists as the first one: earlier times are not known."""
    scorings = apps.get_model("scoring", "Scoring").objects.filter(final_at__isnull=False)
    scorings.update(first_final_at=F("final_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0013_names_of_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="scoring",
            name="first_final_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="scoring",
            name="withdrawn_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
