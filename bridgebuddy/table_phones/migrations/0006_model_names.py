from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_whose_call")]

    operations = [
        migrations.RenameModel("Phones", "PhoneSettings"),
        migrations.RenameModel("Claim", "ResultClaim"),
        migrations.RenameModel("Sent", "PhoneSubmission"),
        migrations.RenameModel("Correction", "CorrectionRequest"),
        migrations.RenameModel("Call", "DirectorCall"),
        migrations.RenameModel("Heard", "TableLastSeen"),
        migrations.RenameModel("Swapped", "SwappedSeats"),
        migrations.RenameModel("Carried", "PhoneHolder"),
    ]
