"""Remove the column of the only role, let invitations have no address, and tie a member to a person of the roster."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0024_roles'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='invitation',
            name='one_invitation_per_address',
        ),
        migrations.RemoveField(
            model_name='invitation',
            name='role',
        ),
        migrations.RemoveField(
            model_name='membership',
            name='role',
        ),
        migrations.AddField(
            model_name='membership',
            name='person',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='membership', to='clubs.person'),
        ),
        migrations.AlterField(
            model_name='invitation',
            name='email',
            field=models.EmailField(blank=True, default='', max_length=254, verbose_name='e-mail address'),
        ),
        migrations.AlterField(
            model_name='securityevent',
            name='role',
            field=models.CharField(blank=True, max_length=60),
        ),
        migrations.AlterField(
            model_name='securityevent',
            name='what',
            field=models.CharField(choices=[('sign-in', 'signed in'), ('failed', 'wrong password or code'), ('password', 'changed the password'), ('invited', 'invited'), ('joined', 'joined the club'), ('role', 'gave other roles'), ('removed', 'removed from the club'), ('code', 'gave phones a new code'), ('secrets', 'gave all tables new codes'), ('digits', 'too many wrong digits at a table'), ('factor', 'signs in with a code from a phone as well from now on'), ('nofactor', 'signs in with the password alone from now on')], max_length=8),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(condition=models.Q(('email', ''), _negated=True), fields=('club', 'email'), name='one_invitation_per_address'),
        ),
    ]
