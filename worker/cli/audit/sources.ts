import { deploymentChain, jsonOr, type StoredRecord } from '../../kit/audit-chain.ts'
import type { LogPage } from '../../kit/verify-audit-chain.ts'
import { ServerApiError, serverClient } from '../../rpc/client.ts'
import type { ListAuditCheckpointsResult } from '../../rpc/server-operations.ts'
import { CliError } from '../cli-error.ts'
import { literal } from '../sql-literal.ts'
import { selectAll, type Target } from '../wrangler.ts'
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

/** The database, as wrangler reads it. */
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
          ? `SELECT organization_id FROM (SELECT organization_id ${page}) WHERE organization_id IS NOT NULL`
          : literal(organizationId)
      const [records = [], chains = []] = await selectAll<Row>(target, [
        `SELECT ${columns} ${page}`,
        `SELECT chain, sealed_seq, sealed_hash, deleted_seq, deleted_hash FROM audit_chains
          WHERE chain = ${literal(deploymentChain)} OR chain IN (${organizations})`,
      ])
      return { records: records.map(recordOf), chains: chains.map(named) as unknown as LogPage['chains'] }
    }),
  async checkpoints(organizationId) {
    const chain = literal(organizationId ?? deploymentChain)
    const [rows = []] = await selectAll<{ token: string }>(target, [
      `SELECT token FROM audit_checkpoints WHERE chain = ${chain} ORDER BY id`,
    ])
    return { keys: null, current: null, checkpoints: rows }
  },
})

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
  const next = 'set GATEHOUSE_KEY to a server key: npx gatehouse-auth keys create --name audit --permissions audit:read'
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
