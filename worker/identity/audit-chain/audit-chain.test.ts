import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deploymentChain } from '../../kit/audit-chain.ts'
import { readCheckpoint, type SignedCheckpoint } from '../../kit/audit-checkpoint.ts'
import { ChainVerifier, inOrganization, LogVerifier } from '../../kit/verify-audit-chain.ts'
import { administrator } from '../../testing/admins.ts'
import { env, TestApp } from '../../testing/harness.ts'
import { anotherDevice, colleague, company, someone } from '../../testing/organizations.ts'
import { count, rowsOf } from '../../testing/rows.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'
import { listChain } from './list-chain.ts'
import { sealRecords } from './seal.ts'

afterEach(() => void vi.useRealTimers())
// Between tests, rows are deleted and AUTOINCREMENT continues.
beforeEach(() => run("delete from sqlite_sequence where name = 'audit_records'"))

const config = { rateLimit: { enabled: false } }
const run = (sql: string) => env.DB.prepare(sql).run()

async function scene(more: object = {}) {
  const app = new TestApp({ ...config, ...more })
  const at = await company(app, 'acme')
  // A test lasts for weeks, longer than a session.
  const rename = async (name: string) =>
    (await anotherDevice(app, at.owner.id)).post('/organization/update', { organizationId: at.id, data: { name } })
  return { app, at, rename }
}

async function seal(app: TestApp) {
  const { scope, settle } = app.openScope()
  await sealRecords(scope)
  await settle()
}

/** A database that waits for something before each batch. */
const before = <T extends object>(connection: T, act: () => Promise<void>): T =>
  new Proxy(connection, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown
      if (typeof value !== 'function') return value
      if (key === 'withSession') return (from: string) => before(value.call(target, from), act)
      if (key !== 'batch') return value.bind(target)
      return async (...given: unknown[]) => {
        await act()
        return value.apply(target, given)
      }
    },
  })

/** The problems that a verification of the stored log finds. */
/** @param pageSize small, so that a test of a few records reads several pages */
async function problemsOf(app: TestApp, checkpoints: SignedCheckpoint[] = [], pageSize = 3) {
  const { scope, settle } = app.openScope()
  const verifier = new LogVerifier(Map.groupBy(checkpoints, ({ chain }) => chain))
  for (let after = 0, size = pageSize; size === pageSize; ) {
    const page = await listChain(scope, { organizationId: undefined, after, limit: pageSize })
    verifier.add(page)
    after = page.records.at(-1)?.seq ?? after
    size = page.records.length
  }
  await settle()
  return verifier.end().map(({ kind, chain, first, last }) => `${chain && 'organization '}${kind} ${first}-${last}`)
}

async function storedCheckpoints(chain: string): Promise<SignedCheckpoint[]> {
  const rows = (await rowsOf('audit_checkpoints')).filter((row) => row.chain === chain)
  return Promise.all(rows.map(async ({ token }) => (await readCheckpoint(token))!))
}

const linkless = async () => (await rowsOf('audit_records')).filter(({ hash }) => hash === null).length

describe('sealing', () => {
  it('links new records in order; an altered, removed or inserted record is found in the database', async () => {
    const { app, rename } = await scene()
    await someone(app, 'Olga')
    await app.runScheduled()
    expect(await linkless()).toBe(0)
    await rename('One')
    await rename('Two')
    expect(await linkless()).toBe(2)
    expect(await problemsOf(app)).toEqual([])
    await app.runScheduled()
    expect(await problemsOf(app)).toEqual([])
    const last = (await rowsOf('audit_records')).at(-1)!
    const { seq, organizationSeq } = last
    await run(`update audit_records set ip_address = '192.0.2.77' where seq = ${seq - 1}`)
    expect(await problemsOf(app)).toEqual([
      `changed ${seq - 1}-${seq - 1}`,
      `organization changed ${organizationSeq! - 1}-${organizationSeq! - 1}`,
    ])
    await run(`update audit_records set "after" = 'no JSON' where seq = ${seq - 1}`)
    expect(await problemsOf(app)).toHaveLength(2)
    await run(`delete from audit_records where seq >= ${seq - 1}`)
    expect(await problemsOf(app)).toEqual([
      `missing ${seq - 1}-${seq}`,
      `organization missing ${organizationSeq! - 1}-${organizationSeq}`,
    ])
    // Neither number is given again.
    await rename('Three')
    await app.runScheduled()
    expect(await problemsOf(app)).toEqual([
      `missing ${seq - 1}-${seq}`,
      `organization missing ${organizationSeq! - 1}-${organizationSeq}`,
    ])
  })

  it('a record that is removed before it is sealed is a missing number; a failed batch takes none', async () => {
    const { app, rename } = await scene()
    await run("create trigger fails after insert on audit_records begin select raise(abort, 'full'); end")
    expect((await rename('Failed')).status).toBeGreaterThanOrEqual(500)
    await run('drop trigger fails')
    await rename('Removed')
    const { seq } = (await rowsOf('audit_records')).at(-1)!
    await run(`delete from audit_records where seq = ${seq}`)
    await rename('Kept')
    await app.runScheduled()
    expect(await problemsOf(app)).toEqual([`missing ${seq}-${seq}`])
  })

  it('of parallel runs one links each record, and an interrupted run is continued', async () => {
    const { app, rename } = await scene()
    for (const name of ['One', 'Two', 'Three']) await rename(name)
    await Promise.all([1, 2, 3, 4, 5].map(() => seal(app)))
    expect({ linkless: await linkless(), problems: await problemsOf(app) }).toEqual({ linkless: 0, problems: [] })
    await rename('Four')
    await run("create trigger fails before update on audit_chains begin select raise(abort, 'full'); end")
    await expect(seal(app)).rejects.toThrow()
    expect(await linkless()).toBe(1)
    await run('drop trigger fails')
    await seal(app)
    expect({ linkless: await linkless(), problems: await problemsOf(app) }).toEqual({ linkless: 0, problems: [] })
  })

  it('a run that another one overtakes has no effect', async () => {
    const { app, rename } = await scene()
    let batches = 0
    const overtaken = new TestApp(config, {
      DB: before(env.DB, async () => {
        batches += 1
        // Between the read and the write.
        if (batches !== 2) return
        await rename('Two')
        await seal(app)
      }),
    })
    await seal(overtaken)
    const { seq, hash } = (await rowsOf('audit_records')).at(-1)!
    const end = (await rowsOf('audit_chains')).find(({ chain }) => chain === deploymentChain)
    expect({ batches, end }).toMatchObject({ batches: 2, end: { sealedSeq: seq, sealedHash: hash } })
    expect(await problemsOf(app)).toEqual([])
  })

  it('works through a backlog in bounded batches', async () => {
    const { app } = await scene()
    await run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 11000)
       insert into audit_records (id, created_at, action, actor_type, subject_type, organization_id, organization_seq)
       select 'r' || i, ${Date.now()}, 'x', 'system', 'user', 'o' || (i % 500), 1 + i / 500 from n`,
    )
    const records = await count('audit_records')
    await seal(app)
    expect(await linkless()).toBe(records - 10_000)
    await seal(app)
    expect(await linkless()).toBe(0)
    const { sealedSeq } = (await rowsOf('audit_chains')).find(({ chain }) => chain === deploymentChain)!
    expect(sealedSeq).toBe((await rowsOf('audit_records')).at(-1)!.seq)
  })

  it('a flood of one organization does not delay the chains of the others', async () => {
    const { app, at, rename } = await scene()
    await seal(app)
    await run(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 15000)
       insert into audit_records (id, created_at, action, actor_type, subject_type, organization_id, organization_seq)
       select 'r' || i, ${Date.now()}, 'x', 'system', 'user', 'flood', i from n`,
    )
    for (const name of ['A', 'B', 'C']) await rename(name)
    const own = (await rowsOf('audit_records')).filter(({ organizationId }) => organizationId === at.id)
    await seal(app)
    const chains = await rowsOf('audit_chains')
    expect(chains.find(({ chain }) => chain === at.id)?.sealedSeq).toBe(own.at(-1)!.organizationSeq)
    // The chain of the deployment has one order.
    expect(await linkless()).toBeGreaterThan(4000)
    expect(await problemsOf(app, [], 1000)).toEqual([])
    await seal(app)
    expect(await linkless()).toBe(0)
    expect(await problemsOf(app, [], 1000)).toEqual([])
  })
})

describe('checkpoints', () => {
  it('each chain that has continued has one within a day; with it a rewritten database is found', async () => {
    stopClock()
    const { app, at } = await scene()
    await app.runScheduled()
    expect(await count('audit_checkpoints')).toBe(0)
    passTime(86_400)
    await app.runScheduled()
    await app.runScheduled()
    const saved = await storedCheckpoints(deploymentChain)
    const [checkpoint] = saved
    expect(saved).toHaveLength(1)
    expect(checkpoint).toMatchObject({ issuer: 'http://localhost:8787', deleted: null })
    expect(await storedCheckpoints(at.id)).toHaveLength(1)
    expect(await problemsOf(app, saved)).toEqual([])
    // An attacker with the database rewrites the log: the links are consistent again.
    await run(`update audit_records set subject_id = 'other', hash = null, organization_hash = null where seq = 1`)
    await run('delete from audit_chains')
    await run('update audit_records set hash = null, organization_hash = null')
    await app.runScheduled()
    expect(await problemsOf(app)).toEqual([])
    expect(await problemsOf(app, saved)).toEqual([`rewritten 1-${checkpoint!.seq}`])
  })

  it('GET /admin/audit-checkpoints, /organization/audit-checkpoints: the present state, signed by a published key', async () => {
    const { app, at } = await scene()
    const carol = await colleague(app, at, 'Carol')
    const boss = await administrator(app)
    const own = (device = at.owner.device) =>
      device.get('/organization/audit-checkpoints', { query: { organizationId: at.id } })
    expect((await own()).body).toMatchObject({ current: null, checkpoints: [] })
    await app.runScheduled()
    const { body } = await own()
    const current = (await readCheckpoint(body.current))!
    const [{ kid }] = (await app.device().get('/audit-keys')).body.keys
    expect({ kid: current.kid, keys: body.keys.map((key: any) => key.kid), chain: current.chain }).toEqual({
      ...{ kid, keys: [kid], chain: at.id },
    })
    const all = (await boss.device.get('/admin/audit-checkpoints')).body
    expect((await readCheckpoint(all.current))!).toMatchObject({
      chain: deploymentChain,
      seq: await count('audit_records'),
    })
    expect((await own(carol.device)).status).toBe(403)
    expect((await own(boss.device)).status).toBe(403)
    expect((await at.owner.device.get('/admin/audit-checkpoints')).status).toBe(403)
    // The server API has the same.
    const server = app.serverApi()
    const listed = (await server.listAuditCheckpoints({ organizationId: at.id })) as any
    expect((await readCheckpoint(listed.result.current))!).toMatchObject({ seq: current.seq, hash: current.hash })
    const records = (await server.listAuditRecords({ organizationId: at.id, after: 1, limit: 1 })) as any
    expect(records.result.records).toMatchObject([{ organizationSeq: 2, organizationHash: expect.any(String) }])
    expect(records.result.chains.map(({ chain }: any) => chain).sort()).toEqual([deploymentChain, at.id])
    // The organization verifies its own export.
    const { body: file } = await at.owner.device.post('/organization/export-audit', {
      organizationId: at.id,
      format: 'ndjson',
    })
    const lines = (file as string).trim().split('\n').toReversed()
    const verifier = new ChainVerifier({ chain: at.id, state: null, checkpoints: [current] })
    for (const line of lines) {
      const record = JSON.parse(line)
      verifier.add(inOrganization({ ...record, organizationHash: record.hash }))
    }
    expect({ problem: verifier.end(), sealed: verifier.sealed }).toEqual({ problem: null, sealed: current.seq })
  })

  it('prove what the retention has deleted, and contradict an attacker who deletes younger records', async () => {
    stopClock()
    const { app, at, rename } = await scene({ securityLog: { auditRetention: 10 * 86_400 } })
    await app.runScheduled()
    const old = await count('audit_records')
    passTime(11 * 86_400)
    expect((await rename('Later')).status).toBe(200)
    await app.runScheduled()
    const [kept] = await rowsOf('audit_records')
    expect({ count: await count('audit_records'), seq: kept!.seq }).toEqual({ count: 1, seq: old + 1 })
    const proofs = await storedCheckpoints(deploymentChain)
    expect(proofs.at(-1)!.deleted).toMatchObject({ seq: old })
    expect((await storedCheckpoints(at.id)).at(-1)!.deleted).toMatchObject({ seq: kept!.organizationSeq! - 1 })
    expect(await problemsOf(app, proofs)).toEqual([])
    expect(await problemsOf(app)).toEqual([`unproven-deletion 1-${old}`])
    passTime(2 * 86_400)
    await app.runScheduled()
    expect((await rename('Latest')).status).toBe(200)
    passTime(2 * 86_400)
    await app.runScheduled()
    const [first, second] = await rowsOf('audit_records')
    const honest = await storedCheckpoints(deploymentChain)
    expect(await problemsOf(app, honest)).toEqual([])
    await run(`delete from audit_records where seq = ${first!.seq}`)
    await run(`delete from audit_records where seq = ${second!.seq}`)
    await run(
      `update audit_chains set deleted_seq = ${second!.seq}, deleted_hash = '${second!.hash}', checkpoint_due = 1 where chain = ''`,
    )
    await app.runScheduled()
    const all = await storedCheckpoints(deploymentChain)
    expect(all.at(-1)!.deleted!.seq).toBe(second!.seq)
    expect(await problemsOf(app, all)).toEqual([expect.stringMatching(/^early-deletion/)])
  })
})
