"""News of boards, what people follow, and their notifications.

Rows name boards, lists and cards by their ids alone, as those of jobs/models.py do: deleting a board never waits for a
follower. Rows of boards that are gone are seen by nobody and removed every day (tidying.py).
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from notifications.kinds import kinds, mails


class Unseen(models.Model):
    """The count of changes by others since a member last opened a board, up to where they are counted.

    `seen` is the version of the board that was shown then: changes up to it are never counted, even if the follower
    comes later.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    board = models.ForeignKey("boards.Board", on_delete=models.CASCADE, related_name="+", db_constraint=False)
    count = models.PositiveIntegerField(default=0)
    seen = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "board"], name="one_count_a_member")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.board_id} · {self.count}"


class Level(models.IntegerChoices):
    """The level at which somebody follows. The higher one is nearer to a change, and decides."""

    BOARD = 1, _("Board")
    LIST = 2, _("List")
    CARD = 3, _("Card")


class Chosen(models.TextChoices):
    """A person's choice by hand for a card, a list or a board."""

    DEFAULT = "", _("Default")
    FOLLOW = "follow", _("Follow")
    MUTE = "mute", _("Mute")


class Follow(models.Model):
    """Whether a person follows a card, a list or a board. Only they see it.

    `by_itself` says that they created the card, commented on it, or were assigned to it or mentioned on it. A choice by
    hand (`chose`), on the card, its list or its board, counts more.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    board_id = models.UUIDField(db_index=True)
    level = models.PositiveSmallIntegerField(choices=Level)
    subject_id = models.UUIDField()  # of the card, the list or the board
    chose = models.CharField(max_length=10, choices=Chosen, default=Chosen.DEFAULT, blank=True)
    by_itself = models.BooleanField(default=False)
    since = models.BigIntegerField(default=0)  # the change by which that began: it and earlier ones are not told

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject_id", "user"], name="one_follow_a_person_and_subject")]
        indexes = [models.Index(fields=["user", "level"], name="follow_of_a_person")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.subject_id} · {self.chose or self.by_itself}"


class Burst(models.Model):
    """The last burst of changes by one person or one token on one board: it began with the change `version`.

    Each person is told of a burst in one row.
    """

    board_id = models.UUIDField()
    by_id = models.UUIDField()  # the token, or the user who needed none
    version = models.BigIntegerField()
    began_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["board_id", "by_id"], name="one_burst_a_board_and_author")]

    def __str__(self) -> str:
        return f"{self.board_id} · {self.by_id} · {self.version}"


class Notification(models.Model):
    """A notification of one person, one line of the inbox. It holds no text of a board: that is read when it is shown.

    `version` is the last of the `count` changes of the board that the line is about; 0 where it is about none.
    `group_key` is unique for the person, so that the same thing is told once, and a burst is counted in one row.
    `card_id` is absent where the changes of a burst are on several cards. `data` is for kinds that no board has: its
    strings are shown as they are.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=kinds)
    board_id = models.UUIDField(null=True, db_index=True)  # None: shown without looking whether the person is a member
    card_id = models.UUIDField(null=True)
    subject_id = models.UUIDField(null=True)  # the invitation or the token
    group_key = models.CharField(max_length=200)
    version = models.BigIntegerField(default=0)
    count = models.PositiveIntegerField(default=1)
    data = models.JSONField(default=dict)
    in_app = models.BooleanField(default=True)  # False: the person wants it in another way alone
    created_at = models.DateTimeField(default=timezone.now)
    told_at = models.DateTimeField(
        default=timezone.now
    )  # when the last of its changes was told; the order of the inbox
    read_at = models.DateTimeField(null=True)
    later_until = models.DateTimeField(null=True)
    to_mail = models.CharField(
        max_length=10, default="", db_default=""
    )  # "now" or "daily" while it waits to be mailed (mailing.py)
    to_mail_since = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)  # when it was last in a mail
    mailed_count = models.PositiveIntegerField(default=0, db_default=0)  # how many of the `count` changes were in mails

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "group_key"], name="each_thing_is_told_once")]
        indexes = [
            models.Index(fields=["user", "-told_at", "-id"], name="notification_in_order"),
            models.Index(fields=["user"], condition=Q(read_at=None, in_app=True), name="notification_unread"),
            models.Index(fields=["later_until"], condition=~Q(later_until=None), name="notification_later"),
            models.Index(fields=["to_mail", "to_mail_since"], condition=~Q(to_mail=""), name="notification_to_mail"),
            models.Index(fields=["user"], condition=~Q(to_mail=""), name="notification_mails_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.kind} · {self.count}"


class Way(models.Model):
    """The ways in which a person is told of one kind. Without a row it is in the app, and by mail as kinds.DEFAULT_MAIL says."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=kinds)
    in_app = models.BooleanField(default=True)
    mail = models.CharField(max_length=10, choices=mails, default="", blank=True)  # "": the default of the kind
    push = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="one_way_a_person_and_kind")]

    def __str__(self) -> str:
        return f"{self.user_id} · {self.kind}"


class Habits(models.Model):
    """A person's settings: automatic following, reminders, mails of all kinds. Without a row the defaults hold."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    follow_assigned = models.BooleanField(_("Cards that are assigned to me"), default=True)
    follow_created = models.BooleanField(_("Cards that I create"), default=True)
    follow_commented = models.BooleanField(_("Cards that I comment on"), default=True)
    follow_mentioned = models.BooleanField(_("Cards that mention me"), default=True)
    remind_day = models.BooleanField(_("1 day before"), default=True)
    remind_hour = models.BooleanField(_("1 hour before"), default=False)
    remind_minutes = models.BooleanField(_("10 minutes before"), default=False)
    remind_due = models.BooleanField(_("When it is due"), default=True)
    mails = models.BooleanField(_("Send me notification emails"), default=True, db_default=True)
    mail_hour = models.PositiveSmallIntegerField(_("Daily email at"), default=9, db_default=9)

    def __str__(self) -> str:
        return str(self.user_id)


class ReminderClock(models.Model):
    """The time up to which due dates and tokens were checked. There is one row."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} · {self.at}"


class PushBrowser(models.Model):
    """A browser that gets push messages: its subscription, bound to the session in which it was switched on, with which
    it ends. No foreign key binds the two, as in security/models.py. `held_until` is set while a worker sends,
    `retry_at` while its push service is left alone.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    session = models.ForeignKey(
        "security.BrowserSession", on_delete=models.CASCADE, db_constraint=False, related_name="+"
    )
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the endpoint: one endpoint is one person's
    endpoint = models.TextField()
    point = models.BinaryField()  # the browser's public key
    secret = models.BinaryField()
    key = models.CharField(max_length=100)  # our public key with which it subscribed
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True)  # when its push service last took a message
    failures = models.PositiveIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)
    held_until = models.DateTimeField(null=True)
    window_began_at = models.DateTimeField(null=True)
    window_count = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id} · {self.created_at:%Y-%m-%d}"


class PushTurn(models.Model):
    """The push of a notification to a browser: pending while `due_at` is set, done up to `told_at`.

    Nothing is rendered until it is sent. A turn whose browser or notification is gone is dropped then.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    browser = models.ForeignKey(
        PushBrowser, on_delete=models.CASCADE, db_constraint=False, related_name="turns", db_index=False
    )
    notification_id = models.UUIDField()
    due_at = models.DateTimeField(null=True)
    is_held_back = models.BooleanField(default=False)  # there were too many
    told_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["browser", "notification_id"], name="one_turn_a_browser_and_notification")
        ]
        indexes = [models.Index(fields=["due_at"], condition=~Q(due_at=None), name="push_due")]

    def __str__(self) -> str:
        return f"{self.browser_id} · {self.notification_id}"
