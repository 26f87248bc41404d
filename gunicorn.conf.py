"""gunicorn reads its settings here when it is started in this folder."""

from taskboard.serving.gunicorn_settings import *  # noqa: F403
