import { createInterface } from 'node:readline'
import * as z from 'zod'

// A server of the Model Context Protocol that has tools only, over lines of JSON-RPC. The official SDK would be 0.27 MB of
// the package; `mcp.node.test.ts` drives the server with its client.

/** The newest first, which is offered to a client with another one. The methods below are the same in all of them. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

const failures = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602 } as const

class RpcError extends Error {
  readonly code: number
  constructor(failure: keyof typeof failures, message: string) {
    super(message)
    this.code = failures[failure]
  }
}

interface Tool {
  name: string
  description: string
  /** JSON Schema of the arguments. */
  inputSchema: object
  call(given: unknown): string
}

/** @param answer what it throws is the text of an error */
export function tool<Input extends z.ZodObject>(
  name: string,
  description: string,
  input: Input,
  answer: (given: z.output<Input>) => string,
): Tool {
  return {
    name,
    description,
    inputSchema: z.toJSONSchema(input, { target: 'draft-7', io: 'input' }),
    call(given) {
      const { success, data, error } = input.safeParse(given)
      if (!success) throw new Error(`Invalid arguments for tool ${name}: ${z.prettifyError(error)}`)
      return answer(data)
    },
  }
}

export interface ToolServer {
  name: string
  version: string
  /** What the client passes to its model. */
  instructions: string
  /** They read only, and nothing outside of this machine. */
  tools: readonly Tool[]
}

const call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) })

function resultOf(server: ToolServer, method: string, params: Record<string, unknown>): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: versions.find((version) => version === params.protocolVersion) ?? versions[0],
        capabilities: { tools: {} },
        serverInfo: { name: server.name, version: server.version },
        instructions: server.instructions,
      }
    case 'ping':
      return {}
    case 'tools/list':
      return {
        tools: server.tools.map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
          annotations: { readOnlyHint: true, openWorldHint: false },
        })),
      }
    case 'tools/call': {
      const { success, data } = call.safeParse(params)
      if (!success) throw new RpcError('params', 'tools/call needs the name of a tool, and its arguments as an object')
      const tool = server.tools.find(({ name }) => name === data.name)
      if (!tool) throw new RpcError('params', `Unknown tool: ${data.name}`)
      return calling(tool, data.arguments)
    }
    default:
      throw new RpcError('method', 'Method not found')
  }
}

/** What a tool throws is for the model, which may correct its arguments. */
function calling(tool: Tool, given: unknown): object {
  const content = (text: string) => [{ type: 'text', text }]
  try {
    return { content: content(tool.call(given)) }
  } catch (thrown) {
    return { content: content(thrown instanceof Error ? thrown.message : String(thrown)), isError: true }
  }
}

const message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
})

/** Null for notifications, and for answers to requests, which this server does not send. */
function answerTo(server: ToolServer, given: unknown): object | null {
  const { success, data } = message.safeParse(given)
  const id = data?.id ?? null
  try {
    if (!success) throw new RpcError('request', 'Not a message of JSON-RPC 2.0')
    if (id === null || data.method === undefined) return null
    return { jsonrpc: '2.0', id, result: resultOf(server, data.method, data.params) }
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown
    return { jsonrpc: '2.0', id, error: { code: thrown.code, message: thrown.message } }
  }
}

/** The answer to a line, which may be a batch (version 2025-03-26). */
function answerToLine(server: ToolServer, line: string): object | null {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    return { jsonrpc: '2.0', id: null, error: { code: failures.parse, message: 'Not JSON' } }
  }
  if (!Array.isArray(given) || given.length === 0) return answerTo(server, given)
  const answers = given.map((one) => answerTo(server, one)).filter((answer) => answer !== null)
  return answers.length > 0 ? answers : null
}

/** Answers over stdin and stdout until the client closes the connection. */
export async function serve(server: ToolServer): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const answer = answerToLine(server, line)
    if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
}
