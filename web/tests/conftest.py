from boards.tests.conftest import pushed, world
from taskboard.tests.browsers import chrome
from web.tests.looking import show
from web.tests.open_board import opened

__all__ = ["chrome", "opened", "pushed", "show", "world"]
