from django.db import migrations, models

TIES = [
    ("", "share the place"),
    ("next", "the next best evening"),
    ("single", "the best single evening"),
    ("played", "more evenings"),
    ("latest", "the latest evening"),
]


class Migration(migrations.Migration):
    dependencies = [("seasons", "0008_members_only")]

    operations = [
        migrations.AddField(
            model_name="championship",
            name="category",
            field=models.CharField(
                blank=True, default="", max_length=80, verbose_name="Only players of the category"
            ),
        ),
        migrations.AddField(
            model_name="championship",
            name="nameless",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="championship",
            name="then",
            field=models.CharField(
                blank=True, choices=TIES, default="", max_length=8, verbose_name="Still level"
            ),
        ),
    ]
