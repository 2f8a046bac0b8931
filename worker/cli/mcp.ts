import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'
import { CliError } from './cli-error.ts'
import { explain } from './explain.ts'
import { listGuides, planFor, readGuide, searchGuides } from './mcp/guides.ts'
import { validateConfiguration } from './mcp/validate.ts'

/** The package's own folder; this module is bundled into dist/package. */
const packageFolder = join(import.meta.dirname, '../..')

export const command = new Command('mcp')
  .description(`Starts a local MCP server over stdin and stdout, for AI tools, until the client closes the connection. It answers
    from the guides of this package, validates a configuration and explains error codes. It reads only the files of this
    package and the log of errors of \`gatehouse-auth dev\`: no .dev.vars, no variables, no network.`)
  .action(async () => {
    const server = createServer()
    const closed = new Promise<void>((resolve) => {
      server.server.onclose = resolve
      process.stdin.once('end', resolve)
    })
    await server.connect(new StdioServerTransport())
    await closed
  })

function explained(folder: string, given: string): string {
  try {
    return explain(folder, given.trim())
  } catch (thrown) {
    if (thrown instanceof CliError) return `${thrown.message} Next: ${thrown.next}`
    throw thrown
  }
}

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const readOnly = { readOnlyHint: true, openWorldHint: false }

function createServer(): McpServer {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(packageFolder, 'worker/guides')
  const server = new McpServer(
    { name: 'gatehouse', version },
    {
      instructions: `Guides of gatehouse-auth ${version}. Search or list the guides before you write code, and validate each configuration. Never pass secrets: they belong in .dev.vars and \`npx wrangler secret put\`.`,
    },
  )
  server.registerTool(
    'list_guides',
    { description: 'Lists the guides with their names and goals.', annotations: readOnly, inputSchema: {} },
    async () => said(listGuides(folder)),
  )
  server.registerTool(
    'search_guides',
    {
      description: 'Finds the sections of the guides that answer a question. Read a result with read_guide.',
      annotations: readOnly,
      inputSchema: {
        query: z.string().min(1).max(200).describe('A question or words, such as "magic link expires"'),
        limit: z.number().int().min(1).max(30).default(8).describe('Maximum number of sections'),
      },
    },
    async ({ query, limit }) => said(searchGuides(folder, query, limit)),
  )
  server.registerTool(
    'read_guide',
    {
      description: 'Returns a guide as Markdown, or one section of it.',
      annotations: readOnly,
      inputSchema: {
        name: z.string().max(100).describe('A name of list_guides, such as "install"'),
        section: z.string().max(200).optional().describe('A heading of the guide; default: the whole guide'),
      },
    },
    async ({ name, section }) => said(readGuide(folder, name, section)),
  )
  server.registerTool(
    'plan',
    {
      description:
        'Returns what to change for a wish: the steps of the guides, the settings, and how to check the result.',
      annotations: readOnly,
      inputSchema: {
        wish: z.string().min(1).max(200).describe('Such as "members of an organization sign in with their company"'),
      },
    },
    async ({ wish }) => said(planFor(folder, wish)),
  )
  server.registerTool(
    'validate_configuration',
    {
      description:
        'Checks the argument of gatehouse({ … }) as the Worker does at start: unknown and wrong settings, and contradictions. Leave out functions and secrets.',
      annotations: readOnly,
      inputSchema: {
        configuration: z
          .union([z.record(z.string(), z.unknown()), z.string().max(100_000)])
          .describe('The object as JSON, without functions'),
        environment: z.enum(['production', 'development']).default('production'),
      },
    },
    async ({ configuration, environment }) => said(validateConfiguration(configuration, environment)),
  )
  server.registerTool(
    'explain_error',
    {
      description:
        'Explains an error of the API, with the steps that solve it: by its code, or by the request id of a response of the local development server, which also says what failed and why.',
      annotations: readOnly,
      inputSchema: { code: z.string().max(100).describe('Such as "INVALID_ORIGIN", or x-request-id of a response') },
    },
    async ({ code }) => said(explained(folder, code)),
  )
  return server
}
