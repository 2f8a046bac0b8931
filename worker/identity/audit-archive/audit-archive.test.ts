import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deploymentChain } from '../../kit/audit-chain.ts'
import { readCheckpoint } from '../../kit/audit-checkpoint.ts'
import { provenErasures } from '../../kit/audit-erasure.ts'
import { ChainVerifier, inOrganization, LogVerifier } from '../../kit/verify-audit-chain.ts'
import type { Env } from '../../platform/env.ts'
import { administrator } from '../../testing/admins.ts'
import { FaultInjector } from '../../testing/faults.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { anotherDevice, company } from '../../testing/organizations.ts'
import { count, rowsOf } from '../../testing/rows.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'
import { listChain } from '../audit-chain/list-chain.ts'
import { archiveRecords, segmentLimits } from './archive-records.ts'
import { pageLimits } from './archived-page.ts'
import { deleteEndedObjects } from './clean.ts'
import { decodeSegment, prefixOf } from './segment-file.ts'

const bucket = env.ARCHIVE!
const limits = { ...segmentLimits }
const ofPage = { ...pageLimits }
const day = 86_400

beforeEach(async () => {
  stopClock()
  // Between tests, rows are deleted and AUTOINCREMENT continues.
  await env.DB.prepare("delete from sqlite_sequence where name = 'audit_records'").run()
})
afterEach(() => {
  Object.assign(segmentLimits, limits)
  Object.assign(pageLimits, ofPage)
  vi.useRealTimers()
})

/** Records of two organizations and of the deployment, sealed and older than `audit.hotDays`; then newer ones. */
async function scene(more: object = {}, bindings: Partial<Env> = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, ...more }, bindings)
  const acme = await company(app, 'acme')
  const other = await company(app, 'other')
  const rename = async (at: typeof acme, name: string) =>
    (await anotherDevice(app, at.owner.id)).post('/organization/update', { organizationId: at.id, data: { name } })
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) {
    await rename(acme, `Acme ${name}`)
    await rename(other, `Other ${name}`)
  }
  await app.runScheduled()
  const old = await count('audit_records')
  passTime(31 * day)
  return { app, acme, other, rename, old }
}

async function inScope<T>(app: TestApp, work: (scope: ReturnType<TestApp['openScope']>['scope']) => Promise<T>) {
  const { scope, settle } = app.openScope()
  try {
    return await work(scope)
  } finally {
    await settle()
  }
}

const objects = async () => (await bucket.list()).objects.map(({ key }) => key)

async function problemsOf(app: TestApp, organizationId?: string) {
  const tokens = await rowsOf('audit_checkpoints')
  const checkpoints = await Promise.all(tokens.map(async ({ token }) => (await readCheckpoint(token))!))
  const byChain = Map.groupBy(checkpoints, ({ chain }) => chain)
  const log = new LogVerifier(byChain)
  let own: ChainVerifier | null = null
  for (let after = 0, isLast = false; !isLast; ) {
    const page = await inScope(app, (scope) => listChain(scope, { organizationId, after, limit: 3 }))
    const last = page.records.at(-1)
    const erasures = await provenErasures(page.records)
    if (organizationId === undefined) log.add({ ...page, erasures })
    else {
      const state = page.chains.find(({ chain }) => chain === organizationId)
      if (!state) break
      own ??= new ChainVerifier({ chain: organizationId, state, checkpoints: byChain.get(organizationId) ?? [] })
      own.continueTo(state)
      for (const record of page.records)
        own.add(inOrganization({ ...record, organizationSeq: record.organizationSeq! }, erasures))
      if (page.damaged) own.addDamaged(page.damaged)
    }
    after = (organizationId === undefined ? last?.seq : last?.organizationSeq) ?? after
    isLast = page.isLast
  }
  const problem = own?.end()
  return { problems: own ? (problem ? [problem] : []) : log.end(), sealed: own ? own.sealed : log.counts.sealed }
}

/** Every record of D1 and of the bucket, by number. */
async function everywhere() {
  const stored = await rowsOf('audit_records')
  const archived = []
  for (const { object } of await rowsOf('audit_segments')) {
    if (object) archived.push(...decodeSegment(new Uint8Array(await (await bucket.get(object))!.arrayBuffer())))
  }
  return [...archived.map(({ seq }) => seq), ...stored.map(({ seq }) => seq)]
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('records older than audit.hotDays', () => {
  it('move to segments, with their links, count and hash, and leave D1 with them', async () => {
    segmentLimits.records = 4
    const { app, acme, rename, old } = await scene()
    const rows = await rowsOf('audit_records')
    await rename(acme, 'New')
    await app.runScheduled()
    const segments = await rowsOf('audit_segments')
    expect(segments.length).toBe(Math.ceil(old / 4))
    expect(await objects()).toEqual(segments.map(({ object }) => object))
    expect(segments[0]).toMatchObject({ firstSeq: 1, lastSeq: 4, records: 4, state: 'stored', hash: rows[3]!.hash })
    expect(segments[0]!.object).toMatch(/^audit\/deployment\/000000000001-000000000004\.[0-9a-f]{16}\.ndjson\.gz$/)
    const stored = (await bucket.get(segments[0]!.object))!
    const bytes = new Uint8Array(await stored.arrayBuffer())
    expect(Buffer.from(stored.checksums.sha256!).toString('hex')).toBe(segments[0]!.sha256)
    const expected = rows.slice(0, 4).map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
    expect(decodeSegment(bytes)).toEqual(expected)
    const last = (await rowsOf('audit_records')).at(-1)!.seq
    expect(last).toBeGreaterThan(old)
    expect((await rowsOf('audit_records')).every(({ seq }) => seq > old)).toBe(true)
    expect(await everywhere()).toEqual(upTo(last))
    expect((await problemsOf(app)).problems).toEqual([])
    expect((await problemsOf(app, acme.id)).problems).toEqual([])
  })

  it('stay without the bucket', async () => {
    const { app, old } = await scene({}, { ARCHIVE: undefined as never })
    await app.runScheduled()
    expect(await count('audit_records')).toBe(old)
    expect(await count('audit_segments')).toBe(0)
  })

  it('stay in D1 until they are sealed', async () => {
    const { app } = await scene()
    await env.DB.prepare('update audit_records set hash = null where seq = (select max(seq) from audit_records)').run()
    const last = await count('audit_records')
    await inScope(app, archiveRecords)
    expect((await rowsOf('audit_records')).map(({ seq }) => seq)).toEqual([last])
  })

  it('a stop at any call loses nothing and writes no segment twice', async () => {
    segmentLimits.records = 2
    const { app, old } = await scene()
    const faults = new FaultInjector()
    const failing = new TestApp({ rateLimit: { enabled: false } }, faults.bindings(), false)
    const stops = new Set<string>()
    for (let run = 0; run < 60 && (await count('audit_records')) > 0; run++) {
      faults.arm({ at: 1 + (run % 10), when: run % 20 < 10 ? 'before' : 'after' })
      const failure = await inScope(failing, archiveRecords).then(
        () => null,
        (thrown: Error) => thrown,
      )
      if (failure) stops.add(faults.calls.at(-1)!)
      expect(await everywhere()).toEqual(upTo(old))
      const begun = (await rowsOf('audit_segments')).map((segment) => prefixOf(segment))
      const written = (await objects()).map((name) => name.replace(/[^.]*\.ndjson\.gz$/, ''))
      expect(begun).toEqual(expect.arrayContaining(written))
      expect(new Set(written).size).toBe(written.length)
    }
    expect([...stops]).toEqual(expect.arrayContaining(['R2 put', 'R2 get', 'D1 batch']))
    expect(await count('audit_records')).toBe(0)
    expect(await objects()).toHaveLength(old / 2)
    expect((await problemsOf(app)).problems).toEqual([])
  })

  it('several runs at once write each segment once', async () => {
    segmentLimits.records = 5
    const { app, old } = await scene()
    await Promise.all([1, 2, 3, 4].map(() => inScope(app, archiveRecords)))
    await inScope(app, archiveRecords)
    expect(await everywhere()).toEqual(upTo(old))
    expect(await objects()).toHaveLength(Math.ceil(old / 5))
    expect((await problemsOf(app)).problems).toEqual([])
  })

  it('a run has a maximum of segments, and the next one continues', async () => {
    segmentLimits.records = 2
    const { app, old } = await scene()
    await inScope(app, archiveRecords)
    expect(await count('audit_records')).toBe(old - 10)
    await inScope(app, archiveRecords)
    await inScope(app, archiveRecords)
    expect(await everywhere()).toEqual(upTo(old))
  })
})

describe('a verification', () => {
  it.each(['changed', 'deleted'])('names an object that was %s', async (how) => {
    segmentLimits.records = 5
    const { app, acme } = await scene()
    await app.runScheduled()
    const [, second] = await rowsOf('audit_segments')
    const { object } = second!
    const bytes = new Uint8Array(await (await bucket.get(object))!.arrayBuffer())
    bytes[bytes.length - 9]! ^= 1
    await (how === 'changed' ? bucket.put(object, bytes) : bucket.delete(object))
    expect((await problemsOf(app)).problems).toMatchObject([
      { kind: 'damaged', chain: deploymentChain, first: second!.firstSeq, last: second!.lastSeq, object },
    ])
    if (how === 'deleted')
      expect((await problemsOf(app, acme.id)).problems).toMatchObject([{ kind: 'damaged', object }])
    const boss = await administrator(app)
    const statuses = new Set<number>()
    for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 10; pages++) {
      const { status, body }: any = await boss.device.get('/admin/audit', {
        query: { limit: '5', ...(cursor && { cursor }) },
      })
      statuses.add(status)
      cursor = body.nextCursor ?? null
    }
    expect([...statuses]).toContain(503)
  })

  it('finds a record that an attacker has changed in an object and its row', async () => {
    const { app } = await scene()
    await app.runScheduled()
    const { encodeSegment } = await import('./segment-file.ts')
    const [segment] = await rowsOf('audit_segments')
    const records = decodeSegment(new Uint8Array(await (await bucket.get(segment!.object))!.arrayBuffer()))
    records[2] = { ...records[2]!, actorId: 'mallory' }
    const { bytes, sha256 } = encodeSegment(records)
    await bucket.put(segment!.object, bytes)
    await env.DB.prepare('update audit_segments set sha256 = ?').bind(sha256).run()
    expect((await problemsOf(app)).problems[0]).toMatchObject({ kind: 'changed', first: 3, last: 3 })
  })
})

describe('readers', () => {
  async function pagesOf(read: (cursor: string | undefined) => Promise<any>) {
    const entries: any[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const { status, body, io } = await read(cursor)
      expect(status).toBe(200)
      expect(io.r2[0]).toBeLessThanOrEqual(4)
      expect(body.searchedTo === null).toBe(body.nextCursor === null)
      entries.push(...body.entries)
      cursor = body.nextCursor ?? undefined
      pages++
    } while (cursor !== undefined && pages < 100)
    return { entries, pages }
  }

  it.each([1, 3, 7, 200])('page across the border without a gap or a duplicate: %i at a time', async (limit) => {
    segmentLimits.records = 4
    const { app, acme, rename } = await scene()
    await app.runScheduled()
    await rename(acme, 'New')
    const boss = await administrator(app)
    const last = (await rowsOf('audit_records')).at(-1)!.seq
    const all = await pagesOf((cursor) =>
      boss.device.get('/admin/audit', { query: { limit: String(limit), ...(cursor && { cursor }) } }),
    )
    expect(all.entries.map(({ seq }) => seq)).toEqual(upTo(last).reverse())
    const owner = await anotherDevice(app, acme.owner.id)
    const own = await pagesOf((cursor) =>
      owner.get('/organization/audit', {
        query: { organizationId: acme.id, limit: String(limit), ...(cursor && { cursor }) },
      }),
    )
    expect(own.entries.map(({ organizationSeq }) => organizationSeq)).toEqual(upTo(own.entries.length).reverse())
    expect(own.entries.at(-1)).toMatchObject({ organizationId: acme.id, actorName: expect.any(String) })
    expect(own.entries.length).toBeGreaterThan(3)
  })

  it('an organization reads the bytes of its own records alone', async () => {
    const { app, acme, other } = await scene()
    await app.runScheduled()
    const reads: [string, R2GetOptions | undefined][] = []
    const watched = new Proxy(bucket, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown
        if (typeof value !== 'function') return value
        if (key !== 'get') return value.bind(target)
        return (name: string, options?: R2GetOptions) => {
          reads.push([name, options])
          return bucket.get(name, options)
        }
      },
    })
    const watching = new TestApp({ rateLimit: { enabled: false } }, { ARCHIVE: watched })
    const owner = await anotherDevice(watching, acme.owner.id)
    reads.length = 0
    const { body } = await owner.get('/organization/audit', { query: { organizationId: acme.id, limit: '200' } })
    expect(body.entries.length).toBeGreaterThan(3)
    expect(reads).toHaveLength(1)
    const [name, options] = reads[0]!
    const bytes = new Uint8Array(await (await bucket.get(name, options))!.arrayBuffer())
    const records = decodeSegment(bytes)
    expect(new Set(records.map(({ organizationId }) => organizationId))).toEqual(new Set([acme.id]))
    expect(JSON.stringify(records)).not.toContain(other.id)
  })

  it('filter and search the archive within bounds, and state how far', async () => {
    segmentLimits.records = 2
    pageLimits.objects = 2
    const { app, acme, old } = await scene()
    for (let run = 0; run < 5; run++) await inScope(app, archiveRecords)
    const boss = await administrator(app)
    const first = await boss.device.get('/admin/audit', { query: { search: 'acme one' } })
    expect(first.body).toMatchObject({ nextCursor: expect.any(String), searchedTo: expect.any(String) })
    const found = await pagesOf((cursor) =>
      boss.device.get('/admin/audit', { query: { search: 'acme one', ...(cursor && { cursor }) } }),
    )
    expect(found.entries.length).toBeGreaterThan(0)
    expect(found.entries.every((one) => JSON.stringify(one).toLowerCase().includes('acme one'))).toBe(true)
    expect(found.pages).toBeGreaterThan(2)
    for (const query of [
      { actorId: acme.owner.id, action: 'organization.update' },
      { userId: acme.id, action: 'organization.update,organization.create' },
      { userId: acme.id, search: 'TWO' },
    ]) {
      const expected = (await archivedRecords()).filter(
        (one) =>
          (!query.actorId || one.actorId === query.actorId) &&
          (!query.userId || one.subjectId === query.userId) &&
          (!query.action || query.action.split(',').includes(one.action)) &&
          (!query.search || JSON.stringify(one).toUpperCase().includes(query.search)),
      )
      const { entries } = await pagesOf((cursor) =>
        boss.device.get('/admin/audit', { query: { ...query, ...(cursor && { cursor }) } as never }),
      )
      const ids = entries.map(({ id }) => id)
      expect(expected.length).toBeGreaterThan(0)
      expect(ids).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
      expect(new Set(ids).size).toBe(ids.length)
    }
    const until = new Date(Date.now() - 30 * day * 1000).toISOString()
    const { entries } = await pagesOf((cursor) =>
      boss.device.get('/admin/audit', { query: { until, limit: '200', ...(cursor && { cursor }) } }),
    )
    expect(entries).toHaveLength(old)
  })

  it('an export has the records of both places', async () => {
    segmentLimits.records = 3
    const { app, acme } = await scene()
    for (let run = 0; run < 3; run++) await inScope(app, archiveRecords)
    const owner = await anotherDevice(app, acme.owner.id)
    const { body } = await owner.post('/organization/export-audit', { organizationId: acme.id, format: 'ndjson' })
    const numbers = (body as string)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).organizationSeq)
    expect(numbers).toEqual(upTo(numbers[0]).reverse())
  })
})

const archivedRecords = async () => {
  const names = await objects()
  const files = await Promise.all(names.map(async (name) => (await bucket.get(name))!.arrayBuffer()))
  return files.flatMap((file) => decodeSegment(new Uint8Array(file)))
}

describe('the retention', () => {
  it('deletes whole segments, with the checkpoint that proves it', async () => {
    segmentLimits.records = 5
    const { app, acme, rename, old } = await scene({ securityLog: { auditRetention: 60 * day } })
    await app.runScheduled()
    await rename(acme, 'Later')
    await app.runScheduled()
    passTime(31 * day)
    await app.runScheduled()
    expect(await objects()).toHaveLength(1)
    await app.runScheduled()
    const [kept] = await rowsOf('audit_segments')
    expect(kept).toMatchObject({ firstSeq: old + 1 })
    const { problems, sealed } = await problemsOf(app)
    expect(problems).toEqual([])
    expect(sealed).toBeGreaterThan(0)
    expect((await problemsOf(app, acme.id)).problems).toEqual([])
    await env.DB.prepare('delete from audit_checkpoints').run()
    expect((await problemsOf(app)).problems).toMatchObject([{ kind: 'unproven-deletion', first: 1, last: old }])
  })

  it('deletes an object again that a lock of the bucket keeps', async () => {
    const { app } = await scene({ securityLog: { auditRetention: 60 * day } })
    await app.runScheduled()
    passTime(31 * day)
    const faults = new FaultInjector()
    const locked = new TestApp(
      { rateLimit: { enabled: false }, securityLog: { auditRetention: 60 * day } },
      faults.bindings(),
      false,
    )
    faults.outage('R2 delete')
    await locked.runScheduled()
    faults.watch()
    expect(await objects()).toHaveLength(1)
    expect(await rowsOf('audit_segments')).toMatchObject([{ state: 'ended' }])
    expect((await problemsOf(app)).problems).toEqual([])
    await inScope(app, deleteEndedObjects)
    expect(await objects()).toEqual([])
    expect(await count('audit_segments')).toBe(0)
  })

  it('is 90 days without the bucket, and 400 with it', async () => {
    const { app, old } = await scene({}, { ARCHIVE: undefined as never })
    passTime(50 * day)
    await app.runScheduled()
    expect(await count('audit_records')).toBe(old)
    passTime(20 * day)
    await app.runScheduled()
    expect(await count('audit_records')).toBe(0)
    const archiving = new TestApp({ rateLimit: { enabled: false } })
    await company(archiving, 'more')
    await archiving.runScheduled()
    passTime(100 * day)
    await archiving.runScheduled()
    expect(await objects()).toHaveLength(1)
    passTime(301 * day)
    await archiving.runScheduled()
    expect(await objects()).toEqual([])
  })

  it('deletes nothing while the bucket of an archive is not bound', async () => {
    const { app, acme, rename } = await scene()
    await app.runScheduled()
    await rename(acme, 'Later')
    await app.runScheduled()
    passTime(1000 * day)
    const without = new TestApp({ rateLimit: { enabled: false } }, { ARCHIVE: undefined as never })
    const before = await count('audit_records')
    await without.runScheduled()
    expect(await count('audit_records')).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})

describe('audit.eraseDeletedUsers', () => {
  const erasing = { audit: { eraseDeletedUsers: true } }

  async function erased() {
    segmentLimits.records = 4
    const at = await scene(erasing)
    const { app, acme } = at
    for (let run = 0; run < 2; run++) await app.runScheduled()
    const address = (await archivedRecords()).find(({ actorId }) => actorId === acme.owner.id)!.ipAddress!
    await company(app, 'third')
    await app.serverApi().deleteUser({ userId: acme.owner.id })
    expect(await count('audit_erasures')).toBe(1)
    for (let run = 0; run < 6; run++) await app.runScheduled()
    return { ...at, address }
  }

  it('removes the personal data of a deleted user from the archive; both chains remain verifiable', async () => {
    const { app, acme, other } = await erased()
    const records = await archivedRecords()
    const own = records.filter(({ actorId }) => actorId === acme.owner.id)
    expect(own.length).toBeGreaterThan(3)
    for (const record of own) {
      expect(record).toMatchObject({ ipAddress: null, userAgent: null, erased: expect.any(String) })
    }
    expect(records.filter(({ actorId }) => actorId === other.owner.id).every(({ ipAddress }) => ipAddress)).toBe(true)
    // Objects from before are deleted, and the records in D1 wait.
    expect(await objects()).toHaveLength(await count('audit_segments'))
    expect(await rowsOf('audit_segments')).toEqual(
      (await rowsOf('audit_segments')).map((row) => ({ ...row, state: 'stored', oldObjects: [] })),
    )
    expect(await count('audit_erasures')).toBe(1)
    expect((await problemsOf(app)).problems).toEqual([])
    expect((await problemsOf(app, acme.id)).problems).toEqual([])
    passTime(31 * day)
    for (let run = 0; run < 4; run++) await app.runScheduled()
    expect(await count('audit_erasures')).toBe(0)
    expect((await problemsOf(app)).problems).toEqual([])
  })

  it('is a proof of the deployment: an attacker who empties a field has none', async () => {
    const { app, other } = await erased()
    const { encodeSegment } = await import('./segment-file.ts')
    const segments = await rowsOf('audit_segments')
    for (const segment of segments) {
      const records = decodeSegment(new Uint8Array(await (await bucket.get(segment.object))!.arrayBuffer()))
      const at = records.findIndex(({ actorId }) => actorId === other.owner.id)
      if (at < 0) continue
      const proof = records.find((record) => record.erased)?.erased
      records[at] = { ...records[at]!, ipAddress: null, ...(proof && { erased: proof }) }
      const { bytes, sha256 } = encodeSegment(records)
      await bucket.put(segment.object, bytes)
      await env.DB.prepare('update audit_segments set sha256 = ? where first_seq = ?')
        .bind(sha256, segment.firstSeq)
        .run()
      expect((await problemsOf(app)).problems[0]).toMatchObject({ kind: 'changed', first: records[at]!.seq })
      return
    }
    expect.unreachable()
  })

  it('covers what is left of the record', async () => {
    const { app } = await erased()
    const { encodeSegment } = await import('./segment-file.ts')
    const [segment] = await rowsOf('audit_segments')
    const records = decodeSegment(new Uint8Array(await (await bucket.get(segment!.object))!.arrayBuffer()))
    const at = records.findIndex((record) => record.erased)
    records[at] = { ...records[at]!, subjectId: 'mallory' }
    const { bytes, sha256 } = encodeSegment(records)
    await bucket.put(segment!.object, bytes)
    expect((await problemsOf(app)).problems).toMatchObject([{ kind: 'damaged', object: segment!.object }])
    const { firstSeq } = segment!
    await env.DB.prepare('update audit_segments set sha256 = ? where first_seq = ?').bind(sha256, firstSeq).run()
    expect((await problemsOf(app)).problems[0]).toMatchObject({ kind: 'changed', first: records[at]!.seq })
  })
})
