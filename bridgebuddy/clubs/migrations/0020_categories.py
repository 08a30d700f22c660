from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clubs", "0019_own_pages_on_sheets")]

    operations = [
        migrations.AddField(
            model_name="person",
            name="categories",
            field=models.CharField(
                blank=True, default="", max_length=80, verbose_name="categories"
            ),
        ),
    ]
