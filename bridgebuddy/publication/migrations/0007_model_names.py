from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("publication", "0006_changes_wait")]

    operations = [
        migrations.RenameModel("MailAddress", "ResultsSubscription"),
        migrations.RenameModel("Letter", "ResultsMail"),
        migrations.RenameModel("Upload", "BridgeWebsUpload"),
        migrations.RenameModel("OwnPage", "PlayerPage"),
        migrations.RenameModel("Outcome", "PublishedOutcome"),
        migrations.RenameModel("OwnEvening", "PlayerSession"),
    ]
