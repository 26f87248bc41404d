"""Times come out of PostgreSQL as Django's own loader gives them, read in C."""

from datetime import UTC, datetime, timedelta, timezone

import psycopg
import pytest
from django.db import connection

from core import sql

pytestmark = [pytest.mark.usefixtures("services"), pytest.mark.django_db]
TIMES = [
    datetime(2026, 11, 23, 10, 11, 12, 345678, tzinfo=UTC),
    datetime(2026, 11, 23, 10, 11, 12, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    datetime(2026, 3, 29, 2, 30, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
]


@pytest.mark.parametrize("time", TIMES, ids=str)
def test_a_time_comes_back_as_it_was_written_in_utc(time):
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz", [time])
        by_django = cursor.fetchone()[0]
    prepared = sql.first("SELECT %s::timestamptz", [time])
    assert by_django == time
    assert by_django.tzinfo is UTC
    assert prepared == (by_django,)
    assert prepared[0].tzinfo is UTC


def test_no_time_is_none():
    assert sql.first("SELECT NULL::timestamptz") == (None,)


def test_they_are_read_by_psycopg_in_c():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        loader = cursor.adapters.get_loader(psycopg.adapters.types["timestamptz"].oid, psycopg.pq.Format.TEXT)
        assert type(loader(0, cursor.connection)).__module__.startswith("psycopg_binary")
