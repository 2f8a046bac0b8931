import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { administrator, plain } from '../../../testing/admins.ts'
import { env, TestApp } from '../../../testing/harness.ts'
import { colleague, company } from '../../../testing/organizations.ts'
import { ok, outsideSystem, recordsIn } from '../../../testing/outside-system.ts'
import { rowsOf } from '../../../testing/rows.ts'
import { addUser, verifyAddresses } from '../../../testing/states.ts'
import { passTime, stopClock } from '../../../testing/two-factor.ts'

beforeEach(() => {
  stopClock()
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const toUrl = { type: 'http', url: 'https://siem.acme.example.org/audit' }

async function scene(config: object = {}) {
  const app = new TestApp({ rateLimit: { enabled: false }, session: { freshAge: 1_000_000 }, ...config } as Config)
  const root = await administrator(app)
  const post = (name: string, body: object = {}) => root.device.post(`/admin/${name}`, body)
  const create = async (sink: object = toUrl, more: object = {}) =>
    (await post('create-audit-stream', { name: 'SIEM', sink, from: 'beginning', ...more })).body
  const list = async () => (await root.device.get('/admin/audit-streams')).body.streams
  return { app, root, post, create, list }
}

const allRecords = async () => (await rowsOf('audit_records')) as any[]

describe('a stream of the deployment', () => {
  it('gets each record of the deployment in order, a minute after it was written, with its links', async () => {
    const { app, root, create, list } = await scene()
    const system = outsideSystem(ok)
    const { id, secret } = await create()
    expect(secret).toMatch(/^whsec_/)
    const at = await company(app, 'acme')
    const person = await plain(app, { name: 'Mallory', email: 'mallory@example.com', password: 'x' })
    const ban = { userId: person.id, banReason: 'spam' }
    expect((await root.device.post('/admin/ban-user', ban)).status).toBe(200)
    // Nothing is sent before it is sealed.
    expect(await list()).toMatchObject([{ id, waiting: (await allRecords()).length, lastDeliveredAt: null }])
    await app.runEachMinute()
    const all = await allRecords()
    const sent = system.received.flatMap(recordsIn)
    expect(sent.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq))
    expect(sent.map(({ hash }) => hash)).toEqual(all.map(({ hash }) => hash))
    expect(sent.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
    expect(sent.find(({ organizationId }) => organizationId === at.id)).toMatchObject({
      organizationSeq: 1,
      organizationHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    // An organization does not see who the administrator is; the deployment does.
    expect(sent.find(({ action }) => action === 'ban-user')).toMatchObject({ actorId: root.id, actorName: 'Root' })
    expect(JSON.parse(system.received[0]!.body).data.organizationId).toBe(null)
    expect(await list()).toMatchObject([{ waiting: 0, lastFailure: null, lastDeliveredAt: expect.any(String) }])
    const requests = system.received.length
    await app.runEachMinute()
    expect(system.received).toHaveLength(requests)
  })

  it('exists without organizations, and is paused, tested and deleted by administrators', async () => {
    const { app, post, create, list } = await scene({ organization: { enabled: false } })
    const system = outsideSystem(ok)
    const { id } = await create()
    expect((await post('test-audit-stream', { streamId: id })).body).toEqual({ failure: null })
    expect(recordsIn(system.received[0]!)).toMatchObject([{ action: 'audit-stream-test', organizationId: null }])
    const paused = await post('update-audit-stream', { streamId: id, state: 'paused', name: 'Archive' })
    expect(paused.body).toMatchObject({ name: 'Archive', state: 'paused' })
    await app.runEachMinute()
    expect(system.received).toHaveLength(1)
    expect((await post('delete-audit-stream', { streamId: id })).status).toBe(200)
    expect((await post('delete-audit-stream', { streamId: id })).body.code).toBe('AUDIT_STREAM_NOT_FOUND')
    expect(await list()).toEqual([])
    const acts = (await allRecords()).filter(({ subjectId }) => subjectId === id)
    expect(acts.map(({ action, organizationId }) => [action, organizationId])).toEqual([
      ['admin.create-audit-stream', null],
      ['admin.update-audit-stream', null],
      ['admin.delete-audit-stream', null],
    ])
  })

  it('is not one of an organization, and only administrators with the permission change it', async () => {
    const { app, post, create } = await scene({
      admin: { roles: { reader: { audit: ['list'] } }, adminRoles: ['admin'] },
    })
    outsideSystem(ok)
    const { id } = await create()
    const at = await company(app, 'acme')
    const { device } = at.owner
    const own = (
      await device.post('/organization/create-audit-stream', { organizationId: at.id, name: 'A', sink: toUrl })
    ).body
    for (const path of ['update', 'delete', 'test']) {
      const given = { organizationId: at.id, streamId: id }
      expect((await device.post(`/organization/${path}-audit-stream`, given)).body.code).toBe('AUDIT_STREAM_NOT_FOUND')
      expect((await post(`${path}-audit-stream`, { streamId: own.id })).body.code).toBe('AUDIT_STREAM_NOT_FOUND')
    }
    const { device: member } = await colleague(app, at, 'Carol')
    expect((await member.get('/admin/audit-streams')).body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG')
    const refused = await member.post('/admin/delete-audit-stream', { streamId: id })
    expect(refused.body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_CHANGE_AUDIT_STREAMS')
  })

  it('is paused after days of failures, with a mail to the administrators, once a day', async () => {
    const { app, create, post, list } = await scene({ audit: { streamGiveUpAfter: 3600 } })
    const proven = { role: 'admin', emailVerified: true }
    await verifyAddresses({ email: 'root@example.com' })
    const others = { 'banned@example.com': { banned: true }, 'unproven@example.com': { emailVerified: false } }
    for (const [email, more] of Object.entries(others)) await addUser({ ...proven, email, ...more })
    await addUser({ ...proven, email: 'expired@example.com', banned: true, banExpires: new Date(0) })
    await plain(app, { name: 'Mallory', email: 'mallory@example.com', password: 'x' })
    outsideSystem(() => new Response('no', { status: 403 }))
    const { id } = await create()
    const mails = async () => (await app.mailbox()).filter(({ subject }) => subject.includes('is not sent any more'))
    const failUntilPaused = async () => {
      for (let time = 0; time < 4; time++) {
        await app.runScheduled()
        passTime(3600)
      }
      expect(await list()).toMatchObject([{ state: 'paused' }])
    }
    await failUntilPaused()
    const sent = await mails()
    expect(sent.map(({ to }) => to).sort()).toEqual(['expired@example.com', 'root@example.com'])
    expect(sent[0]).toMatchObject({ subject: 'The audit log of Gatehouse is not sent any more' })
    expect(sent[0]!.text).toContain('/admin/audit/streams')
    expect((await post('update-audit-stream', { streamId: id, state: 'active' })).status).toBe(200)
    await failUntilPaused()
    expect(await mails()).toHaveLength(2)
    passTime(86_400)
    expect((await post('update-audit-stream', { streamId: id, state: 'active' })).status).toBe(200)
    await failUntilPaused()
    expect(await mails()).toHaveLength(4)
  })

  it('has an address at one of the configured ports', async () => {
    const addressed = (port: string) => ({ type: 'splunk', url: `https://inputs.acme.example.org${port}` })
    const { create } = await scene()
    for (const port of ['', ':443', ':8088'])
      expect((await create(addressed(port), { secret: 't' })).state).toBe('active')
    for (const port of [':22', ':8089'])
      expect((await create(addressed(port), { secret: 't' })).code).toBe('INVALID_AUDIT_STREAM_ADDRESS')
  })
})

describe('the cron trigger of each minute', () => {
  it('wakes many streams and sends as much as its budget allows; the next runs send the rest', async () => {
    const { app, create } = await scene()
    const system = outsideSystem(ok)
    const { id } = await create()
    const streams = 60
    for (let n = 1; n < streams; n++)
      await env.DB.prepare(
        `insert into audit_streams (id, name, sink, secret, format, state, cursor, created_at)
         select ?, name, sink, secret, format, state, cursor, created_at from audit_streams where id = ?`,
      )
        .bind(`copy${n}`, id)
        .run()
    const served: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      await app.runEachMinute()
      served.push(new Set(system.received.map(({ headers }) => headers.get('webhook-id'))).size)
    }
    expect(served).toEqual([24, 48, 60])
    expect(system.received).toHaveLength(streams)
  })
})
