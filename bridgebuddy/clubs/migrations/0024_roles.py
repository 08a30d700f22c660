"""Give each role a column of its own. Everybody keeps exactly the rights that they had."""

from django.db import migrations, models

COLUMNS = {"director": "is_director", "helper": "is_helper"}


def tick_roles(apps, schema_editor):
    for name in ("Membership", "Invitation"):
        model = apps.get_model("clubs", name)
        for role, column in COLUMNS.items():
            model.objects.filter(role=role).update(**{column: True})


def choose_one_role(apps, schema_editor):
    for name in ("Membership", "Invitation"):
        model = apps.get_model("clubs", name)
        # each row is written once: PostgreSQL alters no table with rows that it has yet to check
        chosen = [models.When(**{column: True}, then=models.Value(role)) for role, column in COLUMNS.items()]
        model.objects.update(role=models.Case(*chosen, default=models.Value("member")))


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0023_model_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='invitation',
            name='is_director',
            field=models.BooleanField(default=False, help_text='does everything, settings and roles too', verbose_name='director'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='is_helper',
            field=models.BooleanField(default=False, help_text='runs sessions, with their results', verbose_name='helper'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='is_scorer',
            field=models.BooleanField(default=False, help_text='corrects results and publishes them', verbose_name='scorer'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='is_secretary',
            field=models.BooleanField(default=False, help_text='keeps members, calendar, championships and mails to members', verbose_name='secretary'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='is_treasurer',
            field=models.BooleanField(default=False, help_text='keeps the money and reads the list of members', verbose_name='treasurer'),
        ),
        migrations.AddField(
            model_name='membership',
            name='is_director',
            field=models.BooleanField(default=False, help_text='does everything, settings and roles too', verbose_name='director'),
        ),
        migrations.AddField(
            model_name='membership',
            name='is_helper',
            field=models.BooleanField(default=False, help_text='runs sessions, with their results', verbose_name='helper'),
        ),
        migrations.AddField(
            model_name='membership',
            name='is_scorer',
            field=models.BooleanField(default=False, help_text='corrects results and publishes them', verbose_name='scorer'),
        ),
        migrations.AddField(
            model_name='membership',
            name='is_secretary',
            field=models.BooleanField(default=False, help_text='keeps members, calendar, championships and mails to members', verbose_name='secretary'),
        ),
        migrations.AddField(
            model_name='membership',
            name='is_treasurer',
            field=models.BooleanField(default=False, help_text='keeps the money and reads the list of members', verbose_name='treasurer'),
        ),
        migrations.RunPython(tick_roles, choose_one_role),
    ]
