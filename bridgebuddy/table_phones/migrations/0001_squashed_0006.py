"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("tables", "0001_initial"),
        ("tables", "0002_playing_director"),
        ("tables", "0003_carried"),
        ("tables", "0004_slips_too"),
        ("tables", "0005_whose_call"),
        ("tables", "0006_model_names"),
    ]

    dependencies = [
        ("events", "0019_clocks_before"),
        ("events", "0021_extra_boards"),
    ]

    operations = [
        migrations.CreateModel(
            name='CorrectionRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(max_length=2)),
                ('outcome', models.JSONField()),
                ('number', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('play', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='corrections', to='events.play')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PhoneSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mode', models.CharField(choices=[('secret', 'Phones that have scanned the table’s card'), ('any', 'Any phone that has the session’s code'), ('none', 'No phones: results come on slips')], default='none', max_length=8)),
                ('agreement', models.CharField(choices=[('accept', 'The other side says yes'), ('double', 'Both sides enter it'), ('none', 'Nobody checks')], default='accept', max_length=8)),
                ('feedback', models.CharField(choices=[('none', 'Nothing'), ('percent', 'Their own result'), ('traveller', 'Their own result and all others')], default='traveller', max_length=10)),
                ('asks_lead', models.BooleanField(default=False)),
                ('slips_too', models.BooleanField(default=False)),
                ('version', models.PositiveIntegerField(default=1)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='phones', to='events.session')),
            ],
            options={
                'verbose_name_plural': 'phones',
            },
        ),
        migrations.CreateModel(
            name='SwappedSeats',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
            ],
            options={
                'verbose_name_plural': 'swapped',
            },
        ),
        migrations.CreateModel(
            name='DirectorCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField()),
                ('round', models.PositiveSmallIntegerField()),
                ('board', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('why', models.CharField(choices=[('call', 'calls'), ('board', 'has another board'), ('people', 'has other opponents'), ('broken', 'something is wrong with the board'), ('digits', 'somebody tries its four digits')], default='call', max_length=8)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='events.section')),
                ('who', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='events.entry')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('taken_at', None)), fields=('section', 'table'), name='one_open_call_of_a_table')],
            },
        ),
        migrations.CreateModel(
            name='PhoneHolder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phone', models.CharField(max_length=40)),
                ('table', models.PositiveSmallIntegerField()),
                ('sees', models.BooleanField(default=False)),
                ('at', models.DateTimeField(auto_now=True)),
                ('entry', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='carried', to='events.section')),
                ('wants', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
            ],
            options={
                'verbose_name_plural': 'carried',
                'constraints': [models.UniqueConstraint(fields=('section', 'phone'), name='a_phone_is_one_entrys')],
            },
        ),
        migrations.CreateModel(
            name='PhoneSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=40)),
                ('came', models.CharField(max_length=12)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.section')),
            ],
            options={
                'verbose_name_plural': 'sent',
                'constraints': [models.UniqueConstraint(fields=('section', 'key'), name='one_form_of_a_key')],
            },
        ),
        migrations.CreateModel(
            name='PlayingDirector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('early', models.JSONField(blank=True, default=list)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='playing_directors', to='events.section')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('section', 'user'), name='a_director_plays_once')],
            },
        ),
        migrations.CreateModel(
            name='ResultClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.CharField(max_length=2)),
                ('outcome', models.JSONField()),
                ('number', models.PositiveSmallIntegerField(default=0)),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('at', models.DateTimeField(auto_now=True)),
                ('play', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='events.play')),
            ],
            options={
                'ordering': ['play', 'side'],
                'constraints': [models.UniqueConstraint(fields=('play', 'side'), name='one_claim_of_a_side')],
            },
        ),
        migrations.CreateModel(
            name='TableLastSeen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField()),
                ('at', models.DateTimeField()),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='heard', to='events.section')),
            ],
            options={
                'verbose_name_plural': 'heard',
                'constraints': [models.UniqueConstraint(fields=('section', 'table'), name='a_table_is_heard_once')],
            },
        ),
    ]
