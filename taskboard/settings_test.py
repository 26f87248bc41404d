"""The service's own settings, except those that would make tests slow or leave files behind."""

import atexit
import os
import shutil
import tempfile
from urllib.parse import urlsplit


def numbered(redis_url: str, step: int) -> str:
    """Return the address of the Redis database `step` numbers after this one. Redis has sixteen."""
    parts = urlsplit(redis_url)
    return parts._replace(path=f"/{(int(parts.path.strip('/') or 0) + step) % 16}").geturl()


if "TASKBOARD_DATA" not in os.environ:
    os.environ["TASKBOARD_DATA"] = tempfile.mkdtemp(prefix="taskboard-test-")
    atexit.register(shutil.rmtree, os.environ["TASKBOARD_DATA"], ignore_errors=True)
os.environ.setdefault("TASKBOARD_SECRET_KEY", "only-for-tests-only-for-tests-only-for-tests")

os.environ.pop("TASKBOARD_CONFIG", None)  # it is about the service of this machine

worker = os.environ.get("PYTEST_XDIST_WORKER")
if os.environ.get("REDIS_URL") and worker:
    # Each test empties the caches, so parallel ones need databases of their own.
    os.environ["REDIS_URL"] = numbered(os.environ["REDIS_URL"], int(worker.removeprefix("gw")) + 1)

from taskboard.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # tests sign in often
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_AUTOREFRESH = True
if worker and "TASKBOARD_FILES" not in os.environ:  # parallel tests sweep files of which they have no rows
    FILES = DATA / f"files-{worker}"  # noqa: F405
    STORAGES["default"] = {**STORAGES["default"], "OPTIONS": {"location": str(FILES)}}  # noqa: F405

if POSTGRESQL:  # noqa: F405
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"  # noqa: F405  # as below
else:
    DATA.mkdir(parents=True, exist_ok=True)  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # noqa: F405  # it is deleted later
