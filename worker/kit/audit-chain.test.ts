import { describe, expect, it } from 'vitest'
import {
  canonicalJson,
  deploymentChain,
  deploymentLink,
  firstLink,
  organizationLink,
  type StoredRecord,
} from './audit-chain.ts'
import { type Checkpoint, checkpointKeys, readCheckpoint, signCheckpoints } from './audit-checkpoint.ts'
import { ChainVerifier, inOrganization, type LogPage, LogVerifier } from './verify-audit-chain.ts'

const secret = 'a-secret-of-the-deployment-0123456789'
const day = 86_400_000
const start = Date.UTC(2026, 0, 1)

/** A log of 12 records, of which every third one is of no organization; the last two are not sealed. */
function newLog(length = 12, unsealed = 2): LogPage {
  const ends = new Map<string, { sealedSeq: number; sealedHash: string; next: number }>()
  const endOf = (chain: string) =>
    ends.get(chain) ?? ends.set(chain, { sealedSeq: 0, sealedHash: firstLink, next: 1 }).get(chain)!
  const records = Array.from({ length }, (_, at): StoredRecord => {
    const seq = at + 1
    const organizationId = seq % 3 === 0 ? null : seq % 3 === 1 ? 'acme' : 'globex'
    const end = organizationId === null ? null : endOf(organizationId)
    const record = {
      ...{ seq, id: `r${seq}`, createdAt: new Date(start + seq * day), action: 'organization.update' },
      ...{ actorType: seq % 2 === 0 ? 'administrator' : 'user', actorId: `u${seq}`, actorVia: null, onBehalfOf: null },
      ...{ subjectType: 'organization', subjectId: organizationId, organizationId },
      ...{ organizationSeq: end ? end.next++ : null, ipAddress: '192.0.2.1', userAgent: 'harness', requestId: 'q' },
      ...{ before: { name: 'A', b: 1 }, after: { name: 'B' }, hash: null, organizationHash: null },
    }
    return record
  })
  seal(records, ends, records.length - unsealed)
  const chains = [...ends].map(([chain, { sealedSeq, sealedHash }]) => ({
    ...{ chain, sealedSeq, sealedHash, deletedSeq: 0, deletedHash: firstLink },
  }))
  return { records, chains }
}

/** Writes the links as the cron trigger does. */
function seal(
  records: StoredRecord[],
  ends: Map<string, { sealedSeq: number; sealedHash: string; next: number }>,
  to: number,
) {
  for (const record of records.slice(0, to)) {
    const { organizationId, seq } = record
    const end = organizationId === null ? undefined : ends.get(organizationId)
    if (end) {
      record.organizationHash = organizationLink(end.sealedHash, record)
      Object.assign(end, { sealedSeq: record.organizationSeq, sealedHash: record.organizationHash })
    }
    const all = ends.get(deploymentChain) ?? { sealedSeq: 0, sealedHash: firstLink, next: 0 }
    record.hash = deploymentLink(all.sealedHash, record)
    ends.set(deploymentChain, { ...all, sealedSeq: seq, sealedHash: record.hash })
  }
}

const checkpointAt = ({ records }: LogPage, seq: number, more: Partial<Checkpoint> = {}): Checkpoint => ({
  ...{ issuer: 'https://a.example', chain: deploymentChain, time: new Date(start + seq * day) },
  ...{ seq, hash: records.find((record) => record.seq === seq)!.hash!, deleted: null },
  ...more,
})

function verify(page: LogPage, checkpoints: Checkpoint[] = []) {
  const verifier = new LogVerifier(Map.groupBy(checkpoints, ({ chain }) => chain))
  // In pages, as from a deployment: each has the states of its time.
  for (let at = 0; at <= page.records.length; at += 5) {
    verifier.add({ records: page.records.slice(at, at + 5), chains: page.chains })
  }
  return verifier.end().map(({ kind, chain, first, last }) => `${chain || 'deployment'}: ${kind} ${first}-${last}`)
}

type Attack = (log: { records: StoredRecord[]; chains: LogPage['chains'][number][] }) => void

const attacks: [name: string, attack: Attack, found: string[]][] = [
  [
    'a changed value',
    ({ records }) => void Object.assign(records[4]!, { after: { name: 'C' } }),
    ['deployment: changed 5-5', 'globex: changed 2-2'],
  ],
  [
    'a changed address that the organization does not see',
    ({ records }) => void Object.assign(records[3]!, { ipAddress: '192.0.2.9' }),
    ['deployment: changed 4-4'],
  ],
  ['a removed record', ({ records }) => void records.splice(4, 1), ['deployment: missing 5-5', 'globex: missing 2-2']],
  [
    'the newest sealed ones removed',
    ({ records }) => void records.splice(8, 4),
    ['deployment: missing 9-10', 'acme: missing 4-4'],
  ],
  ['a record removed before it was sealed', ({ records }) => void records.splice(10, 1), ['deployment: missing 11-11']],
  [
    'two exchanged records',
    ({ records }) => {
      const [a, b] = [{ ...records[3]! }, { ...records[6]! }]
      records[3] = { ...b, seq: a.seq, organizationSeq: a.organizationSeq }
      records[6] = { ...a, seq: b.seq, organizationSeq: b.organizationSeq }
    },
    ['deployment: changed 4-4', 'acme: changed 2-2'],
  ],
  [
    'a record with a number that exists',
    ({ records }) => void records.splice(6, 0, { ...records[5]!, id: 'new' }),
    ['deployment: inserted 6-6'],
  ],
  ['a removed link', ({ records }) => void Object.assign(records[2]!, { hash: null }), ['deployment: inserted 3-3']],
  [
    'a chain of an organization rewritten alone',
    ({ records }) => {
      let previous = firstLink
      for (const record of records.filter(({ organizationId }) => organizationId === 'acme')) {
        record.after = { name: 'rewritten' }
        record.organizationHash = previous = organizationLink(previous, record)
      }
    },
    ['deployment: changed 1-1', 'acme: rewritten 1-4'],
  ],
  [
    'the first records removed, as if by the retention',
    ({ records, chains }) => {
      const [first] = records.splice(0, 3).slice(-1)
      for (const chain of chains.filter((one) => one.chain === deploymentChain))
        Object.assign(chain, { deletedSeq: 3, deletedHash: first!.hash })
      for (const chain of chains.filter((one) => one.chain !== deploymentChain)) Object.assign(chain, { deletedSeq: 1 })
    },
    ['deployment: unproven-deletion 1-3'],
  ],
]

describe('verification', () => {
  it('finds nothing in a log that nothing has changed', () => {
    const log = newLog()
    expect(verify(log)).toEqual([])
    expect(verify(log, [checkpointAt(log, 4), checkpointAt(log, 10)])).toEqual([])
  })

  it.each(attacks)('finds %s', (_, attack, found) => {
    const log = structuredClone(newLog()) as Parameters<Attack>[0]
    attack(log)
    expect(verify(log).filter((line) => found.some((one) => one.split(':')[0] === line.split(':')[0]))).toEqual(found)
  })

  it('finds a log that was rewritten as a whole only with a checkpoint, and names the records between two', () => {
    const original = newLog()
    const records = structuredClone(original.records as StoredRecord[])
    records[6]!.after = { name: 'rewritten' }
    const ends = new Map<string, { sealedSeq: number; sealedHash: string; next: number }>(
      ['acme', 'globex'].map((chain) => [chain, { sealedSeq: 0, sealedHash: firstLink, next: 0 }]),
    )
    for (const record of records) Object.assign(record, { hash: null, organizationHash: null })
    seal(records, ends, 10)
    const chains = [...ends].map(([chain, end]) => ({ chain, ...end, deletedSeq: 0, deletedHash: firstLink }))
    const forged = { records, chains }
    expect(verify(forged)).toEqual([])
    expect(verify(forged, [checkpointAt(original, 4), checkpointAt(original, 9)])).toEqual([
      'deployment: rewritten 5-9',
    ])
    // Shortened to before the checkpoint.
    const short = { records: original.records.slice(0, 7), chains: newLog(7, 0).chains }
    expect(verify(short)).toEqual([])
    expect(verify(short, [checkpointAt(original, 9)])).toEqual(['deployment: missing 8-9'])
  })

  it('accepts what the retention has deleted with its checkpoint, if the records had its age', () => {
    const { records, chains } = newLog()
    const deletedHash = records[2]!.hash!
    const rest = {
      records: records.slice(3),
      chains: chains.map((state) => {
        if (state.chain === deploymentChain) return { ...state, deletedSeq: 3, deletedHash }
        const last = records.slice(0, 3).findLast(({ organizationId }) => organizationId === state.chain)!
        return { ...state, deletedSeq: last.organizationSeq!, deletedHash: last.organizationHash! }
      }),
    }
    const proof = (before: number) =>
      checkpointAt({ records, chains }, 10, { deleted: { seq: 3, hash: deletedHash, before: new Date(before) } })
    expect(verify(rest, [proof(start + 4 * day)])).toEqual([])
    const witness = checkpointAt({ records, chains }, 2, { time: new Date(start + 8 * day) })
    expect(verify(rest, [proof(start + 4 * day), witness])).toEqual(['deployment: early-deletion 3-3'])
    const other = { ...proof(start + 4 * day), deleted: { seq: 3, hash: 'f'.repeat(64), before: new Date() } }
    expect(verify(rest, [other])).toEqual(['deployment: unproven-deletion 1-3'])
  })

  it('verifies the export of an organization alone, from any record', () => {
    const own = newLog(24, 3).records.filter(({ organizationId }) => organizationId === 'acme')
    const run = (records: StoredRecord[], checkpoints: Checkpoint[] = []) => {
      const verifier = new ChainVerifier({ chain: 'acme', state: null, checkpoints })
      for (const record of records)
        verifier.add(inOrganization({ ...record, organizationSeq: record.organizationSeq! }))
      return verifier.end()?.kind ?? [verifier.sealed, verifier.unsealed]
    }
    expect(run(own)).toEqual([7, 1])
    expect(run(own.slice(2))).toEqual([5, 1])
    expect(run(own.toSpliced(3, 1))).toBe('missing')
    const changed = own.slice(2).map((record, at) => (at === 0 ? { ...record, after: {} } : record))
    // The first record of a file has no record before it: only a checkpoint of that one confirms it.
    expect(run(changed)).toEqual([5, 1])
    const before = { chain: 'acme', seq: 2, hash: own[1]!.organizationHash! }
    expect(run(changed, [checkpointAt(newLog(), 4, before)])).toBe('changed')
    expect(run(own.slice(2), [checkpointAt(newLog(), 4, before)])).toEqual([5, 1])
  })
})

describe('canonicalJson', () => {
  it('sorts names at every depth, and writes what JSON writes', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'ü"' }], a: 1.0, 10: true })).toBe(
      '{"10":true,"a":1,"b":[1,{"c":"ü\\"","d":null}]}',
    )
  })
})

describe('a checkpoint', () => {
  const checkpoint = checkpointAt(newLog(), 4, { deleted: { seq: 2, hash: 'h', before: new Date(start) } })

  it('is signed by a key of the secret, which is published', async () => {
    const [token = ''] = await signCheckpoints(secret, [checkpoint])
    const [key] = await checkpointKeys([secret])
    expect(await readCheckpoint(token)).toEqual({ ...checkpoint, kid: key!.kid })
    expect(Object.keys(key!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    expect((await checkpointKeys([secret, 'other-secret'])).map(({ kid }) => kid)).toContain(key!.kid)
  })

  it('is refused if it is altered, of another type or no token', async () => {
    const [token = ''] = await signCheckpoints(secret, [checkpoint])
    const [head, , signature] = token.split('.')
    const body = btoa(JSON.stringify({ chain: '', seq: 9, hash: 'x', iat: 1, iss: 'x' })).replaceAll('=', '')
    for (const bad of [`${head}.${body}.${signature}`, token.slice(0, -3), 'x', '', '..', 'e30.e30.e30']) {
      expect(await readCheckpoint(bad)).toBeNull()
    }
  })
})
