import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Which database: that of a product's wrangler.toml, here or at Cloudflare. */
export interface Target {
  /** The binding or name. */
  database: string
  remote: boolean
  /** Where the local state is kept, unless in .wrangler/state. */
  persistTo?: string | undefined
  /** Another wrangler.toml. */
  config?: string | undefined
}

/** The wrangler that the product has installed. */
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

/** Runs `wrangler d1 ...`. @returns what it printed @throws WranglerError with its words when it fails */
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
    // Not at its exit, when some of what it printed may still be on the way.
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new WranglerError(explained(errors + out, target))),
    )
  })
}

/** What wrangler says, and what to do where it is known. */
function explained(said: string, { database, remote }: Target): string {
  const unmigrated = /no such (table|column)/i.test(said)
  const next = `\nNext: npx wrangler d1 migrations apply ${database} ${remote ? '--remote' : '--local'}`
  return said.trim() + (unmigrated ? next : '')
}

/** The rows of some SELECTs, in one call. */
export async function selectAll<T>(target: Target, statements: string[]): Promise<T[][]> {
  const out = await d1('execute', target, ['--json', '--command', statements.join(';\n')])
  return (JSON.parse(out.slice(out.indexOf('['))) as { results: T[] }[]).map(({ results }) => results)
}
