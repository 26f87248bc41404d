from boards.tests.conftest import pushed, world

__all__ = ["pushed", "world"]
