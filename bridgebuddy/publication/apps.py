from django.apps import AppConfig


class PublicationConfig(AppConfig):
    name = "bridgebuddy.publication"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .imports import list_imports  # they know how their jobs are done
        from .mails import mailing
        from .own import account_person, links, own_sessions  # noqa: F401

        mailing.connect_signals()
        list_imports.connect_signals()
        links.connect_signals()
        account_person.connect_signals()
