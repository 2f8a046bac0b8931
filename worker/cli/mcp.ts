import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from '@commander-js/extra-typings'
import * as z from 'zod'
import { CliError } from './cli-error.ts'
import { explain } from './explain.ts'
import { listGuides, planFor, readGuide, searchGuides } from './mcp/guides.ts'
import { serve, type ToolServer, tool } from './mcp/server.ts'
import { validateConfiguration } from './mcp/validate.ts'

/** The package's own folder; this module is bundled into dist/package. */
const packageFolder = join(import.meta.dirname, '../..')

export const command = new Command('mcp')
  .description(`Starts a local MCP server over stdin and stdout, for AI tools, until the client closes the connection. It answers
    from the guides of this package, validates a configuration and explains error codes. It reads only the files of this
    package and the log of errors of \`gatehouse-auth dev\`: no .dev.vars, no variables, no network.`)
  .action(() => serve(createServer()))

function explained(folder: string, given: string): string {
  try {
    return explain(folder, given.trim())
  } catch (thrown) {
    if (thrown instanceof CliError) return `${thrown.message} Next: ${thrown.next}`
    throw thrown
  }
}

function createServer(): ToolServer {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(packageFolder, 'worker/guides')
  return {
    name: 'gatehouse',
    version,
    instructions: `Guides of gatehouse-auth ${version}. Search or list the guides before you write code, and validate each configuration. Never pass secrets: they belong in .dev.vars and \`npx wrangler secret put\`.`,
    tools: [
      tool('list_guides', 'Lists the guides with their names and goals.', z.object({}), () => listGuides(folder)),
      tool(
        'search_guides',
        'Finds the sections of the guides that answer a question. Read a result with read_guide.',
        z.object({
          query: z.string().min(1).max(200).describe('A question or words, such as "magic link expires"'),
          limit: z.number().int().min(1).max(30).default(8).describe('Maximum number of sections'),
        }),
        ({ query, limit }) => searchGuides(folder, query, limit),
      ),
      tool(
        'read_guide',
        'Returns a guide as Markdown, or one section of it.',
        z.object({
          name: z.string().max(100).describe('A name of list_guides, such as "install"'),
          section: z.string().max(200).optional().describe('A heading of the guide; default: the whole guide'),
        }),
        ({ name, section }) => readGuide(folder, name, section),
      ),
      tool(
        'plan',
        'Returns what to change for a wish: the steps of the guides, the settings, and how to check the result.',
        z.object({
          wish: z.string().min(1).max(200).describe('Such as "members of an organization sign in with their company"'),
        }),
        ({ wish }) => planFor(folder, wish),
      ),
      tool(
        'validate_configuration',
        'Checks the argument of gatehouse({ … }) as the Worker does at start: unknown and wrong settings, and contradictions. Leave out functions and secrets.',
        z.object({
          configuration: z
            .union([z.record(z.string(), z.unknown()), z.string().max(100_000)])
            .describe('The object as JSON, without functions'),
          environment: z.enum(['production', 'development']).default('production'),
        }),
        ({ configuration, environment }) => validateConfiguration(configuration, environment),
      ),
      tool(
        'explain_error',
        'Explains an error of the API, with the steps that solve it: by its code, or by the request id of a response of the local development server, which also says what failed and why.',
        z.object({ code: z.string().max(100).describe('Such as "INVALID_ORIGIN", or x-request-id of a response') }),
        ({ code }) => explained(folder, code),
      ),
    ],
  }
}
