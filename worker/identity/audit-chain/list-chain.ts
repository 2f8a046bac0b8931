import * as z from 'zod'
import { deploymentChain, type StoredRecord } from '../../kit/audit-chain.ts'
import { read } from '../../platform/statements.ts'
import type { AuditChain } from '../audit/audit-records.table.ts'
import { rawRecords, recordOf, recordsAfter } from '../audit/raw-records.store.ts'
import { DamagedObject, recordsAt } from '../audit-archive/read-archive.ts'
import { type ArchivePlace, placeAfter } from '../audit-archive/segments.store.ts'
import type { Scope } from '../scope.ts'
import { chainsOf } from './chain-records.store.ts'
import { chainsNamed } from './retention.store.ts'

export const chainInput = z.object({
  /** The records of an organization, in the order of its own numbers. */
  organizationId: z.string().min(1).max(128).optional(),
  /** The number of the last record of the previous page: in the organization if one is given. */
  after: z.coerce.number<number | string>().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number<number | string>().int().min(1).max(1000).default(500),
})

const text = z.string().nullable()

export const chainAnswer = z.object({
  records: z
    .array(
      z.object({
        ...{ seq: z.number(), id: z.string(), createdAt: z.date(), action: z.string(), actorType: z.string() },
        ...{ actorId: text, actorVia: text, onBehalfOf: text, subjectType: z.string(), subjectId: text },
        ...{ organizationId: text, organizationSeq: z.number().nullable(), ipAddress: text, userAgent: text },
        ...{ requestId: text, before: z.unknown(), after: z.unknown(), hash: text, organizationHash: text },
        ...{ erased: z.string().optional(), organizationErased: z.string().optional() },
      }),
    )
    .max(1000),
  /** The chain of the deployment has the empty name; that of an organization its id. */
  chains: z
    .array(
      z.object({
        ...{ chain: z.string(), sealedSeq: z.number(), sealedHash: z.string() },
        ...{ deletedSeq: z.number(), deletedHash: z.string() },
      }),
    )
    .max(1001),
  /** An object of the archive that is missing, or has other bytes than those that were written. Then the page is the last one. */
  damaged: z.object({ chain: z.string(), object: z.string(), first: z.number(), last: z.number() }).nullable(),
  /** Whether no page follows. A page of the archive can have fewer records than `limit`. */
  isLast: z.boolean(),
})

/**
 * A page of records with their links, and the states of their chains at the same time. A page of the archive has the records
 * of one object.
 */
export async function listChain(
  scope: Scope,
  { organizationId, after, limit }: z.output<typeof chainInput>,
): Promise<z.input<typeof chainAnswer>> {
  const { db } = scope
  const from = recordsAfter(organizationId, after, limit)
  const { places, records, chains } = await read(db, {
    places: placeAfter(db, organizationId ?? null, after),
    records: rawRecords(db, from),
    chains: chainsOf(db, from),
  })
  const [place] = places
  if (place) return archivedChain(scope, place, { organizationId, after, limit })
  return { records: records.map(recordOf), chains: chains.map(stateOf), damaged: null, isLast: records.length < limit }
}

const stateOf = ({ checkpointDue: _, ...state }: AuditChain) => state

async function archivedChain(
  scope: Scope,
  place: ArchivePlace,
  { organizationId, after, limit }: z.output<typeof chainInput>,
): Promise<z.input<typeof chainAnswer>> {
  const numberOf = (record: StoredRecord) => (organizationId === undefined ? record.seq : record.organizationSeq!)
  try {
    const records = (await recordsAt(scope, place)).filter((record) => numberOf(record) > after).slice(0, limit)
    const owners = records.flatMap(({ organizationId: owner }) => owner ?? [])
    const chains = await chainsNamed(scope.db, [...new Set([deploymentChain, ...owners])])
    // The retention may have deleted some of them since.
    const deleted = chains.find(({ chain }) => chain === (organizationId ?? deploymentChain))?.deletedSeq ?? 0
    const kept = records.filter((record) => numberOf(record) > deleted)
    return {
      records: kept.map((record) => ({ ...record, createdAt: new Date(record.createdAt) })),
      ...{ chains: chains.map(stateOf), damaged: null, isLast: false },
    }
  } catch (thrown) {
    if (!(thrown instanceof DamagedObject)) throw thrown
    const { object, first, last } = place
    const chain = organizationId ?? deploymentChain
    const chains = await chainsNamed(scope.db, [...new Set([deploymentChain, chain])])
    return { records: [], chains: chains.map(stateOf), damaged: { chain, object, first, last }, isLast: true }
  }
}
