"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("coming", "0001_charts"),
        ("coming", "0002_said_of_sessions"),
        ("coming", "0003_who_comes"),
        ("coming", "0004_owned"),
        ("coming", "0005_late"),
        ("coming", "0006_not_asked"),
        ("coming", "0007_model_names"),
        ("coming", "0008_series"),
        ("coming", "0009_contact"),
    ]

    dependencies = [
        ("clubs", "0016_usual_evening"),
        ("clubs", "0018_numbers_of_the_federation"),
        ("clubs", "0023_model_names"),
        ("events", "0023_sessions_scored_elsewhere"),
        ("events", "0025_past_identifier"),
    ]

    operations = [
        migrations.CreateModel(
            name='ClubChart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('lines', models.JSONField(default=list)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='chart', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Equipment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board_sets', models.CharField(blank=True, default='', max_length=120)),
                ('tables', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('boxes', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('terminals', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)])),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='owned', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='RegistrationSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_on', models.BooleanField(default=False)),
                ('most', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)])),
                ('opens_on', models.DateField(blank=True, null=True)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='beforehand', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days', models.CharField(max_length=7)),
                ('starts_at', models.TimeField()),
                ('until', models.DateField()),
                ('has_registration', models.BooleanField(default=True)),
                ('most', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('opens_before', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('price', models.CharField(blank=True, max_length=40)),
                ('masterpoints', models.CharField(blank=True, max_length=24)),
                ('directs', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='series', to='events.event')),
            ],
        ),
        migrations.CreateModel(
            name='SessionPlan',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('price', models.CharField(blank=True, max_length=40)),
                ('directs', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('host', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='clubs.person')),
                ('series', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='plans', to='coming.series')),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='planned', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='BlockedRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_on', models.BooleanField(default=True)),
                ('since', models.DateTimeField()),
                ('told_at', models.DateTimeField(blank=True, null=True)),
                ('asks', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='not_asked', to='clubs.person')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'asks'), name='one_not_asked')],
            },
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('says', models.CharField(choices=[('comes', 'comes'), ('looks', 'looks for a partner'), ('alone', 'has no partner any more'), ('not', 'does not come')], max_length=5)),
                ('contact', models.CharField(blank=True, default='', max_length=60)),
                ('since', models.DateTimeField()),
                ('here_at', models.DateTimeField(blank=True, null=True)),
                ('late_at', models.DateTimeField(blank=True, null=True)),
                ('reminded_of', models.DateField(blank=True, null=True)),
                ('mailed_to', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='clubs.person')),
                ('partner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='clubs.person')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='clubs.person')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='events.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('session', 'person'), name='one_answer_a_person')],
            },
        ),
        migrations.CreateModel(
            name='SeriesHost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hosts', to='coming.series')),
            ],
            options={
                'ordering': ['position', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('series', 'person'), name='one_turn_a_host')],
            },
        ),
        migrations.CreateModel(
            name='UnconfirmedName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('partner', models.CharField(blank=True, max_length=60)),
                ('since', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='typed_names', to='events.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('session', 'by'), name='one_typed_name_a_person')],
            },
        ),
    ]
