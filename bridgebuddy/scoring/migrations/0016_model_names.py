from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("scoring", "0015_figures_of_the_first_final_list")]

    operations = [
        migrations.RenameModel("Readout", "TerminalImport"),
        migrations.RenameModel("Settled", "DismissedCheck"),
        migrations.RenameModel("Dealing", "DealGeneration"),
        migrations.RenameModel("Scoring", "ScoringSettings"),
        migrations.RenameModel("Reminder", "TableReminder"),
    ]
