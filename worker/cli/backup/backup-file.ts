import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { sealKeyIdOf } from '../../kit/encrypt.ts'
import { CliError } from '../cli-error.ts'

/**
 * A backup is one file: NDJSON, gzip. The first line is the header, the last one the trailer; each line between is a row: the
 * number of its table, its rowid, and its values in the order of the header. Values that the deployment has sealed stay sealed.
 */
export interface Header {
  format: 'gatehouse-backup'
  version: 1
  /** Of this backup: a restore that was interrupted recognizes it. */
  id: string
  createdAt: string
  /** The version of the package. */
  package: string
  /** The last migration of the database. */
  migration: string
  /** `last`: the last row of the table at the beginning. */
  tables: { name: string; columns: string[]; last: number }[]
  /** The last numbers that AUTOINCREMENT has given. */
  sequences: Record<string, number>
}

export interface Trailer {
  end: true
  tables: Record<string, Summary>
  /** Fingerprints of the secrets that have sealed values (`sealKeyId`). */
  secrets: string[]
}

/** The rows of a table, and a chain of SHA-256 over their lines. */
export interface Summary {
  rows: number
  sha256: string
}

export const noRows: Summary = { rows: 0, sha256: '' }

/** @param line without its line feed */
export const withLine = ({ rows, sha256 }: Summary, line: string): Summary => ({
  rows: rows + 1,
  sha256: createHash('sha256').update(sha256).update(line).digest('hex'),
})

/** The fingerprint of the secret that has sealed a value: a text, or a JSON list of texts. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'string') return []
  return [...value.matchAll(/eyJ[\w-]+\.[\w-]*\.[\w-]*\.[\w-]+\.[\w-]+/g)].flatMap(
    ([sealed]) => sealKeyIdOf(sealed) ?? [],
  )
}

/** One row of a file. */
export interface BackupRow {
  /** The number of its table in the header. */
  table: number
  rowid: number
  /** JSON of the list of the rowid and the values. */
  values: string
}

const incomplete = (file: string, reason: string) =>
  new CliError(`${file} is not a complete backup: ${reason}.`, 'make the backup again, or use another copy of the file')

/** The lines of a file. @throws CliError for a file that is not gzip, or that ends too early */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const unpacked = source.pipe(createGunzip())
  source.on('error', (thrown) => unpacked.destroy(thrown))
  try {
    yield* createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })
    if (unpacked.errored) throw unpacked.errored
  } catch (thrown) {
    const { code = '', message } = thrown as NodeJS.ErrnoException
    if (code.startsWith('Z_')) throw incomplete(file, message)
    throw thrown
  }
}

/** Reads a backup from its beginning: the header, then each row, then the trailer. @throws CliError */
export async function* readBackup(file: string): AsyncGenerator<Header | BackupRow | Trailer> {
  let isFirst = true
  let isEnded = false
  for await (const line of linesOf(file)) {
    if (isEnded) throw incomplete(file, 'it has lines after its end')
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw incomplete(file, 'a line is not JSON')
    }
    if (isFirst) {
      const header = value as Partial<Header> | null
      if (header?.format !== 'gatehouse-backup')
        throw new CliError(`${file} is not a backup of Gatehouse.`, 'name another file')
      if (header.version !== 1)
        throw new CliError(
          `${file} has the format ${header.version} of a newer version.`,
          'npm install gatehouse-auth@latest',
        )
      isFirst = false
      yield header as Header
    } else if (Array.isArray(value)) {
      const [table, ...values] = value as [number, number, ...unknown[]]
      yield { table, rowid: values[0] as number, values: JSON.stringify(values) }
    } else {
      isEnded = true
      yield value as Trailer
    }
  }
  if (!isEnded) throw incomplete(file, 'its end is missing')
}

/** Compares a whole file with its checksums. @throws CliError that names the first table that differs */
export async function verifyBackup(file: string): Promise<{ header: Header; trailer: Trailer }> {
  let header: Header | undefined
  const found: Summary[] = []
  for await (const part of readBackup(file)) {
    if ('format' in part) {
      header = part
      for (const _ of part.tables) found.push(noRows)
    } else if ('end' in part) {
      for (const [at, { name }] of header!.tables.entries()) {
        const { rows, sha256 } = part.tables[name] ?? noRows
        if (rows !== found[at]!.rows) throw incomplete(file, `${name} has ${found[at]!.rows} rows of ${rows}`)
        if (sha256 !== found[at]!.sha256) throw incomplete(file, `the checksum of ${name} differs`)
      }
      return { header: header!, trailer: part }
    } else {
      const before = found[part.table]
      if (!before) throw incomplete(file, 'a row has an unknown table')
      found[part.table] = withLine(before, `[${part.table},${part.values.slice(1)}`)
    }
  }
  throw incomplete(file, 'its end is missing')
}
