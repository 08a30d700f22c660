from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("seasons", "0014_figures_of_the_first_final_list")]

    operations = [
        migrations.RenameModel("HandicapByHand", "ManualHandicap"),
        migrations.RenameModel("ClubRating", "RatingSettings"),
        migrations.RenameModel("PointsReport", "MasterpointReport"),
        migrations.RenameModel("LedgerEntry", "MasterpointEntry"),
    ]
