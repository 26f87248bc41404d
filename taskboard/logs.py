"""Filters of the log: one line where Django writes a traceback for each request."""

import logging

from core.outage import Throttle, one_line


class ToldAlready(logging.Filter):
    """Leaves out answers with 503: core/outage.py writes a line about all of them together, /healthz about itself."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != 503


class UnknownHost(logging.Filter):
    """Turns a request for an unknown host into one line of four a minute. Scanners send such requests all the time."""

    lines = Throttle(15.0)

    def filter(self, record: logging.LogRecord) -> bool:
        if not (count := self.lines.count()):
            return False
        asked = one_line(record.exc_info[1]) if record.exc_info and record.exc_info[1] else record.getMessage()
        host = asked.removeprefix("Invalid HTTP_HOST header: ").split(". ")[0]
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = record.exc_text = None
        record.msg = "refused %s for a host that is not in TASKBOARD_ALLOWED_HOSTS, the last one for %s"
        record.args = ("1 request" if count == 1 else f"{count} requests", host)
        return True
