#!/usr/bin/env node
/** `npx gatehouse <command>`: each command is a module with a `run`, loaded when it is asked for. */

export {}

/** @returns the exit code */
type Run = (args: string[]) => Promise<number>

const commands: Record<string, [what: string, load: () => Promise<{ run: Run }>]> = {
  init: ['writes a deployment into this folder', () => import('./init.ts')],
  import: ['moves people in from elsewhere', () => import('./import/import.ts')],
  export: ["takes out one person's data, or everything", () => import('./export/export.ts')],
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command) {
  const { run } = await command[1]()
  process.exitCode = await run(args)
} else {
  const lines = Object.entries(commands).map(([known, [what]]) => `  ${known.padEnd(10)}${what}`)
  console.error(`gatehouse <command>\n\n${lines.join('\n')}`)
  process.exitCode = 1
}
