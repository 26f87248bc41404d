"""Read how other services write a repetition, as one of the five recurrences here."""

import re

from boards.recurrence import Recurrence

WORDS = {
    "daily": Recurrence.DAILY, "every day": Recurrence.DAILY, "weekly": Recurrence.WEEKLY, "every week": Recurrence.WEEKLY,
    "biweekly": Recurrence.BIWEEKLY, "every two weeks": Recurrence.BIWEEKLY, "every other week": Recurrence.BIWEEKLY,
    "every 2 weeks": Recurrence.BIWEEKLY, "monthly": Recurrence.MONTHLY, "every month": Recurrence.MONTHLY,
    "yearly": Recurrence.YEARLY, "every year": Recurrence.YEARLY, "annually": Recurrence.YEARLY,
}  # fmt: skip
STARTING = re.compile(r"(?P<rule>.*?) (?:starting|from) (?:on )?(?P<day>.+)", re.IGNORECASE)
FREQUENCIES = {
    ("DAILY", "1"): Recurrence.DAILY, ("WEEKLY", "1"): Recurrence.WEEKLY, ("WEEKLY", "2"): Recurrence.BIWEEKLY,
    ("MONTHLY", "1"): Recurrence.MONTHLY, ("YEARLY", "1"): Recurrence.YEARLY,
}  # fmt: skip
HARMLESS = {"FREQ", "INTERVAL", "WKST", "TT_SKIP"}


def split_repeat(text: str) -> tuple[str, str]:
    """Return the rule and the text of the first day, "" where there is none: `every week starting 2026-12-01`."""
    text = " ".join(text.split())  # the pattern takes very long for many spaces
    found = STARTING.fullmatch(text)
    return (found["rule"], found["day"]) if found else (text, "")


def recurrence_of(rule: str) -> Recurrence | None:
    """Return the recurrence of English words or of a rule of iCalendar; None where it is none of ours."""
    words = " ".join(rule.lower().replace("every!", "every").split()).removeprefix("ev ").strip()
    return WORDS.get(words) or _of_calendar(rule)


def _of_calendar(rule: str) -> Recurrence | None:
    parts = dict(part.partition("=")[::2] for part in rule.upper().removeprefix("RRULE:").split(";") if part)
    if set(parts) - HARMLESS:
        return None
    return FREQUENCIES.get((parts.get("FREQ", ""), parts.get("INTERVAL", "1")))
