"""Find Django's permissions that have an effect in this admin. Only these are offered for a restricted operator."""

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Permission
from django.db.models import Q, QuerySet

ALL = ("view", "add", "change", "delete")


def useful_permissions() -> QuerySet[Permission]:
    """Return the permissions of the pages that are listed."""
    names = [
        (model._meta.app_label, get_permission_codename(right, model._meta))
        for model in apps.get_models()
        if admin.site.is_registered(model) and getattr(admin.site.get_model_admin(model), "is_listed", True)
        for right in getattr(admin.site.get_model_admin(model), "rights", ALL)
    ]
    found = Q.create([Q(content_type__app_label=app, codename=name) for app, name in names], Q.OR)
    return Permission.objects.filter(found).select_related("content_type")
