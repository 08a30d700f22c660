"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import bridgebuddy.clubs.models
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models


def create_cache_tables(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("clubs", "0001_initial"),
        ("clubs", "0002_cache_table"),
        ("clubs", "0003_languages"),
        ("clubs", "0004_phone_switches"),
        ("clubs", "0005_club_logo"),
        ("clubs", "0006_person_strength"),
        ("clubs", "0007_room_sounds"),
        ("clubs", "0008_two_people"),
        ("clubs", "0009_access"),
        ("clubs", "0010_forgetting"),
        ("clubs", "0011_numbers_in_hundreds"),
        ("clubs", "0012_upkeep"),
        ("clubs", "0013_security_events"),
        ("clubs", "0014_time_zone"),
        ("clubs", "0015_data_protection"),
        ("clubs", "0016_usual_evening"),
        ("clubs", "0017_trials"),
        ("clubs", "0018_numbers_of_the_federation"),
        ("clubs", "0019_own_pages_on_sheets"),
        ("clubs", "0020_categories"),
        ("clubs", "0021_last_check_of_the_database"),
        ("clubs", "0022_masterpoint_scale"),
        ("clubs", "0023_model_names"),
        ("clubs", "0024_roles"),
        ("clubs", "0025_members_on_the_roster"),
        ("clubs", "0026_member_columns"),
        ("clubs", "0027_connected_accounts"),
        ("clubs", "0028_plain_labels"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name='AttemptCount',
            fields=[
                ('who', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('tries', models.PositiveIntegerField()),
                ('until', models.BigIntegerField(db_index=True)),
            ],
            options={
                'verbose_name_plural': 'tries',
            },
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, verbose_name='name of the club')),
                ('paper', models.CharField(choices=[('a4', 'A4'), ('letter', 'US Letter')], default='a4', max_length=6, verbose_name='paper')),
                ('stand_word', models.CharField(choices=[('stand', 'stand'), ('relay', 'relay'), ('bye-stand', 'bye-stand')], default='stand', max_length=9, verbose_name='the place where boards wait is called')),
                ('language', models.CharField(blank=True, default='', max_length=7, verbose_name='language of paper and room display')),
                ('numbers_in_hundreds', models.BooleanField(default=False, help_text='Instead of NS 3 and EW 3, on every page and card. With one winner for all it stays 1, 2, 3 … Phones find both.', verbose_name='pairs are numbered 101, 102 … (North-South) and 201, 202 … (East-West)')),
                ('phones_show_names', models.BooleanField(default=True, verbose_name='phones show opponents’ names')),
                ('room_sounds', models.BooleanField(default=False, verbose_name='the room display sounds a gong and speaks the call')),
                ('phones_show_later_rounds', models.BooleanField(default=True, help_text='Otherwise they show the round being played and the next one.', verbose_name='phones show all later rounds')),
                ('names_kept_for', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('public_names', models.CharField(choices=[('full', 'the whole name'), ('initials', 'initials'), ('none', '“Guest”, and no name')], default='full', help_text='A player’s own choice is entered on the player’s page in the list of players.', max_length=8, verbose_name='Names on pages that everybody can read')),
                ('privacy_contact', models.CharField(blank=True, default='', help_text='A name with an address or a telephone number. Everybody can read it.', max_length=200, verbose_name='Contact for questions about stored data')),
                ('codes_end', models.CharField(choices=[('soon', 'two hours after the end'), ('morning', 'the next morning'), ('week', 'a week after the end')], default='morning', help_text='Afterwards nobody can read the names by a code.', max_length=7, verbose_name='codes for phones end')),
                ('time_zone', models.CharField(blank=True, default='', help_text='The club’s clocks show this time.', max_length=40, verbose_name='time zone')),
                ('results_come', models.CharField(blank=True, choices=[('phones', 'on phones'), ('slips', 'on slips'), ('both', 'both')], default='', max_length=6, verbose_name='Results come')),
                ('table_sees', models.CharField(blank=True, default='', max_length=10, verbose_name='After a board a table sees')),
                ('usual_day', models.PositiveSmallIntegerField(blank=True, choices=[(0, 'Monday'), (1, 'Tuesday'), (2, 'Wednesday'), (3, 'Thursday'), (4, 'Friday'), (5, 'Saturday'), (6, 'Sunday')], null=True, verbose_name='We play mostly on')),
                ('usual_start', models.TimeField(blank=True, null=True, verbose_name='Usual start')),
                ('usual_boards', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(96)], verbose_name='Boards')),
                ('usual_minutes', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(3), django.core.validators.MaxValueValidator(15)], verbose_name='Minutes a board')),
                ('half_table', models.CharField(blank=True, choices=[('', 'the line that waits less'), ('ew', 'N-S sits out'), ('ns', 'E-W sits out')], default='', max_length=2, verbose_name='Half a table')),
                ('federation_number', models.CharField(blank=True, default='', max_length=20, verbose_name='number of the club')),
                ('shows_numbers', models.BooleanField(default=False, verbose_name='numbers of members are in files that everybody may read')),
                ('own_pages_on_sheets', models.BooleanField(default=False, verbose_name='printed score sheets have the codes of players’ own pages')),
                ('scoring_rules', models.CharField(blank=True, default='', max_length=8, verbose_name='Scoring')),
                ('masterpoint_scale', models.CharField(blank=True, default='', max_length=24, verbose_name='Masterpoints')),
                ('member_columns', models.JSONField(blank=True, editable=False, null=True)),
                ('trial_until', models.DateTimeField(db_index=True, editable=False, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Upkeep',
            fields=[
                ('what', models.CharField(choices=[('backup', 'backup'), ('tidy', 'tidy'), ('check', 'check of the database')], max_length=6, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('trouble', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name_plural': 'upkeep',
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('language', models.CharField(blank=True, default='', max_length=7, verbose_name='language')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
            managers=[
                ('objects', bridgebuddy.clubs.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ClubLogo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('image', models.BinaryField()),
                ('type', models.CharField(max_length=10)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='logo', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_director', models.BooleanField(default=False, help_text='does everything, settings and roles too', verbose_name='director')),
                ('is_helper', models.BooleanField(default=False, help_text='runs sessions, with their results', verbose_name='helper')),
                ('is_scorer', models.BooleanField(default=False, help_text='corrects results and publishes them', verbose_name='scorer')),
                ('is_secretary', models.BooleanField(default=False, help_text='keeps members, calendar, championships and mails to members', verbose_name='secretary')),
                ('is_treasurer', models.BooleanField(default=False, help_text='keeps the money and reads the list of members', verbose_name='treasurer')),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='clubs.club')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='club',
            name='members',
            field=models.ManyToManyField(related_name='clubs', through='clubs.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('search', models.CharField(editable=False, max_length=120)),
                ('strength', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(9999)], verbose_name='strength')),
                ('national_number', models.CharField(blank=True, default='', max_length=20, verbose_name='number of the federation')),
                ('member_number', models.CharField(blank=True, default='', max_length=20, verbose_name='number as a member')),
                ('other_club', models.CharField(blank=True, default='', max_length=60, verbose_name='other club')),
                ('categories', models.CharField(blank=True, default='', max_length=80, verbose_name='categories')),
                ('public_name', models.CharField(blank=True, choices=[('full', 'the whole name'), ('initials', 'initials'), ('none', '“Guest”, and no name')], default='', max_length=8, verbose_name='on pages that everybody can read')),
                ('anonymous_since', models.DateTimeField(editable=False, null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='people', to='clubs.club')),
            ],
            options={
                'verbose_name_plural': 'people',
                'ordering': ['search'],
            },
        ),
        migrations.AddField(
            model_name='membership',
            name='person',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='membership', to='clubs.person'),
        ),
        migrations.CreateModel(
            name='DistinctPeople',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
            ],
        ),
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('what', models.CharField(choices=[('sign-in', 'signed in'), ('failed', 'wrong password or code'), ('password', 'changed the password'), ('invited', 'invited'), ('joined', 'joined the club'), ('role', 'gave other roles'), ('removed', 'removed from the club'), ('person', 'connected an account with a player'), ('code', 'gave phones a new code'), ('secrets', 'gave all tables new codes'), ('digits', 'too many wrong digits at a table'), ('factor', 'signs in with a code from a phone as well from now on'), ('nofactor', 'signs in with the password alone from now on')], max_length=8)),
                ('about', models.CharField(blank=True, max_length=254)),
                ('role', models.CharField(blank=True, max_length=60)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='security_events', to='clubs.club')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_director', models.BooleanField(default=False, help_text='does everything, settings and roles too', verbose_name='director')),
                ('is_helper', models.BooleanField(default=False, help_text='runs sessions, with their results', verbose_name='helper')),
                ('is_scorer', models.BooleanField(default=False, help_text='corrects results and publishes them', verbose_name='scorer')),
                ('is_secretary', models.BooleanField(default=False, help_text='keeps members, calendar, championships and mails to members', verbose_name='secretary')),
                ('is_treasurer', models.BooleanField(default=False, help_text='keeps the money and reads the list of members', verbose_name='treasurer')),
                ('email', models.EmailField(blank=True, default='', max_length=254, verbose_name='e-mail address')),
                ('key', models.CharField(editable=False, max_length=64, unique=True)),
                ('until', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='clubs.club')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('email', ''), _negated=True), fields=('club', 'email'), name='one_invitation_per_address')],
            },
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.UniqueConstraint(fields=('club', 'search'), name='one_person_per_name'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('club', 'user'), name='one_membership_per_club'),
        ),
        migrations.AddConstraint(
            model_name='distinctpeople',
            constraint=models.UniqueConstraint(fields=('one', 'other'), name='two_people_once'),
        ),
        migrations.AddIndex(
            model_name='securityevent',
            index=models.Index(fields=['club', '-id'], name='security_by_club'),
        ),
        migrations.RunPython(create_cache_tables, migrations.RunPython.noop),
    ]
