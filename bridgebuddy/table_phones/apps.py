from django.apps import AppConfig


class TablePhonesConfig(AppConfig):
    """The app of result entry by phones."""

    name = "bridgebuddy.table_phones"
    label = "tables"
