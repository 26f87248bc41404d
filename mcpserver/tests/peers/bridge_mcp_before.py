"""The client of the Python SDK before version 2 behind a pipe, one JSON value a line.

It writes the version it speaks and the names of tools and prompts first, then for each {"name", "arguments"} that it reads
one {"text", "isError"}. With "prompt" for "name" the text is that of a prompt.
"""

import asyncio
import json
import os
import sys

import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


async def main() -> None:
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    async with (
        httpx.AsyncClient(headers=headers, trust_env=False, timeout=60) as http,
        streamable_http_client(os.environ["URL"], http_client=http) as (reading, writing, _session_id),
        ClientSession(reading, writing) as client,
    ):
        version = (await client.initialize()).protocolVersion
        tools, prompts = (await client.list_tools()).tools, (await client.list_prompts()).prompts
        names = {"tools": [tool.name for tool in tools], "prompts": [prompt.name for prompt in prompts]}
        say({"version": version, **names})
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked = json.loads(line)
            if "prompt" in asked:
                found = await client.get_prompt(asked["prompt"], asked["arguments"])
                say({"text": found.messages[0].content.text, "isError": False})
            else:
                result = await client.call_tool(**asked)
                say({"text": result.content[0].text, "isError": result.isError})


asyncio.run(main())
