import { deploymentChain, deploymentLink, firstLink, organizationLink } from '../../kit/audit-chain.ts'
import { after, days } from '../../kit/time.ts'
import { read } from '../../platform/statements.ts'
import { rawRecords, recordOf } from '../audit/raw-records.store.ts'
import type { Scope } from '../scope.ts'
import { Overtaken, unitOfWork } from '../unit-of-work.ts'
import { chainsOf, unsealedInTurn } from './chain-records.store.ts'
import { isSealedUntil, writeEnds, writeLinks } from './seal.store.ts'

/** Records of one batch, and batches of one run of the cron trigger: about 80 of the 1,000 queries of an invocation. */
export const recordsPerBatch = 1000
const batchesPerRun = 10

/** A chain that has continued has a checkpoint after this time (s). */
export const checkpointInterval = days(1)

/**
 * Adds new records to the chains of their organizations, of each organization in turn, and then to the chain of the
 * deployment, in the order of their numbers. D1 runs one batch after the other: a record with a lower number is never
 * committed later.
 */
export async function sealRecords(scope: Scope): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if ((await sealBatch(scope)) < recordsPerBatch) return
  }
}

/** @returns the number of records that were read; 0 if another run was faster */
async function sealBatch(scope: Scope): Promise<number> {
  const { db } = scope
  const next = unsealedInTurn(recordsPerBatch)
  const { records, chains } = await read(db, { records: rawRecords(db, next), chains: chainsOf(db, next) })
  if (records.length === 0) return 0
  const ends = new Map(chains.map(({ chain, sealedSeq, sealedHash }) => [chain, { seq: sealedSeq, hash: sealedHash }]))
  const begin = ends.get(deploymentChain)?.seq ?? 0
  const advanced = new Set<string>()
  const advance = (chain: string, seq: number, link: (last: string) => string): string => {
    const hash = link(ends.get(chain)?.hash ?? firstLink)
    ends.set(chain, { seq, hash })
    advanced.add(chain)
    return hash
  }
  const linked = records.map((row) => {
    const record = recordOf(row)
    const { organizationId, organizationSeq, organizationHash } = record
    if (organizationId === null || organizationSeq === null || organizationHash !== null) return record
    const hash = advance(organizationId, organizationSeq, (last) => organizationLink(last, record))
    return { ...record, organizationHash: hash }
  })
  // The first by number are all among them; between later ones there may be others.
  for (const record of linked.slice(0, recordsPerBatch)) {
    record.hash = advance(deploymentChain, record.seq, (last) => deploymentLink(last, record))
  }
  const links = linked.map(({ seq, hash, organizationHash }) => [seq, hash, organizationHash] as const)
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
