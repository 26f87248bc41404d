from boards.tests.conftest import pushed, world
from taskboard.tests.chrome import chrome

__all__ = ["chrome", "pushed", "world"]
