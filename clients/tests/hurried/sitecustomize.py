"""Make every time.sleep twenty times shorter. Python imports this file at its start if the folder is on PYTHONPATH."""

import time

pause = time.sleep
time.sleep = lambda seconds: pause(seconds / 20)
