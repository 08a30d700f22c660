"""The present models under the names that they had when older migrations were written."""

from django.apps import apps

NEW_NAMES = {("scoring", "Scoring"): "ScoringSettings"}


class AppsOfThen:
    """Stand-in for the historical apps, for calling a migration's function on the present tables."""

    def get_model(self, app, name):
        return apps.get_model(app, NEW_NAMES.get((app, name), name))
