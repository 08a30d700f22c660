"""The entry point for `manage.py serve` and other WSGI servers."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bridgebuddy.settings")
application = get_wsgi_application()
