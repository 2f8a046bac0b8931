import { gunzipSync, gzipSync } from 'node:zlib'
import type { StoredRecord } from '../../kit/audit-chain.ts'
import { sha256OfBytes } from '../../platform/archive.ts'

/** A record of a segment, one line of NDJSON. */
export interface ArchivedRecord extends StoredRecord {
  /** The time as text in UTC. */
  createdAt: string
}

/** Where the records of an organization are in a segment. */
export interface FilePart {
  organizationId: string
  firstNumber: number
  lastNumber: number
  offset: number
  length: number
  hash: string
}

export interface SegmentFile {
  bytes: Uint8Array
  sha256: string
  parts: FilePart[]
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const compressed = (records: readonly ArchivedRecord[]): Uint8Array =>
  gzipSync(encoder.encode(records.map((record) => `${JSON.stringify(record)}\n`).join('')))

/**
 * The file of a segment: NDJSON, compressed by organization. Several gzip members after each other are a gzip file, and each
 * of them is one as well, so that a range of bytes has the records of one organization and no others.
 * @param records sealed, in the order of their numbers
 */
export function encodeSegment(records: readonly ArchivedRecord[]): SegmentFile {
  const parts: FilePart[] = []
  const members: Uint8Array[] = []
  let offset = 0
  for (const [organizationId, own] of Map.groupBy(records, (record) => record.organizationId)) {
    const member = compressed(own)
    if (organizationId !== null) {
      const last = own.at(-1)!
      const [firstNumber, lastNumber] = [own[0]!.organizationSeq!, last.organizationSeq!]
      parts.push({
        organizationId,
        firstNumber,
        lastNumber,
        offset,
        length: member.length,
        hash: last.organizationHash!,
      })
    }
    members.push(member)
    offset += member.length
  }
  const bytes = new Uint8Array(offset)
  let at = 0
  for (const member of members) {
    bytes.set(member, at)
    at += member.length
  }
  return { bytes, sha256: sha256OfBytes(bytes), parts }
}

/** The records of a file or of one of its parts, in the order of their numbers. @throws for other bytes */
export function decodeSegment(bytes: Uint8Array): ArchivedRecord[] {
  const lines = decoder.decode(gunzipSync(bytes)).split('\n')
  const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ArchivedRecord)
  return records.sort((a, b) => a.seq - b.seq)
}

const padded = (seq: number): string => String(seq).padStart(12, '0')

/** What the names of all versions of a segment begin with: its chain and its numbers. */
export const prefixOf = ({ firstSeq, lastSeq }: { firstSeq: number; lastSeq: number }): string =>
  `audit/deployment/${padded(firstSeq)}-${padded(lastSeq)}.`

export const segmentObject = (segment: { firstSeq: number; lastSeq: number }, sha256: string): string =>
  `${prefixOf(segment)}${sha256.slice(0, 16)}.ndjson.gz`
