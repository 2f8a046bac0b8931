import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The repository's root, the working directory of all tools. */
export const root = join(import.meta.dirname, '../..')

/** Disables the prompts, the messages and the network requests of wrangler, and keeps its compiled code. */
export const quietEnvironment = {
  ...process.env,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'gatehouse-compiled'),
  CI: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** The file of an installed package's command, or one of our scripts. */
function binaryOf(command: string, packageName: string): string {
  if (command.endsWith('.ts')) return join(root, command)
  const manifest = createRequire(join(root, 'package.json')).resolve(`${packageName}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[command]!)
}

const packages: Record<string, string> = { tsc: 'typescript', biome: '@biomejs/biome' }

/**
 * The compiler of TypeScript is a Go program that needs nearly all it allocates until its end: below the limit, collecting
 * garbage would only take a quarter of its time.
 */
const withoutCollection = { GOGC: 'off', GOMEMLIMIT: '3GiB' }

const running = new Set<ChildProcess>()

/**
 * Starts a tool without a shell, with this process's Node, so that signals reach it on every system.
 * @param command the name of its package, or `tsc`, `biome`, or a script's path
 */
export function start(
  command: string,
  args: string[],
  { env = process.env, detached = false, into, onOutput, niceness = 0 }: StartOptions = {},
): ChildProcess {
  const file = binaryOf(command, packages[command] ?? command)
  const output = into ?? (onOutput ? 'pipe' : 'inherit')
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: command === 'tsc' ? { ...withoutCollection, ...env } : env,
    detached,
    stdio: ['ignore', output, output],
  })
  // Its own processes inherit it.
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness)
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
  /** The descriptor of a file that receives the output. */
  into?: number
  /** Receives the output of the tool, which is also printed. */
  onOutput?(text: string): void
  /** How much others come first: 0 to 19. */
  niceness?: number
}

/** How long (ms) a tool may take to stop before it is killed. */
const patience = 5000

/** Stops a tool and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), patience)
  await ended
  clearTimeout(timer)
}

/** Stops every running tool. */
export const endAll = async (): Promise<void> => {
  await Promise.all([...running].map(end))
}

/** Runs a tool to its end. @returns its exit code; 1 if a signal ended it */
export function run(command: string, args: string[], options: Omit<StartOptions, 'detached'> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    start(command, args, options)
      .on('error', reject)
      .on('close', (code) => resolve(code ?? 1))
  })
}

export type Step = [what: string, command: string, args: string[], niceness?: number]

/** Runs a tool and prints its output when it has ended, because several in parallel would mix theirs. */
async function runQuietly(command: string, args: string[], options: StartOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-output-'))
  const file = join(folder, 'output')
  const into = openSync(file, 'w')
  try {
    const code = await run(command, args, { ...options, into })
    process.stdout.write(readFileSync(file))
    return code
  } finally {
    closeSync(into)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a tool and prints its output at once. @returns its exit code, and the end of its output if it failed */
async function runAloud(command: string, args: string[], options: StartOptions): Promise<[number, string]> {
  let tail = ''
  const onOutput = (text: string) => {
    tail = (tail + text).slice(-10_000)
  }
  const code = await run(command, args, { ...options, onOutput })
  return [code, code === 0 ? '' : tail]
}

/**
 * Runs tools one after the other, and those of an inner list in parallel. The last one of an inner list prints at once,
 * the others when they have ended. A failure ends the process with its code.
 */
export async function runAll(steps: (Step | Step[])[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const [n, step] of steps.entries()) {
    const together = Array.isArray(step[0]) ? (step as Step[]) : [step as Step]
    console.log(`\n[${n + 1}/${steps.length}] ${together.map(([what]) => what).join(', ')}`)
    let tail = ''
    const codes = await Promise.all(
      together.map(async ([, command, args, niceness = 0], at) => {
        if (at < together.length - 1) return runQuietly(command, args, { env, niceness })
        const [code, last] = await runAloud(command, args, { env, niceness })
        tail = last
        return code
      }),
    )
    // The output of the others has come after it: repeats the failures, which the end of a log must show.
    if (together.length > 1) process.stdout.write(tail)
    for (const [at, [what, command, args]] of together.entries()) {
      if (codes[at] !== 0) console.error(`\n${what}: failed (${[command, ...args].join(' ')}).`)
    }
    const failed = codes.find((code) => code !== 0)
    if (failed) process.exit(failed)
  }
}
