"""Read /metrics as Prometheus does."""

from collections.abc import Iterable, Iterator

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


class Scrape:
    def __init__(self, said: str | Iterable[Metric]) -> None:
        self.families = list(text_string_to_metric_families(said) if isinstance(said, str) else said)

    def __getitem__(self, name: str) -> float:
        """Return the sum of all samples with this name."""
        return self.of(name)

    def of(self, name: str, **labels: str) -> float:
        """Return the sum of the samples with this name that have these labels."""
        return sum(one.value for one in self.samples(name) if labels.items() <= one.labels.items())

    def labels(self, name: str) -> list[dict[str, str]]:
        return [one.labels for one in self.samples(name)]

    def samples(self, name: str) -> Iterator[Sample]:
        return (one for family in self.families for one in family.samples if one.name == name)
