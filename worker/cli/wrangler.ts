import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The database: the one of a product's wrangler.toml, local or at Cloudflare. */
export interface Target {
  /** The binding or name. */
  database: string
  remote: boolean
  /** The folder of the local state. @default .wrangler/state */
  persistTo?: string | undefined
  /** Another wrangler.toml. */
  config?: string | undefined
}

/** The options of every command that reads a database. */
export const targetOptions = {
  local: { type: 'boolean' },
  remote: { type: 'boolean' },
  database: { type: 'string', default: 'DB' },
  'persist-to': { type: 'string' },
  config: { type: 'string' },
} as const

interface TargetValues extends Pick<Target, 'database' | 'config'> {
  local?: boolean | undefined
  remote?: boolean | undefined
  'persist-to'?: string | undefined
}

export function targetOf({ database, config, local, remote = false, 'persist-to': persistTo }: TargetValues): Target {
  if (local && remote) throw new WranglerError('Choose one of --local and --remote.')
  return { database, remote, persistTo, config }
}

export function fail(message: string): number {
  console.error(message)
  return 1
}

/** Runs a command. @returns its exit code; 1 after an error of wrangler or of the arguments, which it prints */
export async function runCommand(usage: string, command: () => Promise<number>): Promise<number> {
  try {
    return await command()
  } catch (thrown) {
    if (thrown instanceof WranglerError) return fail(thrown.message)
    if (thrown instanceof TypeError && 'code' in thrown) return fail(`${thrown.message}\n\n${usage}`)
    throw thrown
  }
}

/** The installed wrangler of the product. */
function wranglerFile(): string {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'))
  let manifest: string
  try {
    manifest = resolve('wrangler/package.json')
  } catch {
    throw new WranglerError('There is no wrangler in this folder. Next: npm install --save-dev wrangler')
  }
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
  return join(dirname(manifest), bin.wrangler!)
}

export class WranglerError extends Error {}

/** Runs `wrangler d1 ...`. @returns its output @throws WranglerError with wrangler's message if it fails */
export function d1(command: string, target: Target, more: string[]): Promise<string> {
  const args = ['d1', command, target.database, target.remote ? '--remote' : '--local', ...more]
  if (!target.remote && target.persistTo) args.push('--persist-to', target.persistTo)
  if (target.config) args.push('--config', target.config)
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_SEND_ERROR_REPORTS: 'false' }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [wranglerFile(), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, errors] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.on('error', reject)
    // Not at its exit, because some output may still be in transit.
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new WranglerError(explained(errors + out, target))),
    )
  })
}

/** The message of wrangler, with a hint for known errors. */
function explained(said: string, { database, remote }: Target): string {
  const unmigrated = /no such (table|column)/i.test(said)
  const next = `\nNext: npx wrangler d1 migrations apply ${database} ${remote ? '--remote' : '--local'}`
  return said.trim() + (unmigrated ? next : '')
}

/** The rows of several SELECTs, in one call. */
export async function selectAll<T>(target: Target, statements: string[]): Promise<T[][]> {
  const out = await d1('execute', target, ['--json', '--command', statements.join(';\n')])
  return (JSON.parse(out.slice(out.indexOf('['))) as { results: T[] }[]).map(({ results }) => results)
}
