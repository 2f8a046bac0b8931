#!/usr/bin/env node
/** `npx gatehouse <command>`: each command is a module with a `run`, loaded when it is asked for. */
export {}

const commands: Record<string, () => Promise<{ run(args: string[]): Promise<number> }>> = {
  import: () => import('./import/import.ts'),
  export: () => import('./export/export.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name]! : null
if (command) process.exitCode = await (await command()).run(args)
else {
  console.error(`gatehouse <command>\n\n  ${Object.keys(commands).join('\n  ')}`)
  process.exitCode = 1
}
