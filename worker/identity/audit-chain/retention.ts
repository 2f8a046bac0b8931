import { deploymentChain } from '../../kit/audit-chain.ts'
import { after } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import type { AuditChain } from '../audit/audit-records.table.ts'
import { auditRetentionOf } from '../audit/security-log.config.ts'
import { deleteParts, firstSegments, hasObject, partsOf, updateSegment } from '../audit-archive/segments.store.ts'
import type { AuditSegment } from '../audit-archive/segments.table.ts'
import { historyKept, shortestHistory } from '../history.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import type { Work } from '../work.ts'
import { checkpointStatements } from './checkpoints.ts'
import { chainsNamed, deleteUntil, firstChains, firstRecords, writeDeleted } from './retention.store.ts'

/** The maximum number of deletions per run of the cron trigger, in steps that keep each statement short. */
const stepSize = 1000
const maxSteps = 20

/** Segments of a run. */
const maxSegments = 20

/**
 * Deletes records that are older than the retention, from the first number, as far as they are sealed: whole segments of
 * the archive, then records in D1. A checkpoint in the same batch proves what was deleted.
 */
export async function deleteOldRecords(scope: Scope): Promise<void> {
  const retention = auditRetentionOf(scope)
  // With R2 the records of a nearly full database leave it earlier, and none is deleted earlier.
  const kept = scope.env.ARCHIVE ? retention : historyKept(scope, retention, shortestHistory.audit)
  const time = after(scope.now(), -kept)
  const segments = await firstSegments(scope.db, maxSegments)
  if (segments.length > 0 && !scope.env.ARCHIVE) {
    // A deployment that has lost its binding must not lose its records.
    scope.log('error', 'audit-archive-missing', { binding: 'ARCHIVE' })
    return
  }
  for (const segment of segments) {
    if (segment.state === 'pending' || segment.lastAt >= time) return
    await deleteSegmentStep(scope, segment)
  }
  if (segments.length === maxSegments) return
  for (let step = 0; step < maxSteps; step++) {
    if ((await deleteStep(scope, time)) < stepSize) return
  }
}

/** Its object follows in `deleteEndedObjects`. */
async function deleteSegmentStep(scope: Scope, segment: AuditSegment): Promise<void> {
  const { db } = scope
  const parts = await partsOf(db, segment.firstSeq)
  const ends = new Map([[deploymentChain, { deletedSeq: segment.lastSeq, deletedHash: segment.hash }]])
  for (const { organizationId, lastNumber, hash } of parts) {
    ends.set(organizationId, { deletedSeq: lastNumber, deletedHash: hash })
  }
  const chains = await chainsNamed(db, [...ends.keys()])
  const work = unitOfWork(scope)
  work.require(hasObject(segment))
  await writeDeletion(scope, work, chains, ends)
  work.run(deleteParts(db, segment.firstSeq))
  work.run(updateSegment(db, segment.firstSeq, { state: 'ended' }))
  await work.commit()
}

type Ends = ReadonlyMap<string, Pick<AuditChain, 'deletedSeq' | 'deletedHash'>>

/** The last deleted record of each chain, and the checkpoint that proves it. */
async function writeDeletion(scope: Scope, work: Work, chains: readonly AuditChain[], ends: Ends): Promise<void> {
  const changed = chains.flatMap((chain) => {
    const end = ends.get(chain.chain)
    return end ? [{ ...chain, ...end }] : []
  })
  work.run(
    writeDeleted(
      scope.db,
      changed.map(({ chain, deletedSeq, deletedHash }) => [chain, deletedSeq, deletedHash] as const),
    ),
  )
  work.run(await checkpointStatements(scope, changed))
}

async function deleteStep(scope: Scope, before: Date): Promise<number> {
  const { db } = scope
  const { records, chains } = await read(db, {
    records: firstRecords(db, stepSize),
    chains: firstChains(db, stepSize),
  })
  const kept = records.findIndex(({ createdAt, hash }) => createdAt >= before || hash === null)
  const old = kept < 0 ? records : records.slice(0, kept)
  const last = old.at(-1)
  if (!last) return 0
  const ends = new Map([[deploymentChain, { deletedSeq: last.seq, deletedHash: last.hash! }]])
  for (const { organizationId, organizationSeq, organizationHash } of old) {
    if (organizationId === null || organizationSeq === null || organizationHash === null) continue
    ends.set(organizationId, { deletedSeq: organizationSeq, deletedHash: organizationHash })
  }
  const work = unitOfWork(scope)
  await writeDeletion(scope, work, chains, ends)
  work.run(deleteUntil(db, last.seq))
  await work.commit()
  return old.length
}
