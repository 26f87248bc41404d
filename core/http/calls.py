"""Tell the paths that programs call: their refusals are JSON, and limits of forms do not count them."""

AGENTS = "/mcp"  # the second address of the MCP endpoint; the first is under /api/


def is_call(path: str) -> bool:
    return path.startswith("/api/") or path == AGENTS


def is_token_call(path: str) -> bool:
    """Tell whether the path knows tokens alone. The other calls may come from a signed-in browser too."""
    return path.startswith("/api/v1/") or path == AGENTS
