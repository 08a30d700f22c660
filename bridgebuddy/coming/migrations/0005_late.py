"""Who comes late says so."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("coming", "0004_owned")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="late_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
