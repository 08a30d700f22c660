from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "bridgebuddy.scoring"
