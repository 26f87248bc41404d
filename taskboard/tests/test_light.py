"""What `bin/serve` loads, on SQLite without Redis."""

import subprocess
import sys

from taskboard.tests.servers import ROOT, bare_environment

LOADED = """
import sys, django
django.setup()
from taskboard.serving.light import light_imports
with light_imports():
    import rest_framework.compat
    import taskboard.serving.server
import taskboard.urls, web.live.routing
print(*sys.modules)
"""
HEAVY = {"redis", "psycopg", "OpenSSL", "cryptography", "cbor2", "_cffi_backend", "autobahn.wamp.message"}
# Of ours, or for ours: used seldom
SELDOM = {
    *("drf_spectacular.openapi", "importer.formats.trello", "boards.migrations.0001_initial"),
    *("boards.actions.imports", "exporter.zip_export", "mcpserver.tools", "taskboard.backup.writing"),
}


def test_the_embedded_service_does_without_what_only_others_need(processes, tmp_path):
    environment = bare_environment() | {"TASKBOARD_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "taskboard.settings"}
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "daphne.server" in done.stdout
    assert not (HEAVY | SELDOM) & {*done.stdout.split()}
