from django.apps import AppConfig


class AccountDeletionConfig(AppConfig):
    name = "account_deletion"
