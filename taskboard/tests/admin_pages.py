"""Helpers for tests of the admin's pages."""

import re
from typing import Any

from django.contrib.messages import get_messages
from django.db.models import Model
from django.test import Client
from django.urls import reverse

INLINE = re.compile(r"<style|\sstyle=|\son\w+=\"|<script(?![^>]*\ssrc=)[^>]*>", re.IGNORECASE)


def page(model: type[Model], name: str, *args: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def act(client: Client, action: str, *rows: Any, **more: Any) -> Any:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows], **more}
    return client.post(page(type(rows[0]), "changelist"), data)


def said(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]
