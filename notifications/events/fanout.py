"""Notify all followers of events, by one statement for any number. A weight decides who follows: of a person's choices
by hand the nearest counts, card over list over board. Following is odd, muting even, so the highest weight of a person
says both which choice counts and what it is.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, models
from django.utils import timezone

from boards.models import Membership
from core.http.compact_json import dumps
from core.sql import key_in, keys, table
from notifications.events.changes import Event
from notifications.kinds import DEFAULT_MAIL, Kind, Mail
from notifications.models import Follow, Habits, Notification, Way

BY_ITSELF, ALWAYS = 1, 99  # weights; by hand they are 2 to 7
BY_CARD = f"{BY_ITSELF}, 7"  # weights of those who follow the card itself
FOLLOWED = f"""CASE f.chose
    WHEN 'follow' THEN f.level * 2 + 1
    WHEN 'mute' THEN f.level * 2
    ELSE CASE WHEN f.by_itself{{since}} THEN {BY_ITSELF} ELSE 0 END END"""
COLUMNS = (
    "id, user_id, kind, board_id, card_id, subject_id, group_key, version, count, data, in_app,"
    " created_at, told_at, read_at, later_until, to_mail, to_mail_since, mailed_count"
)
WANTED = "(COALESCE(way.in_app, TRUE) OR {mail} <> '' OR way.push)"

# One row for each event; then for each person whom it may concern the highest weight; then those who may see the board,
# have not done it themselves, and want this kind. Rows of the same group are counted together.
FAN_OUT = f"""WITH event (
    place, version, kind, user_id, card_id, card_key, by_id, is_by_agent, is_one_row, has_direct, burst
) AS (VALUES {{events}}),
subject (place, subject_id) AS (VALUES {{subjects}}),
weighed (place, user_id, weight) AS (
    SELECT place, user_id, MAX(weight) FROM (
        SELECT e.place, f.user_id, {FOLLOWED.format(since=" AND f.since < e.version")} AS weight FROM event e
        JOIN subject s ON s.place = e.place
        JOIN {{follow}} f ON f.subject_id = s.subject_id
        WHERE e.user_id IS NULL OR e.user_id = f.user_id
        UNION ALL
        SELECT place, user_id, CASE kind WHEN '{Kind.ACCESS}' THEN {ALWAYS} ELSE {BY_ITSELF} END FROM event
        WHERE user_id IS NOT NULL
    ) every GROUP BY place, user_id
),
told (user_id, kind, card_id, group_key, version) AS (
    SELECT w.user_id, CASE WHEN w.user_id = e.by_id THEN '{Kind.AGENT}' ELSE e.kind END,
        CASE WHEN e.is_one_row OR (e.user_id IS NULL AND w.weight NOT IN ({BY_CARD})) THEN NULL ELSE e.card_id END,
        CASE WHEN w.user_id = e.by_id THEN '{Kind.AGENT}' ELSE e.kind END || ':' || e.burst ||
        CASE WHEN e.is_one_row OR (e.user_id IS NULL AND w.weight NOT IN ({BY_CARD})) THEN '' ELSE e.card_key END,
        e.version
    FROM weighed w JOIN event e ON e.place = w.place
    JOIN {{membership}} m ON m.board_id = %s AND m.user_id = w.user_id
    WHERE w.weight %% 2 = 1
    AND (w.user_id <> e.by_id OR (e.is_by_agent AND e.user_id IS NULL))
    AND NOT (e.user_id IS NULL AND e.has_direct AND EXISTS (
        SELECT 1 FROM event direct WHERE direct.version = e.version AND direct.user_id = w.user_id))
)
INSERT INTO {{notification}} AS mine ({COLUMNS})
SELECT {{new_id}}, t.user_id, t.kind, {{board}}, t.card_id, NULL, t.group_key, MAX(t.version), COUNT(*), {{data}},
    COALESCE(way.in_app, TRUE), {{now}}, {{now}}, NULL, NULL, {{mail}}, {{now}}, 0
FROM told t LEFT JOIN {{way}} way ON way.user_id = t.user_id AND way.kind = t.kind
LEFT JOIN {{habits}} h ON h.user_id = t.user_id
WHERE {{wanted}}
GROUP BY t.user_id, t.kind, t.card_id, t.group_key, way.in_app, way.mail, h.mails
ON CONFLICT (user_id, group_key) DO UPDATE SET
    version = excluded.version, in_app = excluded.in_app, told_at = excluded.told_at, read_at = NULL,
    count = excluded.count + CASE WHEN mine.read_at IS NULL THEN mine.count ELSE 0 END,
    mailed_count = CASE WHEN mine.read_at IS NULL THEN mine.mailed_count ELSE 0 END, to_mail = excluded.to_mail,
    to_mail_since = CASE WHEN mine.to_mail = '' THEN excluded.to_mail_since ELSE mine.to_mail_since END
WHERE excluded.version > mine.version
RETURNING user_id"""  # noqa: S608 (own names)


def fan_out(board_id: UUID, events: list[Event], bursts: dict[int, int]) -> set[UUID]:
    """Write what these events tell, and return who was told. `bursts` has the first version of each version's burst."""
    if not events:
        return set()
    rows, subjects = Values(*EVENT), Values("integer", "uuid")
    direct = {event.change.version for event in events if event.user}
    for place, event in enumerate(events):
        change = event.change
        rows.add(
            place, change.version, event.kind.value, event.user, event.card_id, f":{event.card_id}" if event.card_id else "",
            change.user_id, event.is_by_agent, is_one_row(event), change.version in direct,
            f"{board_id.hex}.{bursts[change.version]}",
        )  # fmt: skip
        for subject in {event.card_id, event.list_id, event.old_list_id, board_id} - {None}:
            subjects.add(place, subject)
    return run(
        FAN_OUT,
        [*rows.params, *subjects.params, *keys([board_id]), *keys([board_id])],
        mail=mail_of("t.kind"),
        events=rows,
        subjects=subjects,
    )


def is_one_row(event: Event) -> bool:
    """Whether a burst of these is told in one row, whatever its cards: all that an agent does but mentions, which somebody
    is to answer on their cards.
    """
    return event.change.token_id is not None and event.kind != Kind.MENTIONED


EVENT = (
    "integer", "bigint", "text", "uuid", "uuid", "text", "uuid", "boolean", "boolean", "boolean", "text",
)  # fmt: skip


class Values:
    """Rows of a VALUES list. The types are written for the first row alone: the others follow it."""

    def __init__(self, *types: str) -> None:
        self.types, self.rows, self.params = types, 0, list[Any]()

    def add(self, *values: Any) -> None:
        self.rows += 1
        self.params += [_param(value) for value in values]

    def __str__(self) -> str:
        native = connection.features.has_native_uuid_field
        first = ", ".join(f"CAST(%s AS {kind if native else STORED[kind]})" for kind in self.types)
        other = ", ".join(["%s"] * len(self.types))
        return ", ".join(f"({other if row else first})" for row in range(self.rows))


STORED = {"integer": "integer", "bigint": "integer", "text": "text", "uuid": "text", "boolean": "integer"}  # by SQLite


def _param(value: Any) -> Any:
    return keys([value])[0] if isinstance(value, UUID) else value


def mail_of(kind: str) -> str:
    """Return as SQL what `to_mail` is: how the person wants mails about the kind, "" for none. `kind` is SQL too."""
    if not settings.MAIL:
        return "''"
    defaults = " ".join(f"WHEN '{one}' THEN '{mail}'" for one, mail in DEFAULT_MAIL.items())
    return (
        f"CASE WHEN NOT COALESCE(h.mails, TRUE) OR way.mail = '{Mail.OFF}' THEN '' WHEN way.mail <> '' THEN way.mail"
        f" ELSE CASE {kind} {defaults} ELSE '' END END"
    )


def run(
    statement: str, params: list[Any], data: dict[str, str] | None = None, *, mail: str, **parts: object
) -> set[UUID]:
    """Run a statement that inserts notifications with this `data`, which is ours; return whom they are for.

    `mail` is the SQL that `mail_of` returns.
    """
    native = connection.features.has_native_uuid_field
    sql = statement.format(
        board="CAST(%s AS uuid)" if native else "%s",
        now=_moment(timezone.now()),
        new_id=_new_id(),
        data=_data(data or {}),
        mail=mail,
        wanted=WANTED.format(mail=mail),
        **{str(model._meta.model_name): table(model) for model in TABLES},
        **parts,
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return {key_in(user) for (user,) in cursor.fetchall()}


TABLES: Iterable[type[models.Model]] = (Follow, Habits, Membership, Notification, Way)


def _moment(moment: datetime) -> str:
    """Return the moment, which is in UTC, as SQL. It holds digits alone, as Django writes it: SQLite compares texts."""
    text = moment.replace(tzinfo=None).isoformat(" ")
    return f"CAST('{text}+00' AS timestamp with time zone)" if connection.vendor == "postgresql" else f"'{text}'"


def _data(data: dict[str, str]) -> str:
    return f"CAST('{dumps(data)}' AS {'jsonb' if connection.vendor == 'postgresql' else 'text'})"


def _new_id() -> str:
    """Return the SQL of a new id: a UUID of version 7, as Python makes them, and another one in each row."""
    time = f"{int(timezone.now().timestamp() * 1000):012x}"
    if connection.vendor == "postgresql":
        return f"CAST('{time}7' || substr(replace(CAST(gen_random_uuid() AS text), '-', ''), 14) AS uuid)"
    random = "lower(substr(hex(randomblob({})), 1, {}))"
    return f"'{time}7' || {random.format(2, 3)} || '8' || {random.format(8, 15)}"
