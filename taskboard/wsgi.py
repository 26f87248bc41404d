"""The http half: what gunicorn serves, and what asgi.py runs in a thread pool."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "taskboard.settings")
application = get_wsgi_application()
