import { deploymentChain, deploymentLink, firstLink, organizationLink } from '../../kit/audit-chain.ts'
import { after, days } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { Overtaken, unitOfWork } from '../unit-of-work.ts'
import { chainsOf, rawRecords, recordOf, unsealed } from './chain-records.store.ts'
import { isSealedUntil, writeEnds, writeLinks } from './seal.store.ts'

/** Records of one batch, and batches of one run of the cron trigger: about 80 of the 1,000 queries of an invocation. */
export const recordsPerBatch = 1000
const batchesPerRun = 10

/** A chain that has continued has a checkpoint after this time (s). */
export const checkpointInterval = days(1)

/**
 * Adds new records to the chain of the deployment and to those of their organizations, in the order of their numbers. D1
 * runs one batch after the other: a record with a lower number is never committed later.
 */
export async function sealRecords(scope: Scope): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if ((await sealBatch(scope)) < recordsPerBatch) return
  }
}

/** @returns the number of sealed records; 0 if another run was faster */
async function sealBatch(scope: Scope): Promise<number> {
  const { db } = scope
  const { records, chains } = await read(db, {
    records: rawRecords(db, unsealed(recordsPerBatch)),
    chains: chainsOf(db, unsealed(recordsPerBatch)),
  })
  if (records.length === 0) return 0
  const ends = new Map(chains.map(({ chain, sealedSeq, sealedHash }) => [chain, { seq: sealedSeq, hash: sealedHash }]))
  const begin = ends.get(deploymentChain)?.seq ?? 0
  const advanced = new Set<string>([deploymentChain])
  const lastLink = (chain: string) => ends.get(chain)?.hash ?? firstLink
  const links = records.map((row) => {
    const record = recordOf(row)
    const { seq, organizationId, organizationSeq } = record
    let organizationHash: string | null = null
    if (organizationId !== null && organizationSeq !== null) {
      organizationHash = organizationLink(lastLink(organizationId), record)
      ends.set(organizationId, { seq: organizationSeq, hash: organizationHash })
      advanced.add(organizationId)
    }
    const hash = deploymentLink(lastLink(deploymentChain), { ...record, organizationHash })
    ends.set(deploymentChain, { seq, hash })
    return [seq, hash, organizationHash] as const
  })
  const work = unitOfWork(scope)
  work.require(isSealedUntil(begin))
  work.run(writeLinks(db, links))
  const due = after(scope.now(), checkpointInterval)
  work.run(
    writeEnds(
      db,
      [...advanced].map((chain) => [chain, ends.get(chain)!.seq, ends.get(chain)!.hash] as const),
      due,
    ),
  )
  try {
    await work.commit()
  } catch (thrown) {
    // Another run has sealed the same records.
    if (thrown instanceof Overtaken) return 0
    throw thrown
  }
  return records.length
}
