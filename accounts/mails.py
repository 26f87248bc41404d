"""Mails are rendered in the request and sent by a worker: no request waits for the mail server."""

from datetime import timedelta
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.message import make_msgid
from django_tasks import task

from core.measures import MAILS

PERMANENT = 500  # from here on the codes of SMTP say that another try is of no use


def send_later(message: EmailMessage) -> None:
    """Enqueue the mail, with the transaction around it."""
    send.enqueue(**parts_of(message))


def parts_of(message: EmailMessage) -> dict[str, Any]:
    """Return what `send` takes. The mail keeps one id however often it is sent, so that a mailbox that gets it twice,
    after a crash, can tell."""
    host = parseaddr(message.from_email)[1].rpartition("@")[2]
    return {
        "subject": str(message.subject),
        "body": str(message.body),
        "sender": message.from_email,
        "to": list(message.to),
        "alternatives": [list(one) for one in getattr(message, "alternatives", [])],
        "headers": {"Message-ID": make_msgid(domain=host), **message.extra_headers},
    }


def is_refused(error: BaseException) -> bool:
    """Return whether the server refuses this mail, or refuses it for this mailbox. Faults of the server or our settings
    can be mended while the mail waits.
    """
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _answer in error.recipients.values())
    return isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT


# A mail may hold a link that opens an account: its row goes when it is sent, or a day after it was given up.
sending_task = task(tries=6, is_permanent=is_refused, keep=timedelta(0), keep_failed=timedelta(days=1))


@sending_task
def send(
    *, subject: str, body: str, sender: str, to: list[str], alternatives: list[Any], headers: dict[str, str]
) -> None:
    message = EmailMultiAlternatives(subject, body, sender, to, headers=headers)
    for content, kind in alternatives:
        message.attach_alternative(content, kind)
    try:
        message.send()
    except BaseException:
        MAILS.add("failed")
        raise
    MAILS.add("sent")
