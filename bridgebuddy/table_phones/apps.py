from django.apps import AppConfig


class TablesConfig(AppConfig):
    """The app of result entry by phones."""

    name = "bridgebuddy.table_phones"
    label = "tables"
