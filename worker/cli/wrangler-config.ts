import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { applyEdits, modify, type ParseError, parse as parseJsonc, printParseErrorCode } from 'jsonc-parser'
import { parse as parseToml, stringify } from 'smol-toml'
import { CliError } from './cli-error.ts'

/** A binding or section of wrangler's configuration file, as far as the command reads it. */
export type Table = Readonly<Record<string, unknown>>

/** A configuration file of wrangler, read for one environment. */
export interface WranglerConfig {
  path: string
  /** The folder that its paths are relative to. */
  folder: string
  format: 'toml' | 'jsonc'
  env: string | undefined
  text: string
  /** The whole file. */
  raw: Table
  /** The values that apply to the environment. */
  values: Table
}

/** The names of the configuration file, in wrangler’s order. */
export const fileNames = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']

/** The variables of a file. */
export const variablesOf = ({ values }: WranglerConfig): Record<string, string> =>
  Object.fromEntries(Object.entries((values.vars ?? {}) as Table).map(([name, value]) => [name, String(value)]))

/** Whether there is a configuration file. */
export const hasWranglerConfig = (config?: string): boolean =>
  config === undefined ? fileNames.some((name) => existsSync(name)) : existsSync(config)

/**
 * Reads the configuration file.
 * @param config its name. @default wrangler.json, wrangler.jsonc or wrangler.toml in this folder
 * @throws CliError if it is missing or invalid, or has no such environment
 */
export function readWranglerConfig(config?: string, env?: string): WranglerConfig {
  const found = config ?? fileNames.find((name) => existsSync(name))
  if (!found || !existsSync(found)) {
    throw new CliError(`There is no ${config ?? 'wrangler.toml'} in this folder.`, 'npx gatehouse-auth init writes one')
  }
  return parseWranglerConfig(found, readFileSync(found, 'utf8'), env)
}

/** The same for a text. @param path its end says the format */
export function parseWranglerConfig(path: string, text: string, env?: string): WranglerConfig {
  const format = path.endsWith('.toml') ? 'toml' : 'jsonc'
  const raw = format === 'toml' ? readToml(path, text) : readJsonc(path, text)
  const environments = (raw.env ?? {}) as Record<string, Table>
  if (env !== undefined && !Object.hasOwn(environments, env)) {
    const names = Object.keys(environments).join(', ') || 'none'
    throw new CliError(
      `${path} has no environment ${env} (it has: ${names}).`,
      'add it, see the guide environments.md, or leave --env out',
    )
  }
  const values = env === undefined ? raw : valuesOf(raw, env, environments[env]!)
  return { path, folder: dirname(resolve(path)), format, env, text, raw, values }
}

function readToml(path: string, text: string): Table {
  try {
    return parseToml(text)
  } catch (thrown) {
    throw new CliError(`${path}: ${(thrown as Error).message.trim()}`, 'correct the file')
  }
}

function readJsonc(path: string, text: string): Table {
  const errors: ParseError[] = []
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new CliError(`${path}, line ${line}: ${printParseErrorCode(first.error)}`, 'correct the file')
  }
  if (typeof value !== 'object' || value === null) throw new CliError(`${path} is not an object.`, 'correct the file')
  return value as Table
}

/** Sections that an environment does not inherit (developers.cloudflare.com/workers/wrangler/configuration). */
const notInherited = [
  ...['vars', 'd1_databases', 'kv_namespaces', 'r2_buckets', 'durable_objects', 'send_email', 'queues', 'services'],
]

function valuesOf(raw: Table, env: string, own: Table): Table {
  const inherited = Object.fromEntries(Object.entries(raw).filter(([key]) => !notInherited.includes(key)))
  return { ...inherited, ...(typeof raw.name === 'string' ? { name: `${raw.name}-${env}` } : {}), ...own }
}

/** The tables of a list such as `d1_databases`, or of a list inside a section (`durable_objects.bindings`). */
export function tablesIn(values: Table, ...path: string[]): Table[] {
  const found = path.reduce<unknown>((at, key) => (at as Table | undefined)?.[key], values)
  return Array.isArray(found) ? (found as Table[]) : []
}

/** The path of a value of the environment, in the whole file. */
export const pathInFile = ({ env }: WranglerConfig, path: readonly (string | number)[]): (string | number)[] =>
  env === undefined ? [...path] : ['env', env, ...path]

/**
 * Writes one value into the file, whose other lines and comments stay.
 * @param path as in `values`: `['vars', 'BASE_URL']`, `['d1_databases', 0, 'database_id']`
 * @param value a text, a boolean, or a list of tables
 * @returns the file read again
 * @throws CliError if its style does not allow it (inline tables); then the file is unchanged
 */
export function setValue(file: WranglerConfig, path: readonly (string | number)[], value: unknown): WranglerConfig {
  const inFile = pathInFile(file, path)
  const text =
    file.format === 'toml'
      ? setInToml(file.text, inFile, value)
      : applyEdits(
          file.text,
          modify(file.text, inFile, value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }),
        )
  const changed = tryParse(file, text)
  const written =
    changed && inFile.reduce<unknown>((at, key) => (at as Table | undefined)?.[key as string], changed.raw)
  if (!changed || JSON.stringify(written) !== JSON.stringify(value)) {
    throw new CliError(
      `${file.path}: ${inFile.join('.')} cannot be written here.`,
      `set it to ${JSON.stringify(value)} in an editor, then run the command again`,
    )
  }
  writeFileSync(file.path, text)
  return changed
}

function tryParse(file: WranglerConfig, text: string): WranglerConfig | null {
  try {
    return parseWranglerConfig(file.path, text, file.env)
  } catch {
    return null
  }
}

/** Sets a text in a table or in the n-th table of a list; an inline table stays as it is. */
function setInToml(text: string, path: readonly (string | number)[], value: unknown): string {
  const key = String(path.at(-1))
  const index = path.find((part) => typeof part === 'number')
  const section = path.slice(0, -1).filter((part) => typeof part === 'string')
  const header = section.length === 0 ? null : `${index === undefined ? '[' : '[['}${section.join('.')}`
  const lines = text.split('\n')
  let start = header === null ? 0 : -1
  let met = -1
  for (const [at, line] of lines.entries()) {
    if (header === null || start >= 0 || !/^\s*\[/.test(line)) continue
    if (line.replaceAll(/[\s"']/g, '').split(']')[0] === header && ++met === (index ?? 0)) start = at + 1
  }
  const line = `${key} = ${tomlValue(value)}`
  if (start < 0) return index === undefined ? `${text.trimEnd()}\n\n${header}]\n${line}\n` : text
  const next = lines.findIndex((line, at) => at >= start && /^\s*\[/.test(line))
  const end = next < 0 ? lines.length : next
  const at = lines.findIndex((line, n) => n >= start && n < end && new RegExp(`^\\s*"?${key}"?\\s*=`).test(line))
  if (at >= 0) lines[at] = lines[at]!.replace(/=\s*("[^"]*"|'[^']*'|true|false)/, () => `= ${tomlValue(value)}`)
  // At the top level after the other keys, before the comment of the first section.
  else if (header === null) lines.splice(afterKeys(lines, end), 0, line)
  else lines.splice(start, 0, line)
  return lines.join('\n')
}

/** The place after the last key of the top level. */
function afterKeys(lines: string[], end: number): number {
  const last = lines.slice(0, end).findLastIndex((line) => /^\s*[\w"]/.test(line))
  return last < 0 ? end : last + 1
}

/** A section in the format of the file, to be added to it: `{ kv_namespaces: [{ binding, id }] }`. */
export function printSection({ format, env }: Pick<WranglerConfig, 'format' | 'env'>, section: Table): string {
  const whole = env === undefined ? section : { env: { [env]: section } }
  if (format === 'jsonc') {
    return JSON.stringify(whole, null, 2).split('\n').slice(1, -1).join('\n').replaceAll(/^ {2}/gm, '')
  }
  // Above the first section a list of tables must be inline, as wrangler's documentation writes routes.
  return section.routes ? `routes = ${tomlValue(section.routes)}` : stringify(whole).trimEnd()
}

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value on one line of TOML. */
export function tomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`
  if (!isTable(value)) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key} = ${tomlValue(one)}`)
    .join(', ')} }`
}
