import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeSegment, segmentObject } from '../identity/audit-archive/segment-file.ts'
import { deploymentLink, firstLink, organizationLink, type StoredRecord } from '../kit/audit-chain.ts'
import { checkpointKeys, signCheckpoints } from '../kit/audit-checkpoint.ts'
import { seal } from '../kit/encrypt.ts'
import { CliProduct } from '../testing/cli-product.ts'
import { literal } from './sql-literal.ts'

/** Commands that read and write the local R2 of wrangler. */

const product = new CliProduct()
const secret = 'the-secret-of-the-deployment-0123456789'
const bucket = 'acme-archive'

async function execute(sql: string): Promise<Record<string, unknown>[]> {
  const { code, said } = await product.wrangler('d1', 'execute', 'DB', '--local', '--yes', '--json', '--command', sql)
  if (code !== 0) throw new Error(said)
  return (JSON.parse(said.slice(said.indexOf('['))) as { results: Record<string, unknown>[] }[]).at(-1)!.results
}

async function put(object: string, bytes: Uint8Array | string): Promise<void> {
  writeFileSync(product.path('object'), bytes)
  const { code, said } = await product.wrangler(
    'r2',
    'object',
    'put',
    `${bucket}/${object}`,
    '--file',
    'object',
    '--local',
  )
  if (code !== 0) throw new Error(said)
}

beforeAll(async () => {
  await product.build()
  await product.wrangler('d1', 'migrations', 'apply', 'DB', '--local')
})
afterAll(() => product.close())

/** Sealed records about a user; every second one is of an organization. */
function chained(numbers: readonly number[]): StoredRecord[] {
  let [all, own] = [firstLink, firstLink]
  return numbers.map((seq, at) => {
    const inOrganization = at % 2 === 1
    const record = {
      ...{ seq, id: `r${seq}`, createdAt: `2026-01-${String(at + 1).padStart(2, '0')}T00:00:00.000Z` },
      ...{ action: 'ban-user', actorType: 'user', actorId: 'boss', actorVia: null, onBehalfOf: null },
      ...{ subjectType: 'user', subjectId: 'ada', ipAddress: null, userAgent: null, requestId: null },
      ...{ organizationId: inOrganization ? 'acme' : null, organizationSeq: inOrganization ? (at + 1) / 2 : null },
      ...{ before: {}, after: { at } },
    }
    if (inOrganization) own = organizationLink(own, record as never)
    const organizationHash = inOrganization ? own : null
    all = deploymentLink(all, { ...record, organizationHash } as never)
    return { ...record, organizationHash, hash: all } as StoredRecord
  })
}

/** Rows of D1 and objects of R2 as the archive writes them: six records in two objects, and those that follow in D1. */
async function store(records: readonly StoredRecord[], gap: { at: number; next: number }): Promise<string[]> {
  const objects: string[] = []
  const rows: string[] = []
  for (const part of [records.slice(0, 3), records.slice(3, 6)]) {
    const [first, last] = [part[0]!, part.at(-1)!]
    const { bytes, sha256, parts } = encodeSegment(part as never)
    const object = segmentObject({ firstSeq: first.seq, lastSeq: last.seq }, sha256)
    objects.push(object)
    await put(object, bytes)
    const values = [first.seq, last.seq, 'stored', part.length, object, bytes.length, sha256, last.hash, 1, 2]
    rows.push(
      `INSERT INTO audit_segments (first_seq, last_seq, state, records, object, bytes, sha256, hash, first_at, last_at)
       VALUES (${values.map((value) => literal(value as string)).join(', ')})`,
    )
    for (const one of parts) {
      const row = [one.organizationId, one.firstNumber, one.lastNumber, first.seq, one.offset, one.length, one.hash]
      rows.push(`INSERT INTO audit_segment_parts VALUES (${row.map((value) => literal(value as string)).join(', ')})`)
    }
  }
  for (const record of records.slice(6)) {
    const row = {
      ...{ seq: record.seq, id: record.id, created_at: new Date(record.createdAt).getTime(), action: record.action },
      ...{ actor_type: record.actorType, actor_id: record.actorId, subject_type: record.subjectType },
      ...{ subject_id: record.subjectId, organization_id: record.organizationId },
      ...{ organization_seq: record.organizationSeq, after: JSON.stringify(record.after) },
      ...{ hash: record.hash, organization_hash: record.organizationHash },
    }
    const names = Object.keys(row).map((name) => `"${name}"`)
    rows.push(
      `INSERT INTO audit_records (${names.join(', ')}) VALUES (${Object.values(row)
        .map((value) => literal(value as string))
        .join(', ')})`,
    )
  }
  const last = records.at(-1)!
  const ofAcme = records.findLast(({ organizationId }) => organizationId === 'acme')!
  const chains = [
    ['', last.seq, last.hash],
    ['acme', ofAcme.organizationSeq, ofAcme.organizationHash],
  ]
  for (const chain of chains)
    rows.push(
      `INSERT INTO audit_chains (chain, sealed_seq, sealed_hash) VALUES (${chain.map((value) => literal(value as string)).join(', ')})`,
    )
  const before = records[gap.at]!
  const common = { issuer: 'https://accounts.acme.com', chain: '', deleted: null }
  const [token] = await signCheckpoints(secret, [
    {
      ...common,
      ...{ time: new Date('2026-02-02T00:00:00Z'), seq: before.seq, hash: before.hash! },
      gap: { since: new Date('2026-02-01T00:00:00Z'), next: gap.next },
    },
  ])
  rows.push(`INSERT INTO audit_checkpoints (chain, token, created_at) VALUES ('', ${literal(token!)}, 1)`)
  // One call of wrangler takes a second.
  await execute(rows.join(';\n'))
  return objects
}

describe('gatehouse audit verify --local', () => {
  const verify = (...words: string[]) => product.run('audit', 'verify', '--local', ...words)
  let objects: string[]
  const records = chained([1, 2, 3, 4, 5, 6, 7, 1_000_000_007, 1_000_000_008])

  it('reads the archive in R2 and D1, and names the signed gap of a recovery', async () => {
    objects = await store(records, { at: 6, next: 1_000_000_007 })
    const { code, said } = await verify()
    const kid = (await checkpointKeys([secret]))[0]!.kid
    expect({ code, said }).toEqual({
      code: 0,
      said: [
        `The checkpoints have the key ${kid}. Compare it with https://accounts.acme.com/api/auth/audit-keys`,
        'Lost: records from 2026-02-01T00:00:00.000Z until the recovery of 2026-02-02T00:00:00.000Z, which restored the database. Checkpoints of this time are not compared.',
        'Intact: 9 records of the deployment, and the chains of organizations (1).\n',
      ].join('\n'),
    })
    expect((await verify('--organization', 'acme')).said).toContain('Intact: 4 records of organization acme.')
  })

  it('a number that is missing without a signed gap is a problem', async () => {
    const [kept] = await execute('SELECT token FROM audit_checkpoints')
    await execute('DELETE FROM audit_checkpoints')
    expect(await verify()).toMatchObject({
      code: 2,
      said: expect.stringMatching(/Records 8 to 1000000006 of the deployment were removed\./),
    })
    await execute(
      `INSERT INTO audit_checkpoints (chain, token, created_at) VALUES ('', ${literal(String(kept!.token))}, 1)`,
    )
  })

  it('exports the records of a user from both places', async () => {
    await execute(
      "INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('ada', 'Ada', 'ada@acme.com', 0, 0)",
    )
    const { code, said } = await product.run('export', '--user', 'ada', '--out', 'ada.json')
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('archive: read back to 1970-01-01') })
    const { auditRecords } = JSON.parse(product.read('ada.json')) as { auditRecords: { id: string }[] }
    expect(auditRecords.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort())
  })

  it('names the records of an object that is damaged or missing', async () => {
    await put(objects[1]!, 'other bytes')
    const damaged = await verify()
    expect(damaged.code).toBe(2)
    expect(damaged.said).toContain(
      `Records 4 to 6 of the deployment were lost or changed in the archive: the object ${objects[1]}`,
    )
    await product.wrangler('r2', 'object', 'delete', `${bucket}/${objects[1]}`, '--local')
    expect((await verify()).said).toContain('Records 4 to 6 of the deployment were lost or changed in the archive')
    expect(await product.run('export', '--user', 'ada', '--out', 'again.json')).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        `The object ${objects[1]} of the archive is missing or damaged.\nNext: put it back`,
      ),
    })
    expect(existsSync(product.path('again.json'))).toBe(false)
  })
})

describe('gatehouse backup and restore with r2:', () => {
  const place = 'r2:backups/2026-11-28.ndjson.gz'

  it('writes an object, and restores it into an empty deployment', async () => {
    await execute(
      `INSERT INTO jwks (id, alg, generation, public_key, private_key, created_at, signs_from) VALUES ('k', 'EdDSA', 1, '{}', '${await seal([secret], 'private')}', 1, 2)`,
    )
    await execute('DELETE FROM audit_segments; DELETE FROM audit_segment_parts; DELETE FROM audit_chains')
    const before = await execute(
      'SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM audit_records) AS records',
    )
    const { code, said } = await product.run('backup', place)
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining(`${place}: complete.`) })
    // The file on this machine is gone, and the object is there.
    const local = product.path('.gatehouse-backups-2026-11-28.ndjson.gz')
    expect(existsSync(local)).toBe(false)
    await product.wrangler('r2', 'object', 'get', place.slice(3), '--file', 'copy.gz', '--local')
    expect(gunzipSync(readFileSync(product.path('copy.gz'))).toString()).toContain('ada@acme.com')
    await execute('DELETE FROM users; DELETE FROM audit_records; DELETE FROM audit_checkpoints')
    const restored = await product.run('restore', place)
    expect(restored).toMatchObject({ code: 0, said: expect.stringContaining(`${place}: intact, of `) })
    expect(
      await execute('SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM audit_records) AS records'),
    ).toEqual(before)
    expect(existsSync(local)).toBe(false)
  })

  it('names a missing object, and refuses a place without a key', async () => {
    const missing = await product.run('restore', 'r2:backups/none.ndjson.gz')
    expect(missing).toMatchObject({
      code: 1,
      said: expect.stringContaining('check the names of the bucket and the key'),
    })
    expect(await product.run('backup', 'r2:backups')).toMatchObject({
      code: 1,
      said: expect.stringContaining('r2:backups is not an object in R2.'),
    })
  })
})
