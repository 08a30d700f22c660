from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "bridgebuddy.table_phones"
    label = "tables"
