import { and, eq, type SQL, sql } from 'drizzle-orm'
import { catalogue } from '../../kit/errors.ts'
import { dayOf } from '../../kit/time.ts'
import { addressBucket } from '../../platform/client-address.ts'
import { type Condition, excluded, type Statement } from '../../platform/statements.ts'
import type { ActorType, Allowance, AuditActor } from '../model/audit-context.ts'
import type { Scope } from '../scope.ts'
import type { BatchError, Work } from '../work.ts'
import { auditBudgets } from './audit-budgets.table.ts'
import { securityLogOptions } from './security-log.config.ts'

/** The deployment itself, which has no budget. */
const unbounded: readonly ActorType[] = ['system', 'server']

/** Actors that work through many entities. */
const bulk: readonly ActorType[] = ['administrator', 'server-key', 'directory']

/**
 * So many changes of an actor in a day are possible for each record of the budget. What limits of paths, caps and sizes do
 * not bound is bounded by this: rows, jobs, webhooks and events of all kinds. One count per actor is compared with all three.
 */
export const changesPerRecord: Readonly<Record<Allowance, number>> = { change: 10, proven: 20, 'sign-in': 100 }

export const tooManyChanges = catalogue({
  TOO_MANY_REQUESTS: [429, 'Too many requests. Please try again later.'],
}).TOO_MANY_REQUESTS

/** A key counts as its owner. */
function partyOf({ request }: Scope, { type, id, via }: AuditActor): string {
  if (type === 'visitor') return `visitor:${addressBucket(request.ip)}`
  return `${type === 'api-key' ? 'user' : type}:${id ?? via ?? addressBucket(request.ip)}`
}

export interface Budget {
  /** Counts the effect, before its record. */
  statements: Statement[]
  /** Holds after these while the request is within the daily maximum of the actor; null: always. */
  mayChange: Condition | null
  /** Holds after these while actor and organization are within their budgets. */
  isLeft: Condition
}

/**
 * For a batch: the daily budgets of an actor and an organization. Effects beyond the actor's budget do not count against
 * the organization's: one member cannot use it up. What is left out counts for the organization, or else for the actor,
 * and one record an hour states it (audit-chain/left-out.ts).
 * @param organizationId or an expression, which may be null
 */
export function budgetOf(scope: Scope, actor: AuditActor, organizationId: string | SQL | null): Budget {
  const { allowance } = scope.auditing
  const { auditPerOrganization } = securityLogOptions.of(scope)
  const day = dayOf(scope.now())
  const effectsOf = (which: string | SQL) =>
    sql`coalesce((select effects from ${auditBudgets} where party = ${which} and day = ${day}), 0)`
  const party = partyOf(scope, actor)
  const limit = limitOf(scope, actor)
  if (limit === null) return { statements: [], isLeft: sql`true`, mayChange: null }
  const organization = sql`'organization:' || ${organizationId}`
  const isActorLeft = sql`${effectsOf(party)} < ${limit}`
  const isAllLeft = sql`(${isActorLeft} and ${effectsOf(organization)} < ${auditPerOrganization})`
  const rows: SQL[] = [
    row(party, sql`1`, organizationId === null ? sql`0` : sql`${organizationId} is null and not ${isActorLeft}`),
  ]
  if (organizationId !== null)
    rows.push(sql`${row(organization, isActorLeft, sql`not ${isAllLeft}`)} where ${organizationId} is not null`)
  // Without an organization, the row that is updated says whether the record is left out. The first of a day never is.
  const isLeftOut = organizationId === null ? sql`(${auditBudgets.effects} >= ${limit})` : undefined
  return {
    statements: [countStatement(scope, rows, isLeftOut)],
    mayChange: allowance === null ? null : sql`${effectsOf(party)} <= ${limit * changesPerRecord[allowance]}`,
    isLeft: sql`${effectsOf(party)} <= ${limit}
      and ${organizationId === null ? sql`1` : sql`${effectsOf(organization)} <= ${auditPerOrganization}`}`,
  }
}

const row = (party: string | SQL, effects: SQL, leftOut: SQL) =>
  sql`select ${party} as party, ${effects} as effects, ${leftOut} as left_out`

/** @param rows of `row` @param isLeftOut in place of `left_out` of the rows, for a party that has a row of the day */
function countStatement(scope: Scope, rows: SQL[], isLeftOut: SQL = excluded(auditBudgets.leftOut)): Statement {
  const now = scope.now()
  const counted = sql`select party, ${dayOf(now)}, effects, left_out, iif(left_out, ${now.getTime()}, null)
    from (${sql.join(rows, sql` union all `)}) where true`
  return scope.db
    .insert(auditBudgets)
    .select(counted)
    .onConflictDoUpdate({
      target: [auditBudgets.party, auditBudgets.day],
      set: {
        effects: sql`${auditBudgets.effects} + ${excluded(auditBudgets.effects)}`,
        leftOut: sql`${auditBudgets.leftOut} + ${isLeftOut}`,
        leftOutSince: sql`coalesce(${auditBudgets.leftOutSince}, iif(${isLeftOut}, ${now.getTime()}, null))`,
      },
    })
}

/** Counts a batch, which may have no record of the party, and requires that the party has at most `max` in a day. */
export function requireDaily(scope: Scope, work: Work, party: string, max: number, refusal: BatchError): void {
  work.run(countStatement(scope, [row(party, sql`1`, sql`0`)]))
  const counted = and(eq(auditBudgets.party, party), eq(auditBudgets.day, dayOf(scope.now())))
  work.require(sql`(select effects from ${auditBudgets} where ${counted}) <= ${max}`, refusal)
}

/** The same for an account that a visitor creates without a proof. */
export function requireDailyOfAddress(scope: Scope, work: Work): void {
  const max = securityLogOptions.of(scope).auditPerAddress * changesPerRecord.change
  requireDaily(scope, work, partyOf(scope, { type: 'visitor', id: null }), max, tooManyChanges)
}

/** Null: unbounded. */
function limitOf(scope: Scope, { type, isGuest }: AuditActor): number | null {
  const { auditPerActor, auditPerAddress, auditPerGuest, auditPerOrganization } = securityLogOptions.of(scope)
  if (unbounded.includes(type)) return null
  if (bulk.includes(type)) return auditPerOrganization
  if (type === 'visitor') return auditPerAddress
  return isGuest ? auditPerGuest : auditPerActor
}
