from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("seasons", "0007_the_last_rating")]

    operations = [
        migrations.AddField(
            model_name="championship",
            name="has_members_only",
            field=models.BooleanField(default=False, verbose_name="Only members, nobody of another club"),
        )
    ]
