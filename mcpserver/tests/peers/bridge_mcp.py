"""The Python SDK's client behind a pipe, one JSON value a line.

It writes the tools' names first, then for each {"name", "arguments"} that it reads one {"text", "isError"}.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        streamable_http_client(os.environ["URL"], http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        say([tool.name for tool in (await session.list_tools()).tools])
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await session.call_tool(**json.loads(line))
            say({"text": result.content[0].text, "isError": result.is_error})


asyncio.run(main())
