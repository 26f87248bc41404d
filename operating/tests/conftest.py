import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import values

from core.measures import Measure
from operating.metrics import shared
from operating.metrics.recording import Recorder

COUNTING = "operating.metrics.middleware.CountRequests"
TOKEN = "0123456789abcdef" * 2


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorder]:
    """Have this process count in a folder of the test's own."""
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", os.environ.get("PROMETHEUS_MULTIPROC_DIR", ""))
    monkeypatch.setattr(Measure, "recorder", made := Recorder(tmp_path / "metrics"))
    monkeypatch.setattr(shared, "files_size", shared.Kept(shared.files_size.read))
    yield made
    made.folder.leave()
    values.close_all_multiprocess_files()


@pytest.fixture
def with_token(recorder: Recorder, settings) -> dict[str, str]:
    """Have metrics on for who has the token; return the headers that send it."""
    settings.METRICS, settings.METRICS_TOKEN = "token", TOKEN
    settings.MIDDLEWARE = [COUNTING, *settings.MIDDLEWARE]
    return {"Authorization": f"Bearer {TOKEN}"}
