"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import bridgebuddy.scoring.models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("scoring", "0001_results"),
        ("scoring", "0002_matches_of_teams"),
        ("scoring", "0003_draws"),
        ("scoring", "0004_classes_and_deals"),
        ("scoring", "0005_rulings_on_matches"),
        ("scoring", "0006_terminals"),
        ("scoring", "0007_correction_period"),
        ("scoring", "0008_leagues_as_they_were"),
        ("scoring", "0009_reminder_board"),
        ("scoring", "0010_handing_in"),
        ("scoring", "0011_dealing"),
        ("scoring", "0012_draw_through"),
        ("scoring", "0013_names_of_rules"),
        ("scoring", "0014_first_final_and_withdrawn"),
        ("scoring", "0015_figures_of_the_first_final_list"),
        ("scoring", "0016_model_names"),
    ]

    dependencies = [
        ("clubs", "0020_categories"),
        ("events", "0017_movement_options"),
        ("events", "0019_clocks_before"),
        ("events", "0022_boards_of_matches"),
    ]

    operations = [
        migrations.CreateModel(
            name='Draw',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('counted', models.PositiveSmallIntegerField(default=0)),
                ('since', models.PositiveSmallIntegerField(default=1)),
                ('standings', models.JSONField(default=list)),
                ('matches', models.JSONField(default=list)),
                ('triangles', models.JSONField(default=list)),
                ('given', models.JSONField(default=list)),
                ('exchanged', models.JSONField(default=list)),
                ('decided', models.JSONField(default=list)),
                ('through', models.JSONField(default=list)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='draws', to='events.section')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='FouledBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('from_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('tables', models.JSONField(blank=True, default=list)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fouled_boards', to='events.section')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='MatchRuling',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('given', 'result set'), ('mismatch', 'wrong opponents'), ('void', 'less than half was played'), ('missing', 'a team was missing'), ('sides', 'wrong seats, both teams at fault'), ('director', 'wrong seats, the director’s error')], max_length=8)),
                ('one_points', models.DecimalField(decimal_places=3, max_digits=6, null=True)),
                ('other_points', models.DecimalField(decimal_places=3, max_digits=6, null=True)),
                ('one_award', models.CharField(blank=True, max_length=4)),
                ('other_award', models.CharField(blank=True, max_length=4)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='events.entry')),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='match_rulings', to='events.section')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Penalty',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('unit', models.CharField(choices=[('top', 'of a top'), ('percent', 'per cent points'), ('matchpoints', 'matchpoints'), ('imps', 'IMPs'), ('vps', 'victory points')], max_length=12)),
                ('amount', models.DecimalField(decimal_places=3, max_digits=8)),
                ('kind', models.CharField(choices=[('procedural', 'procedural penalty'), ('disciplinary', 'disciplinary penalty'), ('time', 'slow play'), ('bonus', 'bonus')], max_length=12)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('board', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='penalties', to='events.entry')),
            ],
            options={
                'verbose_name_plural': 'penalties',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ScoringSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('profile', models.JSONField(blank=True, default=dict)),
                ('final_at', models.DateTimeField(blank=True, null=True)),
                ('revision', models.PositiveSmallIntegerField(default=0)),
                ('correction_minutes', models.PositiveIntegerField(default=30, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('first_final_at', models.DateTimeField(blank=True, null=True)),
                ('first_figures', models.JSONField(blank=True, default=dict, editable=False)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('token', models.CharField(default=bridgebuddy.scoring.models.new_token, max_length=12, unique=True)),
                ('barometer', models.BooleanField(default=False)),
                ('revealed', models.PositiveSmallIntegerField(null=True)),
                ('same_cards', models.BooleanField(default=False)),
                ('beside', models.CharField(blank=True, max_length=12)),
                ('classes', models.JSONField(blank=True, default=dict)),
                ('masterpoints', models.CharField(blank=True, max_length=24)),
                ('charge_code', models.CharField(blank=True, default='', max_length=12, verbose_name='charge code')),
                ('point_scale', models.CharField(blank=True, default='', max_length=40, verbose_name='scale of points')),
                ('points_awarded', models.BooleanField(default=False, verbose_name='points are awarded')),
                ('embargo_until', models.DateTimeField(blank=True, null=True, verbose_name='published not before')),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='scoring', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='TerminalImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=100)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('taken_back_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readouts', to='events.session')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('board', models.PositiveSmallIntegerField()),
                ('pbn', models.CharField(max_length=80)),
                ('section', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='deals', to='events.section')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deals', to='events.session')),
            ],
            options={
                'ordering': ['section', 'board'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('section', None)), fields=('session', 'board'), name='one_deal_for_all_sections'), models.UniqueConstraint(condition=models.Q(('section__isnull', False)), fields=('section', 'board'), name='one_deal_a_section')],
            },
        ),
        migrations.CreateModel(
            name='DealGeneration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret', models.CharField(max_length=64)),
                ('boards', models.JSONField(default=list)),
                ('words', models.JSONField(blank=True, default=list)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('section', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='dealings', to='events.section')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='dealings', to='events.session')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('section', None)), fields=('session',), name='one_dealing_for_all'), models.UniqueConstraint(condition=models.Q(('section__isnull', False)), fields=('section',), name='one_dealing_a_section')],
            },
        ),
        migrations.CreateModel(
            name='DismissedCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('doubt', models.CharField(max_length=80)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settled', to='events.section')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('section', 'doubt'), name='one_doubt_settled_once')],
            },
        ),
        migrations.CreateModel(
            name='TableReminder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.PositiveSmallIntegerField()),
                ('table', models.PositiveSmallIntegerField()),
                ('board', models.PositiveSmallIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('section', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='events.section')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('section', 'round', 'table'), name='one_reminder_a_table')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('outcome', models.JSONField(null=True)),
                ('stands', models.BooleanField(default=True)),
                ('source', models.CharField(choices=[('desk', 'at the desk'), ('slip', 'from a slip'), ('phone', 'on a phone'), ('ruling', 'a ruling'), ('repair', 'a repair'), ('terminal', 'from the terminals'), ('undo', 'taken back')], default='desk', max_length=8)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('play', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='events.play')),
                ('readout', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='results', to='scoring.terminalimport')),
            ],
            options={
                'ordering': ['play', 'number'],
                'constraints': [models.UniqueConstraint(fields=('play', 'number'), name='one_result_per_number'), models.UniqueConstraint(condition=models.Q(('stands', True)), fields=('play',), name='one_result_stands')],
            },
        ),
    ]
