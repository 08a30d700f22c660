"""Who comes late says so; a partner is told by e-mail that they are asked."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0018_numbers_of_the_federation"), ("coming", "0004_owned")]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="late_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="answer",
            name="mailed_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="clubs.person",
            ),
        ),
    ]
