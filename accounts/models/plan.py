from django.db import models
from django.utils.translation import gettext_lazy as _


class Plan(models.Model):
    """The limits of an account. Operators edit plans in the admin; NULL means no limit."""

    key = models.SlugField(_("key"), primary_key=True, max_length=30)
    name = models.CharField(_("name"), max_length=100)
    max_tokens = models.PositiveIntegerField(_("API token limit"), null=True, blank=True)
    max_boards = models.PositiveIntegerField(_("owned board limit"), null=True, blank=True)
    # Of files on cards, in bytes. The plan of the board's owner counts.
    max_file_bytes = models.PositiveBigIntegerField(
        _("limit of one file, in bytes"), null=True, blank=True, default=25 * 1024**2
    )
    max_board_bytes = models.PositiveBigIntegerField(_("limit of a board's files, in bytes"), null=True, blank=True)
    max_account_bytes = models.PositiveBigIntegerField(
        _("limit of an account's files, in bytes"), null=True, blank=True
    )

    class Meta:
        ordering = ["key"]
        verbose_name = _("plan")
        verbose_name_plural = _("plans")

    def __str__(self) -> str:
        return self.name


class DefaultPlan(models.Model):
    """The plan that new accounts start on. The table has exactly one row, which the migration makes."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    plan = models.ForeignKey(Plan, on_delete=models.PROTECT, related_name="+", verbose_name=_("plan"))

    class Meta:
        verbose_name = "default plan"
        verbose_name_plural = "default plans"
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="one_default_plan")]

    def __str__(self) -> str:
        return self.plan_id


def default_plan() -> str:
    """Return the key of the plan that new accounts start on."""
    return DefaultPlan.objects.values_list("plan", flat=True).get()
