import type { Account } from '../../../identity/model/accounts.table.ts'
import type { Scope } from '../../../identity/scope.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { after, days } from '../../../kit/time.ts'
import { reasonOf } from '../../../platform/log.ts'
import { refreshStoredTokens, type SealedTokens } from '../model/identities.store.ts'
import { withTokenDates } from '../model/sealed-tokens.ts'

/**
 * The tokens of a refresh must not be lost: a provider that rotates its refresh tokens has revoked the stored one. While the database
 * does not store them, they are in a Durable Object, from which the next refresh takes them (decision 280).
 */

/** The record and the job have this name. */
const kind = 'social:store-tokens'
const lifetime = days(30)

/** Sealed tokens, and the version of the row that they replace. Times are Unix times in milliseconds. */
export interface Refreshed {
  /** Of the row. */
  id: string
  seen: number
  now: number
  tokens: SealedTokens
}

/** Of a version of a row: once the row is replaced or deleted, its record is never read. */
const nameOf = (id: string, seen: number): string => `${id}:${seen}`

const store = async (scope: Scope, { id, seen, now, tokens }: Refreshed): Promise<void> =>
  refreshStoredTokens(scope.db, { id, updatedAt: new Date(seen) }, withTokenDates(tokens), new Date(now))

/** Stores refreshed tokens; where the database fails twice, in an object, and by a job as soon as the database takes one. */
export async function storeRefreshed(scope: Scope, refreshed: Refreshed): Promise<void> {
  try {
    await store(scope, refreshed).catch(() => store(scope, refreshed))
  } catch (thrown) {
    scope.log('error', 'refreshed-tokens-not-stored', { reason: reasonOf(thrown) })
    const expiresAt = after(scope.now(), lifetime).getTime()
    const value = JSON.stringify(refreshed)
    await scope.records.put(kind, nameOf(refreshed.id, refreshed.seen), { value, expiresAt }).catch((lost) => {
      scope.log('error', 'refreshed-tokens-lost', { reason: reasonOf(lost) })
    })
    const work = unitOfWork(scope)
    work.defer(kind, refreshed)
    scope.after(() => work.commit())
  }
}

/** Stores tokens that the object has, and drops its record. @throws Fault while the database does not take them */
export async function storeKept(scope: Scope, refreshed: Refreshed): Promise<void> {
  await store(scope, refreshed)
  scope.after(() => scope.records.drop(kind, nameOf(refreshed.id, refreshed.seen)))
}

/** Tokens of the last refresh that the row lacks. */
export async function readKept(scope: Scope, { id, updatedAt }: Account): Promise<Refreshed | null> {
  const kept = await scope.records.peek(kind, nameOf(id, updatedAt.getTime()))
  return kept.kind === 'there' ? (JSON.parse(kept.value) as Refreshed) : null
}

/** The account as it is when these tokens are stored. */
export const withRefreshed = (account: Account, { tokens, now }: Refreshed): Account => ({
  ...account,
  ...withTokenDates(tokens),
  updatedAt: new Date(now),
})

export const tokenJobs = { [kind]: { run: storeKept } }
