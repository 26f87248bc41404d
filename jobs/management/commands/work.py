"""The former name of `worker`, which services of earlier versions start."""

from jobs.management.commands.worker import Command

__all__ = ["Command"]
