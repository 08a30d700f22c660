import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

LIMITS = [
    django.core.validators.MinValueValidator(1),
    django.core.validators.MaxValueValidator(200),
]


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0018_numbers_of_the_federation"),
        ("coming", "0003_who_comes"),
    ]

    operations = [
        migrations.CreateModel(
            name="Owned",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("board_sets", models.CharField(blank=True, default="", max_length=120)),
                ("tables", models.PositiveSmallIntegerField(blank=True, null=True, validators=LIMITS)),
                ("boxes", models.PositiveSmallIntegerField(blank=True, null=True, validators=LIMITS)),
                (
                    "terminals",
                    models.PositiveSmallIntegerField(blank=True, null=True, validators=LIMITS),
                ),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="owned",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
    ]
