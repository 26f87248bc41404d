from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest

from operating.models import Banner


@admin.register(Banner)
class BannerAdmin(admin.ModelAdmin):
    list_display = ("text", "level", "starts_at", "ends_at")
    fields = ("text", "level", "starts_at", "ends_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Banner.objects.exists()

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "text":
            kwargs["widget"] = forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        for part in getattr(field.widget, "widgets", ()):
            part.attrs["aria-label"] = field.label  # Django's fields for date and time have a label in sight alone
        return field
