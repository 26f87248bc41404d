"""Paths that programs call are told from pages."""

import pytest

from core.http.calls import is_call, is_token_call


@pytest.mark.parametrize(
    "path, call, token_call",
    [
        ("/api/v1/me", True, True),
        ("/mcp", True, True),
        ("/api/export", True, False),
        ("/api/docs", True, False),
        ("/api", False, False),
        ("/mcp/", False, False),
        ("/mcp-board", False, False),
        ("/board/mcp", False, False),
        ("/", False, False),
    ],
)
def test_calls_are_told_from_pages(path, call, token_call):
    assert (is_call(path), is_token_call(path)) == (call, token_call)
