"""The service's own settings, but for what would make tests slow or leave traces."""

import os
import tempfile

os.environ.setdefault("TASKBOARD_DATA", tempfile.mkdtemp(prefix="taskboard-test-"))
os.environ.setdefault("TASKBOARD_SECRET_KEY", "only-for-tests-only-for-tests-only-for-tests")

from taskboard.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # tests sign in often
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_AUTOREFRESH = True
