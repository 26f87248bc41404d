"""Rows that meet a condition in SQL, for tests that compare or explain what it finds."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.db.models.expressions import RawSQL

from core.sql import Statement, table

Row = TypeVar("Row", bound=Model)


def rows_where(model: type[Row], condition: Statement) -> "QuerySet[Row]":
    """Return the rows of a model, called this in the condition, that meet it."""
    which: Any = RawSQL(f"SELECT this.id FROM {table(model)} this WHERE {condition.sql}", condition.params)
    return model._default_manager.filter(pk__in=which)
