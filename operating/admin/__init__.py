"""The admin's own pages: its first page and the test mail. The pages of rows are in the apps."""

from django.contrib.admin.apps import AdminConfig


class OperatorsAdmin(AdminConfig):
    default_site = "operating.admin.site.OperatorSite"
