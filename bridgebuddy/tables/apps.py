from django.apps import AppConfig


class TablesConfig(AppConfig):
    name = "bridgebuddy.tables"
    label = "tables"
