from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('seasons', '0005_groups'),
    ]

    operations = [
        migrations.AddField(
            model_name='championship',
            name='once',
            field=models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True),
        ),
    ]
