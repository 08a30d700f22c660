"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import bridgebuddy.events.models.sessions
import django.db.models.deletion
import movements.engine.contest
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("events", "0001_initial"),
        ("events", "0002_own_movements"),
        ("events", "0003_live_changes"),
        ("events", "0004_unswitched_movement"),
        ("events", "0005_seats_by_strength"),
        ("events", "0006_a_break"),
        ("events", "0007_somebody_comes_back"),
        ("events", "0008_contests"),
        ("events", "0009_one_event_per_name"),
        ("events", "0010_a_form_opens_one_session"),
        ("events", "0011_plays"),
        ("events", "0012_rounds_begun"),
        ("events", "0013_teams_have_names"),
        ("events", "0014_several_sections"),
        ("events", "0015_substitutes"),
        ("events", "0016_sessions_copied_and_deleted"),
        ("events", "0017_movement_options"),
        ("events", "0018_codes_end"),
        ("events", "0019_clocks_before"),
        ("events", "0020_second_halves"),
        ("events", "0021_extra_boards"),
        ("events", "0022_boards_of_matches"),
        ("events", "0023_sessions_scored_elsewhere"),
        ("events", "0024_seats_in_turn"),
        ("events", "0025_past_identifier"),
    ]

    dependencies = [
        ("clubs", "0002_cache_table"),
        ("clubs", "0006_person_strength"),
        ("clubs", "0018_numbers_of_the_federation"),
        ("movements", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('contestant', models.PositiveSmallIntegerField(null=True)),
                ('first_round', models.PositiveSmallIntegerField(default=1)),
                ('left_after', models.PositiveSmallIntegerField(null=True)),
                ('back_in', models.PositiveSmallIntegerField(null=True)),
                ('must_stay_seated', models.BooleanField(default=False, verbose_name='must stay seated')),
                ('name', models.CharField(blank=True, max_length=60)),
                ('crossed_in', models.JSONField(blank=True, default=list)),
                ('second_halves', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'verbose_name_plural': 'entries',
                'ordering': ['position'],
            },
        ),
        migrations.CreateModel(
            name='PastLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('field', models.CharField(blank=True, max_length=2)),
                ('section', models.CharField(blank=True, max_length=12)),
                ('place', models.PositiveSmallIntegerField(null=True)),
                ('label', models.CharField(blank=True, max_length=12)),
                ('team', models.CharField(blank=True, max_length=80)),
                ('total', models.CharField(blank=True, max_length=16)),
                ('percent', models.CharField(blank=True, max_length=16)),
                ('masterpoints', models.CharField(blank=True, max_length=16)),
                ('boards', models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                'ordering': ['past', 'number'],
            },
        ),
        migrations.CreateModel(
            name='EntryPerson',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('from_round', models.PositiveSmallIntegerField(default=1)),
                ('until_round', models.PositiveSmallIntegerField(null=True)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entry_people', to='events.entry')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
                ('plays_for', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
            ],
            options={
                'ordering': ['position', 'from_round'],
            },
        ),
        migrations.AddField(
            model_name='entry',
            name='people',
            field=models.ManyToManyField(related_name='entries', through='events.EntryPerson', through_fields=('entry', 'person'), to='clubs.person'),
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_at', models.DateTimeField(editable=False, null=True)),
                ('read', models.JSONField(blank=True, default=list)),
                ('brought_people', models.JSONField(blank=True, default=list, editable=False)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imports', to='clubs.club')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PastPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=1)),
                ('line', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='past_players', to='events.pastline')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='past_players', to='clubs.person')),
            ],
            options={
                'ordering': ['line', 'position'],
            },
        ),
        migrations.CreateModel(
            name='PastSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.CharField(max_length=120)),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('format', models.CharField(max_length=12)),
                ('program', models.CharField(blank=True, max_length=80)),
                ('identifier', models.CharField(blank=True, default='', max_length=80)),
                ('contest', models.CharField(default='pairs', max_length=10)),
                ('unit', models.CharField(blank=True, max_length=3)),
                ('brought', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='past_sessions', to='events.import')),
            ],
        ),
        migrations.AddField(
            model_name='pastline',
            name='past',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='events.pastsession'),
        ),
        migrations.CreateModel(
            name='Section',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default='A', max_length=4)),
                ('code', models.CharField(default=bridgebuddy.events.models.sessions.new_code, max_length=6, unique=True)),
                ('former_code', models.CharField(blank=True, db_index=True, editable=False, max_length=6)),
                ('code_given_at', models.DateTimeField(editable=False, null=True)),
                ('code_ends_at', models.DateTimeField(editable=False, null=True)),
                ('plan', models.PositiveIntegerField(default=1)),
                ('shown', models.PositiveIntegerField(default=1)),
                ('results', models.PositiveIntegerField(default=1)),
                ('contest', models.CharField(choices=[(movements.engine.contest.Contest['PAIRS'], 'Pairs'), (movements.engine.contest.Contest['INDIVIDUAL'], 'Single players'), (movements.engine.contest.Contest['TEAMS'], 'Teams of four')], default=movements.engine.contest.Contest['PAIRS'], max_length=10)),
                ('movement_options', models.JSONField(blank=True, default=dict)),
                ('boards_per_round', models.PositiveSmallIntegerField(null=True)),
                ('total_boards', models.PositiveSmallIntegerField(null=True)),
                ('match_boards', models.JSONField(blank=True, default=dict, editable=False)),
                ('missing_line', models.CharField(default='ew', max_length=2)),
                ('seating', models.CharField(choices=[('order', 'in order of entry'), ('random', 'at random'), ('hand', 'by hand'), ('even', 'by strength'), ('turns', 'evenly over the weeks')], default='order', max_length=6)),
                ('seed', models.PositiveIntegerField(null=True)),
                ('extra_boards', models.JSONField(blank=True, default=list, editable=False)),
                ('round', models.PositiveSmallIntegerField(default=0)),
                ('round_started_at', models.DateTimeField(null=True)),
                ('clock_ends_at', models.DateTimeField(null=True)),
                ('clock_left', models.DurationField(null=True)),
                ('clocks_before', models.JSONField(blank=True, default=dict, editable=False)),
                ('finished_at', models.DateTimeField(null=True)),
                ('break_after', models.PositiveSmallIntegerField(null=True)),
                ('break_minutes', models.PositiveSmallIntegerField(default=0)),
                ('movement', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='sections', to='movements.storedmovement')),
                ('unswitched', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='movements.storedmovement')),
            ],
        ),
        migrations.CreateModel(
            name='Play',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('table', models.PositiveSmallIntegerField()),
                ('part', models.PositiveSmallIntegerField(default=1)),
                ('parts', models.PositiveSmallIntegerField(default=1)),
                ('board', models.PositiveSmallIntegerField()),
                ('turned', models.BooleanField(default=False)),
                ('shares_with', models.CharField(blank=True, max_length=60)),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('east', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
                ('ew', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='events.entry')),
                ('ew2', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='events.entry')),
                ('north', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
                ('ns', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='events.entry')),
                ('ns2', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='events.entry')),
                ('south', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
                ('west', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='clubs.person')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plays', to='events.section')),
            ],
            options={
                'ordering': ['round', 'table', 'part', 'board'],
            },
        ),
        migrations.AddField(
            model_name='entryperson',
            name='section',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.section'),
        ),
        migrations.AddField(
            model_name='entry',
            name='section',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='events.section'),
        ),
        migrations.CreateModel(
            name='SectionMovement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('from_round', models.PositiveSmallIntegerField(default=1)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('change', models.CharField(blank=True, max_length=24)),
                ('facts', models.JSONField(default=dict)),
                ('in_round', models.PositiveSmallIntegerField(default=0)),
                ('boards_per_round', models.PositiveSmallIntegerField(null=True)),
                ('seats', models.JSONField(default=dict)),
                ('parent', models.PositiveIntegerField(null=True)),
                ('redo', models.PositiveIntegerField(null=True)),
                ('holds', models.PositiveIntegerField(null=True)),
                ('way', models.CharField(blank=True, max_length=20)),
                ('decided_on', models.PositiveIntegerField(null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('movement', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='movements.storedmovement')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='movements', to='events.section')),
                ('unswitched', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='movements.storedmovement')),
            ],
            options={
                'ordering': ['version'],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField(verbose_name='date')),
                ('starts_at', models.TimeField(verbose_name='start')),
                ('fewest_boards', models.PositiveSmallIntegerField(default=24, verbose_name='boards, at least')),
                ('most_boards', models.PositiveSmallIntegerField(default=28, verbose_name='boards, at most')),
                ('minutes_per_board', models.PositiveSmallIntegerField(default=7, verbose_name='minutes per board')),
                ('common_clock', models.BooleanField(default=False)),
                ('same_deals', models.BooleanField(default=True)),
                ('once', models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True)),
                ('number', models.PositiveSmallIntegerField(default=1)),
                ('deleted_at', models.DateTimeField(db_index=True, editable=False, null=True)),
                ('rehearsal_until', models.DateTimeField(db_index=True, editable=False, null=True)),
                ('newest_person', models.PositiveBigIntegerField(editable=False, null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='events.event')),
                ('follows', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followed_by', to='events.session')),
            ],
            options={
                'ordering': ['date', 'starts_at', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='section',
            name='session',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sections', to='events.session'),
        ),
        migrations.AddField(
            model_name='pastsession',
            name='session',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='past', to='events.session'),
        ),
        migrations.CreateModel(
            name='ClubMovement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name')),
                ('document', models.JSONField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='own_movements', to='clubs.club')),
            ],
            options={
                'ordering': ['name', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='one_own_movement_per_name')],
            },
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('club', 'name'), name='one_event_per_name'),
        ),
        migrations.AddConstraint(
            model_name='pastplayer',
            constraint=models.UniqueConstraint(fields=('line', 'person'), name='once_in_a_past_line'),
        ),
        migrations.AddConstraint(
            model_name='play',
            constraint=models.UniqueConstraint(condition=models.Q(('taken_back_at', None)), fields=('section', 'round', 'table', 'part', 'board'), name='one_play_per_place'),
        ),
        migrations.AddConstraint(
            model_name='entryperson',
            constraint=models.UniqueConstraint(fields=('section', 'person', 'from_round'), name='nobody_plays_twice'),
        ),
        migrations.AddConstraint(
            model_name='entryperson',
            constraint=models.UniqueConstraint(fields=('entry', 'position', 'from_round'), name='one_person_per_place'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('section', 'contestant'), name='one_entry_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='sectionmovement',
            constraint=models.UniqueConstraint(fields=('section', 'version'), name='one_movement_per_version'),
        ),
        migrations.AddConstraint(
            model_name='section',
            constraint=models.UniqueConstraint(fields=('session', 'name'), name='one_section_per_name'),
        ),
    ]
