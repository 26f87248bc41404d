"""Strings are told from ids, in a body and in a path."""

from uuid import UUID

import pytest
from django.urls import NoReverseMatch, resolve, reverse
from django.urls.exceptions import Resolver404

from core.ids import parse_id

ID = "01890a5d-ac96-774b-bcce-b302099a8057"


@pytest.mark.parametrize("value", ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-8cce-b302099a8057"])
def test_the_canonical_string_of_a_version_7_uuid_is_an_id(value):
    assert parse_id(value) == UUID(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "1",
        "01890A5D-AC96-774B-BCCE-B302099A8057",
        "01890a5dac96774bbcceb302099a8057",
        "{01890a5d-ac96-774b-bcce-b302099a8057}",
        "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057",
        " 01890a5d-ac96-774b-bcce-b302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a8057\n",
        "01890a5d-ac96-774b-7cce-b302099a8057",
        "01890a5d-ac96-774b-ccce-b302099a8057",
        "01890a5d-ac96-474b-bcce-b302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a805",
        "٠1890a5d-ac96-774b-bcce-b302099a8057",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "9d925937-fe38-40ae-bd8b-6f33cd42d1c1",
        UUID("01890a5d-ac96-774b-bcce-b302099a8057"),
        7,
        None,
    ],
)
def test_anything_else_is_not_an_id(value):
    assert parse_id(value) is None


def test_a_view_gets_the_id_in_its_path_as_a_uuid():
    assert resolve(f"/board/{ID}").kwargs == {"board_id": UUID(ID)}
    assert reverse("board", args=[UUID(ID)]) == f"/board/{ID}"


@pytest.mark.parametrize("value", ["1", ID.upper(), ID.replace("-774b", "-474b"), f"{ID}0", "%20" + ID])
def test_a_path_with_anything_else_matches_no_route(value):
    with pytest.raises(Resolver404):
        resolve(f"/board/{value}")
    with pytest.raises(NoReverseMatch):
        reverse("board", args=[value])
