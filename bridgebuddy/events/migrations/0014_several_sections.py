from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("events", "0013_teams_have_names"),
    ]

    operations = [
        migrations.AddField(
            model_name='session',
            name='common_clock',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='session',
            name='same_deals',
            field=models.BooleanField(default=True),
        ),
    ]
