from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0018_numbers_of_the_federation'),
    ]

    operations = [
        migrations.AddField(
            model_name='club',
            name='own_pages_on_sheets',
            field=models.BooleanField(default=False, verbose_name='printed score sheets have the codes of players’ own pages'),
        ),
    ]
