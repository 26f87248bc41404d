import pytest
from django.core.files.storage import default_storage

from web.tests.looking import show

__all__ = ["show"]


@pytest.fixture(autouse=True)
def _no_uploads_of_other_tests():
    """Rows end with their test, files do not."""
    try:
        for name in default_storage.listdir("imports")[1]:
            default_storage.delete(f"imports/{name}")
    except FileNotFoundError:
        pass
