import * as z from 'zod'
import { read } from '../../platform/statements.ts'
import type { Scope } from '../scope.ts'
import { chainsOf, rawRecords, recordOf, recordsAfter } from './chain-records.store.ts'

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
})

/** A page of records with their links, and the states of their chains at the same time. */
export async function listChain(
  { db }: Scope,
  { organizationId, after, limit }: z.output<typeof chainInput>,
): Promise<z.input<typeof chainAnswer>> {
  const from = recordsAfter(organizationId, after, limit)
  const { records, chains } = await read(db, { records: rawRecords(db, from), chains: chainsOf(db, from) })
  return {
    records: records.map(recordOf),
    chains: chains.map(({ checkpointDue: _, ...state }) => state),
  }
}
