from django.apps import AppConfig


class PublicationConfig(AppConfig):
    """The Django app for what follows a session: published results, mails, and players' personal pages."""

    name = "bridgebuddy.publication"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signals and register the jobs of this app."""
        # all of these register their kinds of jobs
        from .imports import list_imports
        from .mails import change_notices, mail_changes, mailing, member_mails, results_mailing  # noqa: F401
        from .own import account_person, links, own_sessions  # noqa: F401

        mailing.connect_signals()
        list_imports.connect_signals()
        links.connect_signals()
        account_person.connect_signals()
