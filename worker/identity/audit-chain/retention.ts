import { deploymentChain } from '../../kit/audit-chain.ts'
import { after } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import { securityLogOptions } from '../audit/security-log.config.ts'
import type { Scope } from '../scope.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { checkpointStatements } from './checkpoints.ts'
import { deleteUntil, firstChains, firstRecords, writeDeleted } from './retention.store.ts'

/** The maximum number of deletions per run of the cron trigger, in steps that keep each statement short. */
const stepSize = 1000
const maxSteps = 20

/**
 * Deletes records that are older than the retention, from the first number, as far as they are sealed. A checkpoint in
 * the same batch proves what was deleted.
 */
export async function deleteOldRecords(scope: Scope): Promise<void> {
  const time = after(scope.now(), -securityLogOptions.of(scope).auditRetention)
  for (let step = 0; step < maxSteps; step++) {
    if ((await deleteStep(scope, time)) < stepSize) return
  }
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
  const changed = chains.flatMap((chain) => {
    const end = ends.get(chain.chain)
    return end ? [{ ...chain, ...end }] : []
  })
  const work = unitOfWork(scope)
  work.run(
    writeDeleted(
      db,
      changed.map(({ chain, deletedSeq, deletedHash }) => [chain, deletedSeq, deletedHash] as const),
    ),
  )
  work.run(await checkpointStatements(scope, changed))
  work.run(deleteUntil(db, last.seq))
  await work.commit()
  return old.length
}
