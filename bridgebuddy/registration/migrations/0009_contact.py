from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('coming', '0008_series'),
    ]

    operations = [
        migrations.AddField(
            model_name='registration',
            name='contact',
            field=models.CharField(blank=True, default='', max_length=60),
        ),
    ]
