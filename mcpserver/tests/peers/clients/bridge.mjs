// The TypeScript SDK's client as a line of calls: {"name", "arguments"} in, {"text", "isError"} out; first the tools' names.
import { createInterface } from "node:readline"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const say = (value) => console.log(JSON.stringify(value))
const headers = { Authorization: `Bearer ${process.env.TOKEN}` }
const client = new Client({ name: "bridge", version: "1" })
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.URL), { requestInit: { headers } }))
say((await client.listTools()).tools.map((tool) => tool.name))
for await (const line of createInterface({ input: process.stdin })) {
  const { content, isError } = await client.callTool(JSON.parse(line))
  say({ text: content[0].text, isError })
}
await client.close()
