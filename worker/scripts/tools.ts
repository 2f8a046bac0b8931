import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The repository's root, where all tools are run. */
export const root = join(import.meta.dirname, '../..')

/** Keeps wrangler from asking, from telling, and from looking for a network that may not be there. */
export const quietEnvironment = {
  ...process.env,
  CI: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** The file behind the command of an installed package; a script of ours is its own. */
function binaryOf(command: string, packageName: string): string {
  if (command.endsWith('.ts')) return join(root, command)
  const manifest = createRequire(join(root, 'package.json')).resolve(`${packageName}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]!)
}

const packages: Record<string, string> = { tsc: 'typescript', biome: '@biomejs/biome' }

const running = new Set<ChildProcess>()

/**
 * Starts a tool of the project with this process's own Node, which is the project's, without a shell: it works the same
 * on every system, and signals reach it.
 * @param command the name of its package, or `tsc`, `biome`, or a script's path
 */
export function start(
  command: string,
  args: string[],
  { env = process.env, detached = false, onOutput }: StartOptions = {},
): ChildProcess {
  const file = binaryOf(command, packages[command] ?? command)
  const output = onOutput ? 'pipe' : 'inherit'
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env,
    detached,
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  for (const [stream, shown] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      shown.write(text)
      onOutput?.(text)
    })
  }
  return child
}

export interface StartOptions {
  env?: NodeJS.ProcessEnv
  detached?: boolean
  /** Is told what the tool says, which is shown all the same. */
  onOutput?(text: string): void
}

/** How long a tool may take to stop before it is stopped. */
const patience = 5000

/** Ends a tool and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  await ended
  clearTimeout(timer)
}

/** Ends every tool that is still running. */
export const endAll = async (): Promise<void> => {
  await Promise.all([...running].map(end))
}

/** Runs a tool to its end. @returns its exit code; 1 when a signal ended it */
export function run(command: string, args: string[], options: { env?: NodeJS.ProcessEnv } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    start(command, args, options)
      .on('error', reject)
      .on('exit', (code) => resolve(code ?? 1))
  })
}

export type Step = [what: string, command: string, args: string[]]

/**
 * Runs tools one after the other, each announced, and those that stand in a list together side by side. When one fails
 * the process ends with its code, once those beside it have ended: what they find is told too.
 */
export async function runAll(steps: (Step | Step[])[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const [n, step] of steps.entries()) {
    const together = Array.isArray(step[0]) ? (step as Step[]) : [step as Step]
    console.log(`\n[${n + 1}/${steps.length}] ${together.map(([what]) => what).join(', ')}`)
    const codes = await Promise.all(together.map(([, command, args]) => run(command, args, { env })))
    for (const [at, [what, command, args]] of together.entries()) {
      if (codes[at] !== 0) console.error(`\n${what}: failed (${[command, ...args].join(' ')}).`)
    }
    const failed = codes.find((code) => code !== 0)
    if (failed) process.exit(failed)
  }
}
