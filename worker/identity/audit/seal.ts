import type { AuditRecord } from './audit-records.table.ts'

/** The fields that both chains cover, in this order. Their JSON is the text that is hashed. */
const covered = [
  ...([
    'id',
    'createdAt',
    'action',
    'actorType',
    'actorId',
    'actorVia',
    'onBehalfOf',
    'subjectType',
    'subjectId',
  ] as const),
  ...(['organizationId', 'organizationSeq', 'ipAddress', 'userAgent', 'requestId', 'before', 'after'] as const),
]

type Covered = Pick<AuditRecord, (typeof covered)[number]>

const sha256 = async (text: string): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** The digest of a record. It has no number of the deployment, so that an organization can compute it. */
export const digestOf = (record: Covered): Promise<string> =>
  sha256(
    JSON.stringify(
      covered.map((field) => {
        const value = record[field]
        return value instanceof Date ? value.getTime() : value
      }),
    ),
  )

/** A link of a chain: the hash of the earlier link, the number and the digest. The first link follows an empty text. */
export const linkOf = (earlier: string, seq: number, digest: string): Promise<string> =>
  sha256(`${earlier}\n${seq}\n${digest}`)
