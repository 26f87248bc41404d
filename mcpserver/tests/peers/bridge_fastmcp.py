"""FastMCP's client behind a pipe, one JSON value a line.

It writes the tools' names first, then for each {"name", "arguments"} that it reads one {"text", "isError"}.
"""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


async def main() -> None:
    transport = StreamableHttpTransport(os.environ["URL"], headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
    async with Client(transport) as client:
        say([tool.name for tool in await client.list_tools()])
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await client.call_tool(**json.loads(line), raise_on_error=False)
            say({"text": result.content[0].text, "isError": result.is_error})


asyncio.run(main())
