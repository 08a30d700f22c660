from datetime import timedelta

from django.db import migrations, models
from django.db.models import F

#: mail servers give up within this time
COMES_BACK_WITHIN = timedelta(weeks=1)


def mark_returned(apps, schema_editor):
    """Mark earlier mails as returned whose address failed for good within a week."""
    deliveries = apps.get_model("publication", "MemberMailDelivery").objects.filter(
        state="sent",
        address__gone_since__gte=F("at"),
        address__gone_since__lt=F("at") + COMES_BACK_WITHIN,
    )
    keys = list(deliveries.values_list("pk", flat=True))
    deliveries.model.objects.filter(pk__in=keys).update(state="back")


def mark_sent(apps, schema_editor):
    """Return to the states of the version before."""
    apps.get_model("publication", "MemberMailDelivery").objects.filter(state="back").update(
        state="sent"
    )


class Migration(migrations.Migration):
    dependencies = [("publication", "0012_documents")]

    operations = [
        migrations.AlterField(
            model_name="membermaildelivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("waits", "waits"),
                    ("sent", "sent"),
                    ("shared", "sent to a shared address"),
                    ("refused", "not taken"),
                    ("stopped", "unsubscribed before it was sent"),
                    ("back", "came back"),
                ],
                default="waits",
                max_length=7,
            ),
        ),
        migrations.RunPython(mark_returned, mark_sent),
    ]
