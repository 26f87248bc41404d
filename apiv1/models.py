from django.db import models
from django.utils import timezone


class KeptAnswer(models.Model):
    """A 201 answer kept for a day, so that a repeat with the same Idempotency-Key gets it again and writes nothing.

    Before it stand the ids of the boards that it is about: apiv1/idempotency.py.

    A row without an answer belongs to a request that is still running. Other transactions cannot see it, because the
    request commits the row only together with the answer.
    """

    token = models.ForeignKey("accounts.ApiToken", on_delete=models.CASCADE, related_name="+")
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    body_digest = models.CharField(max_length=64)
    answer = models.BinaryField(default=b"")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        verbose_name = "kept answer"
        verbose_name_plural = "kept answers"
        constraints = [models.UniqueConstraint(fields=["token", "path", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.path} · {self.key}"
