"""A worker that is killed while it mails notifications: python -m notifications.tests.killed MOMENT, on the test's database."""

import os
import sys
from datetime import timedelta

import django


def main(moment: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "taskboard.settings_test"
    django.setup()
    from django.conf import settings

    from accounts import mails
    from conftest import run_jobs
    from jobs.backend import Backend
    from jobs.tests.killed import kill
    from notifications.mail import sending

    settings.MAIL = {"EMAIL_HOST": "mail.example.com"}
    sending.BUNDLE = timedelta(0)
    if moment == "before the mail is enqueued":
        Backend.enqueue = lambda *given: kill()
    elif moment == "before its transaction ends":
        enqueue = Backend.enqueue
        Backend.enqueue = lambda *given: (enqueue(*given), kill())
    elif moment == "before the mail is sent":
        mails.EmailMultiAlternatives = lambda *parts, **headers: kill()
    sending.mail_what_is_due.call()
    run_jobs()
    sys.exit(f"The worker was not killed {moment}.")


if __name__ == "__main__":
    main(sys.argv[1])
