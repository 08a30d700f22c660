"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import bridgebuddy.scoring.models
import bridgebuddy.seasons.models
import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("seasons", "0001_championships"),
        ("seasons", "0002_ratings"),
        ("seasons", "0003_ledger"),
        ("seasons", "0004_in_the_room"),
        ("seasons", "0005_groups"),
        ("seasons", "0006_a_form_makes_one_championship"),
        ("seasons", "0007_the_last_rating"),
        ("seasons", "0008_members_only"),
        ("seasons", "0009_categories"),
        ("seasons", "0010_what_is_kept_of_before"),
        ("seasons", "0011_by_hand_from_a_day"),
        ("seasons", "0012_new_player_label"),
        ("seasons", "0013_no_kept_rating"),
        ("seasons", "0014_figures_of_the_first_final_list"),
        ("seasons", "0015_model_names"),
        ("seasons", "0016_total_rules"),
        ("seasons", "0017_drop_form_before"),
        ("seasons", "0018_plain_labels"),
    ]

    dependencies = [
        ("clubs", "0017_trials"),
        ("clubs", "0018_numbers_of_the_federation"),
        ("clubs", "0019_own_pages_on_sheets"),
        ("events", "0022_boards_of_matches"),
        ("events", "0024_seats_in_turn"),
    ]

    operations = [
        migrations.CreateModel(
            name='Championship',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('once', models.CharField(blank=True, editable=False, max_length=64, null=True, unique=True)),
                ('name', models.CharField(max_length=80, verbose_name='Name')),
                ('of', models.CharField(choices=[('pair', 'pairs'), ('player', 'players'), ('team', 'teams')], default='pair', max_length=6, verbose_name='Who')),
                ('counts', models.CharField(choices=[('percentage', 'per cent'), ('places', 'points for places'), ('vps', 'victory points'), ('imps', 'IMPs a board'), ('masterpoints', 'masterpoints'), ('wins', 'wins'), ('evenings', 'sessions played')], default='percentage', max_length=12, verbose_name='By')),
                ('rule', models.CharField(choices=bridgebuddy.seasons.models.total_rules, default='mean', max_length=8, verbose_name='It adds up to')),
                ('best', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(500)])),
                ('least', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(500)])),
                ('each', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(500)])),
                ('weekday', models.PositiveSmallIntegerField(blank=True, choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], null=True)),
                ('since', models.DateField(blank=True, null=True, verbose_name='From')),
                ('until', models.DateField(blank=True, null=True, verbose_name='To')),
                ('is_by_hand', models.BooleanField(default=False)),
                ('brought_in', models.JSONField(blank=True, default=list)),
                ('left_out', models.JSONField(blank=True, default=list)),
                ('planned', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(500)], verbose_name='Sessions in all')),
                ('fewest_boards', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Fewest boards of a session that counts')),
                ('most_strength', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='Only players of a strength up to')),
                ('has_members_only', models.BooleanField(default=False, verbose_name='Only members of the club')),
                ('category', models.CharField(blank=True, default='', max_length=80, verbose_name='Only players of the category')),
                ('nameless', models.JSONField(blank=True, default=list)),
                ('ties', models.CharField(blank=True, choices=[('', 'share the place'), ('next', 'the next best session'), ('single', 'the best single session'), ('played', 'more sessions'), ('latest', 'the latest session')], default='', max_length=8, verbose_name='If level')),
                ('then', models.CharField(blank=True, choices=[('', 'share the place'), ('next', 'the next best session'), ('single', 'the best single session'), ('played', 'more sessions'), ('latest', 'the latest session')], default='', max_length=8, verbose_name='Still level')),
                ('whose', models.CharField(choices=[('seat', 'the owner of the place'), ('played', 'the player of most boards')], default='seat', max_length=6, verbose_name='With a substitute it counts for')),
                ('has_handicap', models.BooleanField(default=False, verbose_name='With the club’s handicap')),
                ('is_frozen', models.BooleanField(default=False, verbose_name='Handicaps stay as they were at the start')),
                ('groups', models.JSONField(blank=True, default=list)),
                ('change_over', models.PositiveSmallIntegerField(default=2, validators=[django.core.validators.MaxValueValidator(20)], verbose_name='Up and down at each border')),
                ('gone', models.JSONField(blank=True, default=list)),
                ('token', models.CharField(default=bridgebuddy.scoring.models.new_token, max_length=12, unique=True)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('is_in_room', models.BooleanField(default=False)),
                ('final_at', models.DateTimeField(blank=True, null=True)),
                ('final_rows', models.JSONField(blank=True, default=list)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='championships', to='clubs.club')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='events.event')),
                ('follows', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followers', to='seasons.championship')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='FinalList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(max_length=80)),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('lines', models.TextField(default='[]')),
                ('has_new_ranking', models.BooleanField(default=False)),
                ('at', models.DateTimeField(auto_now=True)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='final_list', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='HandicapRule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last', models.PositiveSmallIntegerField(default=20, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(500)], verbose_name='Number of last sessions that count')),
                ('months', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(120)], verbose_name='Only sessions of the last months (number)')),
                ('least', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(500)], verbose_name='Fewest sessions for a handicap')),
                ('times', models.DecimalField(decimal_places=2, default=1, max_digits=4, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(5)], verbose_name='Times')),
                ('band', models.DecimalField(blank=True, decimal_places=2, default=1, max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(0.01), django.core.validators.MaxValueValidator(25)], verbose_name='In steps of')),
                ('most', models.DecimalField(blank=True, decimal_places=2, default=10, max_digits=4, null=True, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(50)], verbose_name='At most')),
                ('new', models.DecimalField(decimal_places=2, default=0, max_digits=4, validators=[django.core.validators.MinValueValidator(-50), django.core.validators.MaxValueValidator(50)], verbose_name='A new player without enough sessions has')),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='handicap_rule', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='ManualHandicap',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('handicap', models.DecimalField(decimal_places=2, max_digits=4, validators=[django.core.validators.MinValueValidator(-50), django.core.validators.MaxValueValidator(50)], verbose_name='Handicap')),
                ('reason', models.CharField(blank=True, max_length=200, verbose_name='Why')),
                ('since', models.DateField(blank=True, null=True, verbose_name='Valid from')),
                ('at', models.DateTimeField(auto_now=True)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='handicap_by_hand', to='clubs.person')),
            ],
        ),
        migrations.CreateModel(
            name='MasterpointReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('until', models.DateField()),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='points_reports', to='clubs.club')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='MasterpointEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('name', models.CharField(max_length=80)),
                ('place', models.PositiveSmallIntegerField(null=True)),
                ('scale', models.CharField(blank=True, max_length=24)),
                ('points', models.DecimalField(decimal_places=2, max_digits=8)),
                ('is_correction', models.BooleanField(default=False)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='ledger', to='clubs.person')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='events.session')),
                ('report', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='seasons.masterpointreport')),
            ],
            options={
                'verbose_name_plural': 'ledger entries',
                'ordering': ['day', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='RatingBefore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(max_length=32)),
                ('known', models.JSONField(default=dict)),
                ('at', models.DateTimeField(auto_now=True)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rating_before', to='events.session')),
            ],
            options={
                'verbose_name_plural': 'ratings before',
            },
        ),
        migrations.CreateModel(
            name='RatingSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ratings', models.JSONField(blank=True, default=dict)),
                ('state', models.CharField(blank=True, max_length=32)),
                ('until', models.DateField(blank=True, null=True)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rating', to='clubs.club')),
            ],
        ),
    ]
