import { Buffer } from 'node:buffer'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { Item } from './json.ts'
import { textOf } from './text.ts'

/** A longer statement contains many rows; dumps write one row per statement. */
const maxLineLength = 16 * 1024 * 1024

/**
 * The rows of some tables in a dump, one at a time: `INSERT INTO` in the format of SQLite, D1 and `pg_dump --inserts`,
 * and `COPY ... FROM stdin` of `pg_dump`. The dump is not executed.
 * @param wanted selects tables by their name, which contains the schema if the dump does
 */
export async function* readDump(file: string, wanted: (table: string) => boolean): AsyncGenerator<Item> {
  const columnsOf = new Map<string, string[]>()
  let copying: { table: string; columns: string[] } | null = null
  let statement: string[] = []
  let quotes: string | null = null
  let size = 0
  let number = 0
  for await (const line of createInterface({
    input: Readable.from(textOf(file)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++
    const at = `line ${number}`
    if (copying) {
      if (line === '\\.') copying = null
      else if (wanted(copying.table)) yield copied(at, copying.columns, line)
      continue
    }
    if (statement.length === 0) {
      if (line.trim() === '' || line.startsWith('--') || line.startsWith('\\')) continue
      const [, table, columns] = /^COPY\s+([^\s(]+)\s*\(([^)]*)\)\s+FROM\s+stdin/i.exec(line) ?? []
      if (table) {
        copying = { table: bare(table), columns: columns!.split(',').map(bare) }
        continue
      }
    }
    size += line.length
    if (size <= maxLineLength) statement.push(line)
    else statement = ['']
    quotes = quoteAfter(line, quotes)
    if (quotes !== null || !/;\s*$/.test(line)) continue
    if (size > maxLineLength) yield { at, problem: 'is a statement of more than 16 MiB' }
    else yield* readStatement(at, statement.join('\n'), wanted, columnsOf)
    statement = []
    size = 0
  }
  if (statement.length > 0 || copying)
    yield { at: `line ${number}`, problem: 'is where the file ends, within a statement' }
}

/** The open quote after a line: `'`, `"`, a dollar tag of Postgres, or none. */
function quoteAfter(line: string, open: string | null): string | null {
  let quote = open
  for (const [mark] of line.matchAll(/'|"|--|\$[A-Za-z_]*\$/g)) {
    if (quote === null && mark === '--') return null
    if (quote === null) quote = mark
    else if (quote === mark) quote = null
  }
  return quote
}

const bare = (name: string): string => name.replaceAll('"', '').replaceAll('`', '').trim()

const name = String.raw`((?:"[^"]+"|\x60[^\x60]+\x60|[\w.])+)`
const insert = new RegExp(String.raw`^\s*INSERT\s+(?:OR\s+\w+\s+)?INTO\s+${name}\s*(?:\(([^)]*)\))?\s*VALUES\s*`, 'i')
const create = new RegExp(String.raw`^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?${name}\s*\(([\s\S]*)\)`, 'i')

/** Matches a constraint in the list of the columns of a table. */
const constraint = /^\s*(CONSTRAINT|PRIMARY\s+KEY|UNIQUE|CHECK|FOREIGN\s+KEY)\b/i

function* readStatement(
  at: string,
  sql: string,
  wanted: (table: string) => boolean,
  columnsOf: Map<string, string[]>,
): Generator<Item> {
  const [, created, body] = create.exec(sql) ?? []
  if (created) {
    // For dumps whose rows do not contain the column names.
    const columns = splitList(body!.replace(/--.*/g, ''))
      .filter((part) => !constraint.test(part))
      .map((part) => bare(/^\s*("[^"]+"|`[^`]+`|\w+)/.exec(part)?.[1] ?? ''))
    columnsOf.set(bare(created), columns)
    return
  }
  const [head, table, list] = insert.exec(sql) ?? []
  if (!head || !wanted(bare(table!))) return
  const columns = list ? list.split(',').map(bare) : columnsOf.get(bare(table!))
  if (!columns) {
    yield { at, problem: 'does not name its columns' }
    return
  }
  for (const row of readTuples(sql.slice(head.length))) {
    if (row === null || row.length < columns.length) yield { at, problem: 'is not a row of the table' }
    else yield { at, value: Object.fromEntries(columns.map((column, i) => [column, row[i]])) }
  }
}

/** The parts of a column list, split at commas outside parentheses. */
function splitList(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const c of text) {
    if (c === '(') depth++
    if (c === ')') depth--
    if (c === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += c
  }
  return parts
}

/** One value: a string, a hexadecimal one, a word (number, null, true), `replace(text, '\n', char(10))` of SQLite. */
const token =
  /\s*(?:([xXeE]?)'([^']*(?:''[^']*)*)'(?:::[\w." ]+(?:\[\])?)?|replace\(\s*'([^']*(?:''[^']*)*)'\s*,\s*'\\n'\s*,\s*char\(10\)\s*\)|unistr\(\s*'([^']*(?:''[^']*)*)'\s*\)|([-+\w.]+)(?:::[\w." ]+)?)\s*([,)])/y

/** The tuples of a VALUES list; null as the last one if it is malformed. */
function* readTuples(text: string): Generator<unknown[] | null> {
  let at = 0
  while (true) {
    const start = /\s*,?\s*\(/y
    start.lastIndex = at
    if (!start.test(text)) return
    at = start.lastIndex
    const row: unknown[] = []
    for (let end = ''; end !== ')'; ) {
      token.lastIndex = at
      const match = token.exec(text)
      if (!match) {
        yield null
        return
      }
      at = token.lastIndex
      end = match[6]!
      row.push(cellOf(match))
    }
    yield row
  }
}

const unquote = (text: string): string => text.replaceAll("''", "'")

function cellOf([, prefix, text, withBreaks, escaped, word]: RegExpExecArray): unknown {
  if (text !== undefined) {
    if (/x/i.test(prefix!)) return Buffer.from(text, 'hex').toString()
    return /e/i.test(prefix!) ? unescapeCopy(unquote(text)) : unquote(text)
  }
  if (withBreaks !== undefined) return unquote(withBreaks).replaceAll('\\n', '\n')
  if (escaped !== undefined) {
    return unquote(escaped).replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  if (/^null$/i.test(word!)) return null
  if (/^(true|false)$/i.test(word!)) return /^true$/i.test(word!)
  const number = Number(word)
  return Number.isNaN(number) ? word : number
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' }

/** The text format of COPY: a backslash escapes special characters. */
const unescapeCopy = (text: string): string => text.replace(/\\(.)/gs, (_, c: string) => escapes[c] ?? c)

function copied(at: string, columns: string[], line: string): Item {
  const cells = line.split('\t')
  if (cells.length !== columns.length) return { at, problem: 'is not a row of the table' }
  const value = columns.map((column, i) => [column, cells[i] === '\\N' ? null : unescapeCopy(cells[i]!)])
  return { at, value: Object.fromEntries(value) }
}
