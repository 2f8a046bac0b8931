import { sha256Hex } from './hash.ts'

/** The fields of an audit record that its links cover. Names of users are not part of it: they change. */
export interface ChainedRecord {
  id: string
  /** A date, or its ISO text in UTC with milliseconds. */
  createdAt: Date | string
  action: string
  actorType: string
  actorId: string | null
  actorVia: string | null
  onBehalfOf: string | null
  subjectType: string
  subjectId: string | null
  organizationId: string | null
  organizationSeq: number | null
  ipAddress: string | null
  userAgent: string | null
  requestId: string | null
  before: unknown
  after: unknown
}

/** A record with its numbers and links as the deployment stores them. */
export interface StoredRecord extends ChainedRecord {
  seq: number
  hash: string | null
  organizationHash: string | null
  /** The proofs of both chains that the record has lost its personal data (kit/audit-erasure.ts). */
  erased?: string | undefined
  organizationErased?: string | undefined
}

/** The link before the first record. */
export const firstLink = ''

/** The name of the deployment's chain; an organization's chain has the id of the organization. */
export const deploymentChain = ''

/** The actors of the deployment, whom an organization sees without their names and addresses. */
export const hiddenActors: readonly string[] = ['administrator', 'server', 'server-key', 'system']

/** A record as its organization sees it: without who administers the deployment, and from where. */
export function maskForOrganization<R extends Pick<ChainedRecord, 'actorType'>>(record: R): R {
  if (!hiddenActors.includes(record.actorType)) return record
  return { ...record, actorId: null, actorVia: null, ipAddress: null, userAgent: null }
}

/** JSON with sorted names and without spaces (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = value as Record<string, unknown>
  const names = Object.keys(fields)
    .filter((name) => fields[name] !== undefined)
    .sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name])}`).join(',')}}`
}

/** The fields that both links cover. A change of this list is a change of the format: older links remain as they are. */
export function contentOf(record: ChainedRecord) {
  const { id, createdAt, action, actorType, actorId, actorVia, onBehalfOf, subjectType, subjectId } = record
  const { organizationId, organizationSeq, ipAddress, userAgent, requestId, before, after } = record
  const time = typeof createdAt === 'string' ? createdAt : createdAt.toISOString()
  return {
    ...{ id, createdAt: time, action, actorType, actorId, actorVia, onBehalfOf, subjectType, subjectId },
    ...{ organizationId, organizationSeq, ipAddress, userAgent, requestId, before, after },
  }
}

const link = (previous: string, record: object): string => sha256Hex(canonicalJson({ previous, record }))

/** The link of a record in its organization's chain. It covers what the organization sees. */
export const organizationLink = (previous: string, record: ChainedRecord): string =>
  link(previous, contentOf(maskForOrganization(record)))

/** The link of a record in the deployment's chain. It covers the link in the organization's chain. */
export const deploymentLink = (
  previous: string,
  record: ChainedRecord & Pick<StoredRecord, 'seq' | 'organizationHash'>,
): string => link(previous, { ...contentOf(record), seq: record.seq, organizationHash: record.organizationHash })

/** Columns of JSON as the database stores them. A text that is not JSON is a value of its own, and changes the link. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
