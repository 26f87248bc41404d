"""The settings of notifications: which kinds in which way, when to remind, and what to follow without being asked."""

from datetime import time
from typing import Any

from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from boards.errors import Invalid
from core.http.requests import SignedInRequest
from core.text.dates import date_in_form
from notifications.models import Habits
from notifications.ways import set_ways, ways_of
from web.http.answers import back_to
from web.http.guard import signed_in
from web.inbox import grid
from web.inbox.push import push_context


class HabitsForm(forms.ModelForm):
    class Meta:
        model = Habits
        fields = [
            "remind_day",
            "remind_hour",
            "remind_minutes",
            "remind_due",
            "follow_assigned",
            "follow_created",
            "follow_commented",
            "follow_mentioned",
        ]


class MailForm(forms.ModelForm):
    class Meta:
        model = Habits
        fields = ["mails", "mail_hour"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        hours = [(hour, date_in_form(time(hour), "TIME_FORMAT")) for hour in range(24)]
        label = self.fields["mail_hour"].label
        self.fields["mail_hour"] = forms.TypedChoiceField(choices=hours, coerce=int, label=label)


@signed_in("GET", "POST")
def choices(request: SignedInRequest) -> HttpResponse:
    habits = Habits.objects.filter(user=request.user).first() or Habits(user=request.user)
    if request.method == "POST":
        return _save(request, habits)
    form = HabitsForm(instance=habits)
    context: dict[str, Any] = {
        "columns": grid.columns(),
        "rows": grid.rows(ways_of(request.user)),
        "mail_form": MailForm(instance=habits) if settings.MAIL else None,
        "reminders": [field for field in form if field.name.startswith("remind")],
        "follows": [field for field in form if field.name.startswith("follow")],
        **push_context(request),
    }
    return render(request, "web/notification_settings.html", context)


@transaction.atomic
def _save(request: SignedInRequest, habits: Habits) -> HttpResponse:
    HabitsForm(request.POST, instance=habits).save()
    if settings.MAIL:
        form = MailForm(request.POST, instance=habits)
        if not form.is_valid():
            raise Invalid.of("mail_hour", _("%(field)s must be an hour from 0 to 23."))
        form.save()
    set_ways(request.user, grid.read(request.POST, ways_of(request.user)), [one.field for one in grid.columns()])
    return back_to(request, request.path, _("Saved."))
