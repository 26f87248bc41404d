"""Backups of the whole service in one file, of either database and for either: docs/decisions/backup.md."""
