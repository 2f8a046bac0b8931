#!/usr/bin/env node
/** `npx gatehouse <command>`: each command is a module with a `run`, loaded when it is asked for. */

import { isFileError } from './private-file.ts'

interface Command {
  /** @returns the exit code */
  run(args: string[]): Promise<number>
  usage: string
}

const commands: Record<string, [what: string, load: () => Promise<Command>]> = {
  init: ['writes a deployment into this folder', () => import('./init.ts')],
  import: ['moves people in from elsewhere', () => import('./import/import.ts')],
  export: ["takes out one person's data, or everything", () => import('./export/export.ts')],
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
const asksForHelp = (words: string[]) => words.some((word) => word === '--help' || word === '-h')

// So that whoever interrupts a command does not keep it from tidying up ('exit').
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

if (command) {
  const { run, usage } = await command[1]()
  if (asksForHelp(args)) console.log(usage)
  else process.exitCode = await run(args).catch(tellFileError)
} else {
  const lines = Object.entries(commands).map(([known, [what]]) => `  ${known.padEnd(10)}${what}`)
  const text = `gatehouse <command>\n\n${lines.join('\n')}\n\ngatehouse <command> --help says more.`
  if (asksForHelp([name])) console.log(text)
  else {
    console.error(text)
    process.exitCode = 1
  }
}

/** A file that cannot be read or written is no fault of the command: its name and the reason, without a stack. */
function tellFileError(thrown: unknown): number {
  if (!isFileError(thrown)) throw thrown
  console.error(thrown.message)
  return 1
}
