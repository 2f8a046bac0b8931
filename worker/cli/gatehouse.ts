#!/usr/bin/env node
/** `npx gatehouse <command>`: each command is a module with a `run`, loaded on demand. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isFileError } from './private-file.ts'
import { unsupportedNode } from './supported-node.ts'

interface Command {
  /** @returns the exit code */
  run(args: string[]): Promise<number>
  usage: string
}

const commands: Record<string, [what: string, load: () => Promise<Command>]> = {
  init: ['writes a deployment into this folder', () => import('./init.ts')],
  import: ['imports users from another system', () => import('./import/import.ts')],
  secrets: ['prints the progress of a rotation of the secret', () => import('./secrets.ts')],
  export: ['exports the data of one user, or everything', () => import('./export/export.ts')],
}

const problem = unsupportedNode(process.versions.node)
if (problem) {
  console.error(problem)
  process.exit(1)
}

const versionOfPackage = (): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')).version

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const asksForHelp = (words: string[]) => words.some((word) => word === '--help' || word === '-h')

// A command cleans up on 'exit', which an interrupt would skip.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

if (name === '--version' || name === '-v') {
  console.log(versionOfPackage())
} else if (command) {
  const { run, usage } = await command[1]()
  if (asksForHelp(args)) console.log(usage)
  else process.exitCode = await run(args).catch(explainFileError)
} else {
  const lines = Object.entries(commands).map(([known, [what]]) => `  ${known.padEnd(10)}${what}`)
  const text = `gatehouse <command>\n\n${lines.join('\n')}\n\ngatehouse <command> --help prints the options.`
  if (asksForHelp([name])) console.log(text)
  else {
    console.error(text)
    process.exitCode = 1
  }
}

/** A file error is not a fault of the command: prints the name and the reason, without a stack. */
function explainFileError(thrown: unknown): number {
  if (!isFileError(thrown)) throw thrown
  console.error(thrown.message)
  return 1
}
