"""Python imports this at its start when the folder is on PYTHONPATH: every pause is twenty times as short."""

import time

pause = time.sleep
time.sleep = lambda seconds: pause(seconds / 20)
