// The client of the TypeScript SDK that MODE names, behind a pipe: {"name", "arguments"} in, {"text", "isError"} out, with
// "prompt" for "name" the text of a prompt. It says the version it speaks and the names of tools and prompts first.
import { createInterface } from "node:readline"
import * as sdk2 from "@modelcontextprotocol/client"
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

const isOld = process.env.MODE === "legacy"
const Transport = isOld ? Transport1 : sdk2.StreamableHTTPClientTransport
const Client = isOld ? Client1 : sdk2.Client
const options = isOld ? {} : { versionNegotiation: { mode: "auto" } }

const say = (value) => console.log(JSON.stringify(value))
const names = (things) => things.map((thing) => thing.name)
const headers = { Authorization: `Bearer ${process.env.TOKEN}` }
const transport = new Transport(new URL(process.env.URL), { requestInit: { headers } })
const client = new Client({ name: "bridge", version: "1" }, options)
await client.connect(transport)
const version = isOld ? transport.protocolVersion : client.getNegotiatedProtocolVersion()
say({ version, tools: names((await client.listTools()).tools), prompts: names((await client.listPrompts()).prompts) })
for await (const line of createInterface({ input: process.stdin })) {
  const { prompt, ...call } = JSON.parse(line)
  if (prompt) {
    const { messages } = await client.getPrompt({ name: prompt, ...call })
    say({ text: messages[0].content.text, isError: false })
  } else {
    const { content, isError } = await client.callTool(call)
    say({ text: content[0].text, isError })
  }
}
await client.close()
