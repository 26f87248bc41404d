"""One journey in Firefox: the other browser that people have, with the service as it is really served."""

import json
import subprocess

import pytest

from taskboard.tests.people import settle
from taskboard.tests.prepared import prepared_data
from taskboard.tests.servers import faults, serving
from taskboard.tests.settle import PASSWORD


@pytest.mark.timeout(300)
def test_somebody_signs_in_adds_drags_edits_comments_archives_and_undoes_in_firefox(firefox, tmp_path):
    environment = {"TASKBOARD_DATA": str(prepared_data(tmp_path)), "TASKBOARD_LIMITS": "off"}
    with serving(environment) as running, settle(environment, running.url, "olga", "ed") as people:
        olga, ed = people["olga"], people["ed"]
        olga.invite(olga.new_board("Launch"), ed)
        told = {"url": running.url, "email": olga.email, "password": PASSWORD, "token": ed.token}
        walked = subprocess.run([*firefox, json.dumps(told)], capture_output=True, text=True, timeout=240)
        assert walked.stdout == "done\n", walked.stderr
        _code, _out, err = running.stop(15)
        assert faults(err) == []
