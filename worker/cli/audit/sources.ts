import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ArchivedRecord, decodeSegment } from '../../identity/audit-archive/segment-file.ts'
import { deploymentChain, jsonOr, type StoredRecord } from '../../kit/audit-chain.ts'
import type { LogPage } from '../../kit/verify-audit-chain.ts'
import { sha256OfBytes } from '../../platform/archive.ts'
import { ServerApiError, serverClient } from '../../rpc/client.ts'
import type { ListAuditCheckpointsResult } from '../../rpc/server-operations.ts'
import { archiveTable, jurisdictionArguments } from '../account.ts'
import { CliError } from '../cli-error.ts'
import { literal } from '../sql-literal.ts'
import { messageOf, placeArguments, runWrangler, selectAll, type Target } from '../wrangler.ts'
import { readWranglerConfig } from '../wrangler-config.ts'
import type { SavedCheckpoints } from './files.ts'

/** Where records and checkpoints come from. */
export interface RecordSource {
  /** The records of the deployment or of an organization in the order of their numbers; one page at least. */
  pages(organizationId: string | undefined): AsyncGenerator<LogPage>
  checkpoints(organizationId: string | undefined): Promise<SavedCheckpoints>
}

/** Rows of one call of wrangler: about 1.5 MB. */
const rowsPerCall = 1500

async function* paged(
  size: number,
  organizationId: string | undefined,
  load: (after: number) => Promise<LogPage>,
): AsyncGenerator<LogPage> {
  for (let after = 0, isLast = false; !isLast; ) {
    const page = await load(after)
    const last = page.records.at(-1)
    after = (organizationId === undefined ? last?.seq : last?.organizationSeq) ?? after
    isLast = page.isLast ?? page.records.length < size
    yield page
  }
}

type Row = Record<string, string | number | null>

const columns = `seq, id, created_at, action, actor_type, actor_id, actor_via, on_behalf_of, subject_type, subject_id,
  organization_id, organization_seq, ip_address, user_agent, request_id, "before", "after", hash, organization_hash`

/** The database and the bucket of the archive, as wrangler reads them. */
export const databaseSource = (target: Target): RecordSource => ({
  pages: (organizationId) =>
    paged(rowsPerCall, organizationId, async (after) => {
      const which =
        organizationId === undefined
          ? `seq > ${after} ORDER BY seq`
          : `organization_id = ${literal(organizationId)} AND organization_seq > ${after} ORDER BY organization_seq`
      const page = `FROM audit_records WHERE ${which} LIMIT ${rowsPerCall}`
      const organizations =
        organizationId === undefined
          ? `SELECT organization_id FROM (SELECT organization_id ${page}) WHERE organization_id IS NOT NULL
              UNION SELECT organization_id FROM audit_segment_parts WHERE segment = (SELECT first_seq FROM (${placeAfter(organizationId, after)}))`
          : literal(organizationId)
      const [places = [], records = [], chains = []] = await selectAll<Row>(target, [
        placeAfter(organizationId, after),
        `SELECT ${columns} ${page}`,
        `SELECT chain, sealed_seq, sealed_hash, deleted_seq, deleted_hash FROM audit_chains
          WHERE chain = ${literal(deploymentChain)} OR chain IN (${organizations})`,
      ])
      const states = chains.map(named) as unknown as LogPage['chains']
      const [place] = places as unknown as ArchivedPlace[]
      if (!place) return { records: records.map(recordOf), chains: states }
      const archived = await readObject(target, place)
      const damaged = { chain: organizationId ?? deploymentChain, ...place }
      if (!archived) return { records: [], chains: states, damaged, isLast: true }
      const own = archived.filter((record) =>
        organizationId === undefined
          ? record.seq > after
          : record.organizationId === organizationId && record.organizationSeq! > after,
      )
      return { records: own, chains: states, isLast: false }
    }),
  async checkpoints(organizationId) {
    const chain = literal(organizationId ?? deploymentChain)
    const [rows = []] = await selectAll<{ token: string }>(target, [
      `SELECT token FROM audit_checkpoints WHERE chain = ${chain} ORDER BY id`,
    ])
    return { keys: null, current: null, checkpoints: rows }
  },
})

interface ArchivedPlace {
  first_seq: number
  object: string
  sha256: string
  first: number
  last: number
}

/** The segment of the archive with the records after a number; none if D1 has them. */
const placeAfter = (organizationId: string | undefined, after: number): string =>
  organizationId === undefined
    ? `SELECT first_seq, object, sha256, first_seq AS first, last_seq AS last FROM audit_segments
        WHERE state IN ('stored', 'replaced') AND last_seq > ${after} ORDER BY first_seq LIMIT 1`
    : `SELECT first_seq, object, sha256, first_number AS first, last_number AS last FROM audit_segment_parts
        JOIN audit_segments ON first_seq = segment
        WHERE organization_id = ${literal(organizationId)} AND last_number > ${after} ORDER BY first_number LIMIT 1`

/** @returns null if the object is missing or damaged */
export async function readObject(
  target: Target,
  { object, sha256 }: Pick<ArchivedPlace, 'object' | 'sha256'>,
): Promise<ArchivedRecord[] | null> {
  const table = archiveTable(readWranglerConfig(target.config, target.env))
  const bucket = table?.bucket_name
  if (!bucket) throw new CliError('The audit log has an archive, and ARCHIVE is not bound.', 'bind its bucket again')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'))
  const file = join(folder, 'segment')
  try {
    const place = [target.remote ? '--remote' : '--local', ...placeArguments(target)]
    if (!target.remote && target.persistTo) place.push('--persist-to', target.persistTo)
    if (target.remote) place.push(...jurisdictionArguments(table.jurisdiction))
    const { code, out, errors } = await runWrangler([
      'r2',
      'object',
      'get',
      `${bucket}/${object}`,
      '--file',
      file,
      ...place,
    ])
    if (code !== 0) {
      if (/does not exist|not found|10007/i.test(errors + out)) return null
      throw new CliError(messageOf(errors + out), 'the credentials of wrangler need access to R2')
    }
    const bytes = readFileSync(file)
    return sha256OfBytes(bytes) === sha256 ? decodeSegment(bytes) : null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The columns of a row under the names of the code. */
const named = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), value]),
  )

function recordOf(row: Row): StoredRecord {
  const { createdAt, before, after, ...rest } = named(row)
  return {
    ...(rest as unknown as StoredRecord),
    createdAt: new Date(Number(createdAt)),
    before: jsonOr(String(before)),
    after: jsonOr(String(after)),
  }
}

/** The deployment, read with a server key. @throws CliError without a key */
export function serverSource(url: string, key: string | undefined): RecordSource {
  const next =
    'set GATEHOUSE_KEY to a server key: npx gatehouse-auth keys create --remote --name audit --permissions audit:read'
  let client: ReturnType<typeof serverClient>
  try {
    client = serverClient({ url, key: key ?? '' })
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new CliError(thrown.message, next)
    throw thrown
  }
  const limit = 1000
  return {
    pages: (organizationId) =>
      paged(limit, organizationId, (after) =>
        result<LogPage>(client.listAuditRecords({ organizationId, after, limit })),
      ),
    async checkpoints(organizationId) {
      const found: SavedCheckpoints = { keys: null, current: null, checkpoints: [] }
      let cursor: string | undefined
      do {
        const asked = { organizationId, cursor, limit: 200 }
        const page: ListAuditCheckpointsResult = await result(client.listAuditCheckpoints(asked))
        found.keys ??= page.keys
        found.current ??= page.current
        found.checkpoints = [...found.checkpoints, ...page.checkpoints]
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return found
    },
  }
}

/** @throws CliError */
async function result<T>(
  call: Promise<{ ok: true; result: unknown } | { ok: false; code: string; message: string }>,
): Promise<T> {
  try {
    const answer = await call
    if (answer.ok) return answer.result as T
    throw new CliError(`${answer.code}: ${answer.message}`, 'the server key needs the permission audit:read')
  } catch (thrown) {
    if (!(thrown instanceof ServerApiError)) throw thrown
    throw new CliError(`${thrown.code}: ${thrown.message}`, 'check the address and the key, then run the command again')
  }
}
