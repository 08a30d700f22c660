"""Who wants to be reminded, the day before, of a session that they come to."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("publication", "0004_mails_that_come_back")]

    operations = [
        migrations.AddField(
            model_name="mailaddress",
            name="reminds",
            field=models.BooleanField(default=False),
        ),
    ]
