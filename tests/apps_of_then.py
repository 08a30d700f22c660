"""The present models under the names that they had when older migrations were written."""

from django.apps import apps

NEW_NAMES = {("scoring", "Scoring"): "ScoringSettings"}


class AppsOfThen:
    """What a migration's function is given instead of the apps, where it is called on the present tables."""

    def get_model(self, app, name):
        return apps.get_model(app, NEW_NAMES.get((app, name), name))
