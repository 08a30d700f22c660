"""The tables of this app in one step, for a new database.

A database that has some of the replaced migrations takes the rest of them instead.
"""

import bridgebuddy.publication.models
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ("publication", "0001_a_clubs_page"),
        ("publication", "0002_own_pages"),
        ("publication", "0003_former_address"),
        ("publication", "0004_mails_that_come_back"),
        ("publication", "0005_reminds"),
        ("publication", "0006_changes_wait"),
        ("publication", "0007_model_names"),
        ("publication", "0008_figures_of_outcomes"),
        ("publication", "0009_member_mails"),
        ("publication", "0010_mail_boards"),
        ("publication", "0011_list_imports"),
        ("publication", "0012_documents"),
        ("publication", "0013_member_mails_back"),
    ]

    dependencies = [
        ("clubs", "0018_numbers_of_the_federation"),
        ("clubs", "0025_members_on_the_roster"),
        ("clubs", "0027_connected_accounts"),
        ("events", "0022_boards_of_matches"),
        ("events", "0025_past_identifier"),
    ]

    operations = [
        migrations.CreateModel(
            name='BridgeWebs',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=40, verbose_name='club at BridgeWebs')),
                ('sealed', models.TextField()),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bridgewebs', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='BridgeWebsUpload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('is_taken', models.BooleanField(default=False)),
                ('answer', models.CharField(blank=True, max_length=300)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='upload', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='ClubPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=40, unique=True, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(-[a-z0-9]+)*$', 'Small letters, digits and hyphens.')], verbose_name='address')),
                ('is_on', models.BooleanField(default=False, verbose_name='everybody can read it')),
                ('is_indexed', models.BooleanField(default=False, verbose_name='search engines may find it')),
                ('words', models.CharField(blank=True, default='', max_length=160, verbose_name='when and where you play')),
                ('documents', models.TextField(blank=True, default='', max_length=2000, verbose_name='documents for members')),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='page', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='ListImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='list_imports', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='MemberMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('audience', models.CharField(choices=[('all', 'all members'), ('session', 'the players registered for a session'), ('absent', 'members who have not come for six weeks')], max_length=7)),
                ('subject', models.CharField(max_length=120, verbose_name='subject')),
                ('text', models.TextField(max_length=5000, verbose_name='text')),
                ('reply_to', models.EmailField(blank=True, default='', max_length=254)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('once', models.CharField(editable=False, max_length=64)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='member_mails', to='clubs.club')),
                ('session', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='member_mails', to='events.session')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='PlayerPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('salt', models.CharField(max_length=32)),
                ('key', models.CharField(editable=False, max_length=64, unique=True)),
                ('former_key', models.CharField(blank=True, default='', editable=False, max_length=64)),
                ('way', models.CharField(choices=[('club', 'given by the club'), ('phone', 'asked for on a phone, after a session'), ('mail', 'sent by e-mail')], default='club', max_length=5)),
                ('since', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('forget_at', models.DateTimeField(blank=True, null=True)),
                ('hide_at', models.DateTimeField(blank=True, null=True)),
                ('public_name_before', models.CharField(blank=True, default='', max_length=8)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='own_page', to='clubs.person')),
            ],
        ),
        migrations.CreateModel(
            name='PlayerSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(max_length=80)),
                ('sums', models.TextField(default='{}')),
                ('boards', models.TextField(default='[]')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='own_evenings', to='clubs.person')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='own_evenings', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='PublishedOutcome',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(max_length=32)),
                ('lists', models.JSONField(default=list)),
                ('figures', models.JSONField(default=dict)),
                ('figures_changed_at', models.DateTimeField(blank=True, null=True)),
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='outcome', to='events.session')),
            ],
        ),
        migrations.CreateModel(
            name='ResultsSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254, verbose_name='e-mail address')),
                ('token', models.CharField(default=bridgebuddy.publication.models.new_token, editable=False, max_length=40, unique=True)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('gone_since', models.DateTimeField(blank=True, null=True)),
                ('reminds', models.BooleanField(default=False)),
                ('next_email', models.EmailField(blank=True, default='', max_length=254)),
                ('next_token', models.CharField(blank=True, editable=False, max_length=40, null=True, unique=True)),
                ('next_since', models.DateTimeField(blank=True, null=True)),
                ('next_confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('stopped_at', models.DateTimeField(blank=True, null=True)),
                ('no_member_mails_since', models.DateTimeField(blank=True, null=True)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='mail_address', to='clubs.person')),
            ],
        ),
        migrations.CreateModel(
            name='ResultsMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('says', models.CharField(max_length=32)),
                ('boards', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('waits', 'waits'), ('sent', 'sent'), ('refused', 'not taken'), ('back', 'came back')], default='waits', max_length=7)),
                ('at', models.DateTimeField(auto_now=True)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to='events.session')),
                ('address', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to='publication.resultssubscription')),
            ],
        ),
        migrations.CreateModel(
            name='MemberMailDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waits', 'waits'), ('sent', 'sent'), ('shared', 'sent to a shared address'), ('refused', 'not taken'), ('stopped', 'unsubscribed before it was sent'), ('back', 'came back')], default='waits', max_length=7)),
                ('at', models.DateTimeField(auto_now=True)),
                ('mail', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='publication.membermail')),
                ('address', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='member_mails', to='publication.resultssubscription')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='ListImportPerson',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_new', models.BooleanField(default=False)),
                ('changes', models.JSONField(default=dict)),
                ('list_import', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='people', to='publication.listimport')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='clubs.person')),
                ('address', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='publication.resultssubscription')),
            ],
        ),
        migrations.AddConstraint(
            model_name='membermail',
            constraint=models.UniqueConstraint(fields=('club', 'once'), name='one_member_mail_a_form'),
        ),
        migrations.AddConstraint(
            model_name='playersession',
            constraint=models.UniqueConstraint(fields=('person', 'session'), name='one_own_evening'),
        ),
        migrations.AddConstraint(
            model_name='resultsmail',
            constraint=models.UniqueConstraint(fields=('session', 'address'), name='one_letter_a_session'),
        ),
        migrations.AddConstraint(
            model_name='membermaildelivery',
            constraint=models.UniqueConstraint(fields=('mail', 'address'), name='one_member_mail_an_address'),
        ),
    ]
