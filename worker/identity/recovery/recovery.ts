import { eq, getTableName, sql } from 'drizzle-orm'
import { firstLink } from '../../kit/audit-chain.ts'
import { after, seconds } from '../../kit/time.ts'
import { deletePage } from '../../platform/kv.ts'
import type { Statement } from '../../platform/statements.ts'
import { addressChanges } from '../accounts/address-changes.table.ts'
import { addressReverts } from '../accounts/address-reverts.table.ts'
import type { AuditChain } from '../audit/audit-records.table.ts'
import { gapStatements } from '../audit-chain/checkpoints.ts'
import { sealRecords } from '../audit-chain/seal.ts'
import type { RestoredRows } from '../lifecycle.ts'
import { accounts, credentialProvider } from '../model/accounts.table.ts'
import { sessions } from '../model/sessions.table.ts'
import { users } from '../model/users.table.ts'
import type { Scope } from '../scope.ts'
import { addToFeed, keptFor } from '../sessions/ended-sessions.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { linkPrefix } from '../verifications/verifications.ts'
import * as store from './recovery.store.ts'
import { type Recovery, recoverKind } from './recovery-job.ts'

/**
 * Makes a deployment safe whose database was restored to an earlier time (decision 330): ends what that state has brought
 * back, in small steps whose batches store the progress in the job. A repetition of a step has no further effect.
 */

/** More than a user's number can have increased in the time that is lost. */
const versionsSkipped = 1_000_000

/**
 * What the rows of `identity/` need. Links, codes and trusted devices have the number of their user; the number of a user
 * whom the restore has brought back may be that of a link that has ended.
 */
const ownRows: readonly RestoredRows[] = [
  { table: users, set: { securityVersion: sql`${users.securityVersion} + ${versionsSkipped}` } },
  { table: accounts, where: eq(accounts.providerId, credentialProvider), kind: 'passwords' },
  { table: addressChanges },
  { table: addressReverts },
]

/** Last, because what comes before opens them. */
const lastRows: readonly RestoredRows[] = [{ table: sessions }]

export const restoredRows = (scope: Pick<Scope, 'lifecycle'>): RestoredRows[] => [
  ...ownRows,
  ...scope.lifecycle.registry('stored', 'all').flatMap(({ restored = [] }) => restored),
  ...lastRows,
]

/** What one part of a step has done. */
interface Advance {
  write?: Statement[]
  isDone: boolean
  changes?: Partial<Recovery>
  /** The batch writes the record of the recovery: its number is `next`. */
  setsNext?: boolean
}

type Step = (scope: Scope, recovery: Recovery) => Promise<Advance>

const stepsOf = (scope: Scope): Step[] => [
  begin,
  provesGap,
  ...restoredRows(scope).map(
    (rule): Step =>
      (now, recovery) =>
        endPart(now, recovery, rule),
  ),
  endLinks,
  provesGapsOfOrganizations,
  forgetEverywhere,
  finish,
]

/** A run of the job stays below the 1,000 queries of an invocation. */
const partsPerRun = 60
const timePerRun = seconds(30)

/** The maximum cost of a run, see `JobRules`. */
export const costOfRun = partsPerRun * 5

/** Does the next parts. @param jobId the job that stores the progress */
export async function recover(scope: Scope, given: Recovery, jobId: string): Promise<void> {
  const steps = stepsOf(scope)
  const end = after(scope.now(), timePerRun)
  let recovery = given
  for (let part = 0; part < partsPerRun && scope.now() < end; part++) {
    const step = steps[recovery.step]
    if (!step) return
    recovery = await advance(scope, recovery, step, jobId)
  }
  if (!steps[recovery.step]) return
  const work = unitOfWork(scope)
  // The job that follows continues. It describes nothing that has changed.
  work.audit(null)
  const id = `${recoverKind}:${recovery.step}:${recovery.position}:${scope.now().getTime()}`
  work.defer(recoverKind, recovery, { key: recoverKind, id, plain: true, byCron: true })
  await work.commit()
}

async function advance(scope: Scope, recovery: Recovery, step: Step, jobId: string): Promise<Recovery> {
  const { write = [], isDone, changes, setsNext = false } = await step(scope, recovery)
  const done = isDone ? { step: recovery.step + 1, position: 0, end: null, cursor: null } : {}
  const next = { ...recovery, ...changes, ...done }
  const work = unitOfWork(scope)
  // The command has two records, at its beginning and at its end.
  work.audit(null)
  const handles = write.map((statement) => work.run(statement))
  work.run(store.saveProgress(scope.db, jobId, next, setsNext))
  await work.commit()
  const [record] = handles
  return setsNext ? { ...next, next: (record!.row as { seq: number }).seq } : next
}

const begin: Step = async (scope, { restoredTo, keep }) => {
  const { chain } = await store.chainBefore(scope.db, 0)
  const sealed = chain && { seq: chain.sealedSeq, hash: chain.sealedHash }
  const values = { state: 'begun', restoredTo: new Date(restoredTo).toISOString(), keep: keep.join(',') }
  return {
    write: [store.insertFirstRecord(scope.db, values, scope.now())],
    isDone: true,
    setsNext: true,
    changes: sealed ? { sealed } : {},
  }
}

/** Signs that no number between the last restored record and that of the recovery was given. */
const provesGap: Step = async (scope, { restoredTo, next, sealed }) => {
  await sealRecords(scope)
  const { chain, record } = await store.chainBefore(scope.db, next!)
  if (!chain || chain.sealedSeq < next!) return { isDone: false }
  const last = record ?? sealed ?? { seq: chain.deletedSeq, hash: chain.deletedHash }
  const state: AuditChain = { ...chain, sealedSeq: last.seq, sealedHash: last.hash ?? firstLink }
  const gap = { since: new Date(restoredTo), next: next! }
  return { write: await gapStatements(scope, [{ ...state, gap }]), isDone: true }
}

/** Rows of a part. */
const rowsPerPart = 1000

async function endPart(scope: Scope, recovery: Recovery, rule: RestoredRows): Promise<Advance> {
  if (rule.kind && recovery.keep.includes(rule.kind)) return { isDone: true }
  const end = recovery.end ?? (await store.lastRow(scope.db, rule.table))
  const from = recovery.position
  const { last, count } = await store.nextRows(scope.db, rule, { from, to: end, limit: rowsPerPart })
  if (last === null) return { isDone: true }
  const name = getTableName(rule.table)
  const counts = { ...recovery.counts, [name]: (recovery.counts[name] ?? 0) + count }
  const write = count > 0 ? [store.endRows(scope.db, rule, from, last)] : []
  return { write, isDone: last >= end, changes: { position: last, end, counts } }
}

/** A link that was mailed to an address without a user has no security version. */
const endLinks: Step = async (scope, { cursor, counts }) => {
  const page = await deletePage(scope.env.KV, scope.io.used, linkPrefix, cursor)
  const links = (counts.links ?? 0) + page.count
  return { isDone: page.cursor === null, changes: { cursor: page.cursor, counts: { ...counts, links } } }
}

const chainsPerPart = 200

const provesGapsOfOrganizations: Step = async (scope, { restoredTo, position }) => {
  const chains = await store.nextChains(scope.db, position, chainsPerPart)
  const last = chains.at(-1)
  if (!last) return { isDone: true }
  const since = new Date(restoredTo)
  const signed = chains.map((chain) => ({ ...chain, gap: { since, next: chain.sealedSeq + 1 } }))
  const write = await gapStatements(scope, signed)
  return { write, isDone: chains.length < chainsPerPart, changes: { position: last.rowid } }
}

/** Ends session data cookies and remembered keys of all isolates. */
const forgetEverywhere: Step = async (scope) => {
  const keep = keptFor(scope)
  if (keep > 0) await addToFeed(scope, 'all', [`all:@${scope.now().getTime()}`], keep)
  return { isDone: true }
}

const finish: Step = async (scope, { restoredTo, keep, counts }) => {
  const values = { state: 'done', restoredTo: new Date(restoredTo).toISOString(), keep: keep.join(','), ...counts }
  return { write: [store.insertLastRecord(scope.db, values, scope.now())], isDone: true }
}
