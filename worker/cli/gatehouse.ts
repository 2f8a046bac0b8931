#!/usr/bin/env node
/** `npx gatehouse-auth <command>`. A command is a line of the table and a module that exports `command`, loaded on demand. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { execute } from './command.ts'
import { unsupportedNode } from './supported-node.ts'

const commands: Record<string, [what: string, load: () => Promise<{ command: CommandUnknownOpts }>]> = {
  init: ['writes a deployment into this folder', () => import('./init.ts')],
  dev: ['starts the deployment and its product on this machine', () => import('./dev.ts')],
  explain: ['explains an error of the development server by its request id', () => import('./explain.ts')],
  deploy: ['deploys to Cloudflare, step by step', () => import('./deploy/deploy.ts')],
  doctor: ['checks each step of a deployment', () => import('./doctor/doctor.ts')],
  users: ['lists, shows, bans and deletes users', () => import('./users/users.ts')],
  admin: ['makes a user an administrator', () => import('./users/admin.ts')],
  keys: ['creates, lists and revokes server keys', () => import('./keys.ts')],
  import: ['imports users from another system', () => import('./import/import.ts')],
  export: ['exports the data of one user, or everything', () => import('./export.ts')],
  audit: ['verifies that no record of the audit log was changed or removed', () => import('./audit/audit.ts')],
  backup: ['writes the whole database to a file or to R2', () => import('./backup/backup.ts')],
  restore: ['writes a backup into an empty deployment', () => import('./backup/restore.ts')],
  recover: ['makes a restored deployment safe', () => import('./recover.ts')],
  secrets: ['prints the progress of a rotation of the secret', () => import('./secrets.ts')],
  mcp: ['starts a local MCP server that answers from the guides', () => import('./mcp.ts')],
}

const problem = unsupportedNode(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}

const versionOfPackage = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version

// A command cleans up on 'exit', which an interrupt would skip.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const words = process.argv.slice(2)
const chosen = words[0] === 'help' ? words[1] : words[0]
const program = new Command('gatehouse-auth')
  .version(versionOfPackage(), '-v, --version')
  .enablePositionalOptions()
  .addHelpText('after', '\nExit code: 0 done, 1 failed, unless the help of the command says something else.')
for (const [name, [what, load]] of Object.entries(commands)) {
  program.addCommand((name === chosen ? (await load()).command : new Command(name)).summary(what))
}
process.exitCode = await execute(program, words)
