import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { StoredRecord } from '../../kit/audit-chain.ts'
import type { CheckpointKey } from '../../kit/audit-checkpoint.ts'
import { CliError } from '../cli-error.ts'

/** The answer of the endpoints that list checkpoints, and the form of a saved file. */
export interface SavedCheckpoints {
  /** null: the source has no list of keys. */
  keys: readonly Pick<CheckpointKey, 'kid'>[] | null
  current: string | null
  checkpoints: readonly { token: string }[]
}

/** @throws CliError for a file of another form */
export function readSaved(file: string): SavedCheckpoints {
  const form = 'save the answer of /admin/audit-checkpoints or /organization/audit-checkpoints, or use --save'
  let value: Partial<SavedCheckpoints>
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new CliError(`${file} has no checkpoints: invalid JSON.`, form)
    throw thrown
  }
  const { keys = null, current = null, checkpoints = [] } = value
  const isValid = Array.isArray(checkpoints) && checkpoints.every((one) => typeof one?.token === 'string')
  if (!isValid || (checkpoints.length === 0 && current === null)) {
    throw new CliError(`${file} has no checkpoints.`, form)
  }
  return { keys, current, checkpoints }
}

export type ExportedRecord = Omit<StoredRecord, 'seq' | 'hash'> & { organizationSeq: number }

/** The records of an export, in the order of their numbers. @throws CliError for a file of another form */
export async function readExport(file: string): Promise<{ records: ExportedRecord[]; organizationId: string }> {
  const records: ExportedRecord[] = []
  const refuse = (reason: string) =>
    new CliError(`${file} ${reason}.`, 'export the audit log of an organization in the format ndjson, without filters')
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    let value: StoredRecord
    try {
      value = JSON.parse(line)
    } catch {
      throw refuse(`is not NDJSON: line ${records.length + 1}`)
    }
    const { organizationSeq, organizationId, hash } = value
    if (typeof organizationSeq !== 'number' || typeof organizationId !== 'string' || hash === undefined) {
      throw refuse(`has no numbers and links: line ${records.length + 1}`)
    }
    records.push({ ...value, organizationSeq, organizationHash: hash, organizationErased: value.erased })
  }
  const [first] = records
  if (!first) throw refuse('is empty')
  if (records.some(({ organizationId }) => organizationId !== first.organizationId)) {
    throw refuse('has records of several organizations')
  }
  return {
    records: records.sort((a, b) => a.organizationSeq - b.organizationSeq),
    organizationId: first.organizationId!,
  }
}
