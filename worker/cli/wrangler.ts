import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import { CliError } from './cli-error.ts'

/** The deployment of a product's configuration file: on this machine, or at Cloudflare. */
export interface Target {
  /** The binding or name of the database. */
  database: string
  remote?: true | undefined
  /** The folder of the local state. @default .wrangler/state */
  persistTo?: string | undefined
  /** Another configuration file of wrangler. */
  config?: string | undefined
  /** An environment of the configuration file. */
  env?: string | undefined
}

/** Adds the options that name a configuration file and its database. */
export const withPlace = <A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) =>
  command
    .option('--database <name>', 'binding or name of the database', 'DB')
    .option('--config <file>', 'another configuration file of wrangler')
    .option('--env <name>', 'an environment of the configuration file')

/** Adds the options of every command that reads a database: their values are a `Target`. */
export const withTarget = <A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
  local = 'the database of `wrangler dev` on this machine (the default)',
  remote = 'the database at Cloudflare',
) =>
  withPlace(
    command
      .addOption(new Option('--local', local).conflicts('remote'))
      .option('--remote', remote)
      .option('--persist-to <folder>', 'where wrangler keeps its local state'),
  )

/** The folder of the product's wrangler. @throws CliError if it is not installed */
export function wranglerFolder(): string {
  const { resolve } = createRequire(join(process.cwd(), 'package.json'))
  try {
    return dirname(resolve('wrangler/package.json'))
  } catch {
    throw new CliError('There is no wrangler in this folder.', 'npm install --save-dev wrangler')
  }
}

export const wranglerVersion = (): string =>
  JSON.parse(readFileSync(join(wranglerFolder(), 'package.json'), 'utf8')).version

/** The installed wrangler of the product. */
export function wranglerFile(): string {
  const folder = wranglerFolder()
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  return join(folder, bin.wrangler!)
}

/** The end of a call of wrangler. */
export interface WranglerResult {
  code: number
  out: string
  errors: string
}

/** The configuration file and the environment of a call, as arguments. */
export const placeArguments = ({ config, env }: Pick<Target, 'config' | 'env'>): string[] => [
  ...(config ? ['--config', config] : []),
  ...(env ? ['--env', env] : []),
]

/** The printed command that sets a secret at Cloudflare. */
export const secretCommand = (name: string, place: Pick<Target, 'config' | 'env'>): string =>
  ['npx wrangler secret put', name, ...placeArguments(place)].join(' ')

/** The options of a printed command that reads the same database. */
export const placeOf = (target: Target): string =>
  [target.remote ? '--remote' : '--local', ...placeArguments(target)].join(' ')

/**
 * Runs wrangler without prompts.
 * @param input its standard input, such as the value of a secret
 * @returns its exit code and its output
 */
export function runWrangler(args: string[], input?: string): Promise<WranglerResult> {
  const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false', WRANGLER_SEND_ERROR_REPORTS: 'false' }
  const file = wranglerFile()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(input)
    let [out, errors] = ['', '']
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.on('error', reject)
    // Not at its exit, because some output may still be in transit.
    child.on('close', (code) => resolve({ code: code ?? 1, out, errors }))
  })
}

/** Runs wrangler. @returns its output @throws CliError with its message and the next step if it fails */
export async function wrangler(args: string[], hints: readonly OutputHint[] = [], input?: string): Promise<string> {
  const { code, out, errors } = await runWrangler(args, input)
  if (code === 0) return out
  const said = messageOf(errors + out)
  const [, next] = [...hints, ...knownErrors].find(([sign]) => sign.test(said)) ?? []
  throw new CliError(said, next ?? 'correct what wrangler reports; npx gatehouse-auth doctor checks the deployment')
}

/** The message of wrangler without its colours, banner and the place of its log; with `--json`, the text of the error. */
export const messageOf = (said: string): string => {
  const plain = stripVTControlCharacters(said)
    .replace(/^.*⛅️ wrangler.*$\n(?:[─-]+\n)?/m, '')
    .replace(/^.*Logs were written to.*$/m, '')
    .replace(/^✘ \[ERROR\] /gm, '')
    .trim()
  try {
    return JSON.parse(plain).error.text
  } catch {
    return plain
  }
}

/** A sign in the output of wrangler, and the next step. */
export type OutputHint = readonly [sign: RegExp, next: string]

const knownErrors: readonly OutputHint[] = [
  [
    /More than one account available/,
    'add account_id to the configuration file; npx wrangler whoami prints the ids of your accounts',
  ],
  [/not authenticated|CLOUDFLARE_API_TOKEN|Authentication error|\[code: 10000\]/i, 'npx wrangler login'],
  [/Couldn't find (?:a|an) D1 DB|no such (?:config|file)/i, 'npx gatehouse-auth doctor names what the file lacks'],
  [/fetch failed|ENOTFOUND|ECONNREFUSED|EAI_AGAIN/, 'check the network, then run the command again'],
]

/** Runs `wrangler d1 ...`. @returns its output @throws CliError */
export function d1(command: string, target: Target, more: string[]): Promise<string> {
  const args = ['d1', command, target.database, target.remote ? '--remote' : '--local', ...more]
  if (!target.remote && target.persistTo) args.push('--persist-to', target.persistTo)
  return wrangler([...args, ...placeArguments(target)], [[/no such (table|column)/i, applyMigrations(target)]])
}

/** The command that applies the migrations. */
export const applyMigrations = (target: Target): string =>
  [
    `npx wrangler d1 migrations apply ${target.database} ${target.remote ? '--remote' : '--local'}`,
    ...(target.remote || !target.persistTo ? [] : ['--persist-to', target.persistTo]),
    ...placeArguments(target),
  ].join(' ')

/** The rows of several SELECTs, in one call. */
export async function selectAll<T>(target: Target, statements: string[]): Promise<T[][]> {
  const out = await d1('execute', target, ['--json', '--command', statements.join(';\n')])
  return jsonIn<{ results: T[] }[]>(out).map(({ results }) => results)
}

/** The size of the database in bytes; null if wrangler does not state it. */
export async function readSize(target: Target): Promise<number | null> {
  const out = await d1('execute', target, ['--json', '--command', 'SELECT 1'])
  const [result] = jsonIn<{ meta?: { size_after?: number } }[]>(out)
  return result?.meta?.size_after ?? null
}

/** The JSON in the output of a command, which can print a banner before. */
export const jsonIn = <T>(out: string): T => JSON.parse(out.slice(out.search(/^[[{]/m))) as T
