from boards.tests.conftest import pushed, world
from taskboard.tests.browsers import chrome

__all__ = ["chrome", "pushed", "world"]
