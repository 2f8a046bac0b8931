import { runInDurableObject } from 'cloudflare:test'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { administrator } from '../../testing/admins.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { colleague, company, someone } from '../../testing/organizations.ts'
import { rowsOf } from '../../testing/rows.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

afterEach(() => void vi.useRealTimers())

const unlimited = { rateLimit: { enabled: false } }
const actionsOf = (entries: { action: string }[]) => entries.map(({ action }) => action)

async function scene() {
  const app = new TestApp(unlimited)
  const at = await company(app, 'acme')
  const carol = await colleague(app, at, 'Carol')
  const read = async (query: Record<string, string> = {}, device = at.owner.device) =>
    (await device.get('/organization/audit', { query: { organizationId: at.id, ...query } })) as any
  return { app, at, carol, read }
}

describe('GET /organization/audit', () => {
  it('200: who did what to whom, with the values before and after, newest first, numbered from 1', async () => {
    const { at, carol, read } = await scene()
    const change = { organizationId: at.id, memberId: carol.member, role: 'admin' }
    expect((await at.owner.device.post('/organization/update-member-role', change)).status).toBe(200)
    const { status, body, io } = await read()
    expect({ status, d1: io.d1[0] <= 2 }).toEqual({ status: 200, d1: true })
    expect(body.entries[0]).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      action: 'organization.update-member-role',
      actorType: 'user',
      actorId: at.owner.id,
      actorName: expect.any(String),
      actorVia: null,
      onBehalfOf: null,
      subjectType: 'user',
      subjectId: carol.id,
      subjectName: 'Carol',
      organizationId: at.id,
      organizationSeq: body.entries.length,
      hash: null,
      ipAddress: at.owner.device.ip,
      userAgent: 'harness/1.0',
      requestId: expect.any(String),
      before: { role: 'member' },
      after: { role: 'admin' },
    })
    expect(body.entries.map(({ organizationSeq }: any) => organizationSeq)).toEqual(
      body.entries.map((_: unknown, n: number) => body.entries.length - n),
    )
    expect(actionsOf(body.entries)).toEqual(
      expect.arrayContaining(['organization.create', 'organization.invite-member', 'organization.accept-invitation']),
    )
    expect(actionsOf((await read({ search: 'ROLE":"ADMIN' })).body.entries)).toEqual([
      'organization.update-member-role',
    ])
    expect(actionsOf((await read({ action: 'organization.create' })).body.entries)).toEqual(['organization.create'])
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: any = (await read({ limit: '1', ...(cursor ? { cursor } : {}) })).body
      walked.push(...actionsOf(page.entries))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(actionsOf(body.entries))
    expect((await read({ cursor: 'x' })).status).toBe(400)
  })

  it('403 for members without the permission, and for the owner of another organization', async () => {
    const { app, at, carol, read } = await scene()
    const other = await company(app, 'other', await someone(app, 'Olga'))
    expect((await read({}, carol.device)).body.code).toBe(
      'YOU_ARE_NOT_ALLOWED_TO_READ_THE_AUDIT_LOG_OF_THIS_ORGANIZATION',
    )
    expect((await read({}, other.owner.device)).status).toBe(403)
    const file = { organizationId: at.id }
    expect((await other.owner.device.post('/organization/export-audit', file)).status).toBe(403)
    expect((await carol.device.post('/organization/export-audit', file)).status).toBe(403)
    const own = await other.owner.device.get('/organization/audit', { query: { organizationId: other.id } })
    expect(new Set(own.body.entries.map(({ organizationId }: any) => organizationId))).toEqual(new Set([other.id]))
  })

  it('shows what administrators of the deployment did, but not who they are and where', async () => {
    const { app, at, carol, read } = await scene()
    const boss = await administrator(app)
    const change = { organizationId: at.id, memberId: carol.member, role: 'admin' }
    expect((await boss.device.post('/admin/update-organization-member', change)).status).toBe(200)
    const [entry] = (await read()).body.entries
    expect(entry).toMatchObject({
      ...{ action: 'update-organization-member', actorType: 'administrator', subjectId: carol.id },
      ...{ actorId: null, actorName: null, ipAddress: null, userAgent: null },
    })
    expect((await read({ actorId: boss.id })).body.entries).toEqual([])
    expect((await read({ search: boss.device.ip })).body.entries).toEqual([])
    const all = await boss.device.get('/admin/audit', { query: { actorId: boss.id } })
    expect(all.body.entries).toMatchObject([{ action: 'update-organization-member', actorType: 'administrator' }])
  })
})

describe('GET /organization/audit-live', () => {
  const watch = (app: TestApp, device: Device, organizationId: string, query = '') => {
    const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { upgrade: 'websocket', origin: 'http://localhost:8787', cookie }
    const url = `http://localhost:8787/api/auth/organization/audit-live?organizationId=${organizationId}${query}`
    return app.respond(new Request(url, { headers }))
  }

  it('names new records of the organization to its open pages alone, without content', async () => {
    const { app, at, carol } = await scene()
    const other = await company(app, 'other', await someone(app, 'Olga'))
    expect((await watch(app, carol.device, at.id)).status).toBe(403)
    expect((await watch(app, other.owner.device, at.id)).status).toBe(403)
    const open = async (device: Device, id: string) => {
      const { webSocket } = await watch(app, device, id)
      const received: string[] = []
      webSocket!.accept()
      const next = new Promise<void>((resolve) =>
        webSocket!.addEventListener('message', ({ data }) => {
          received.push(String(data))
          resolve()
        }),
      )
      return { received, next, webSocket: webSocket! }
    }
    const [own, others] = [await open(at.owner.device, at.id), await open(other.owner.device, other.id)]
    const rename = (device: Device, organizationId: string) =>
      device.post('/organization/update', { organizationId, data: { name: 'New' } })
    await rename(at.owner.device, at.id)
    await own.next
    await rename(other.owner.device, other.id)
    await others.next
    expect([own.received, others.received]).toEqual([['{"changed":["records"]}'], ['{"changed":["records"]}']])
    // The next connection checks the permission again.
    const until = await runInDurableObject(env.LIVE.getByName(`audit:${at.id}`), (_, state) => state.storage.getAlarm())
    expect(until! - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    const later = (await watch(app, at.owner.device, at.id, '&recent=true')).webSocket!
    const first = new Promise((resolve) => later.addEventListener('message', ({ data }) => resolve(data)))
    later.accept()
    expect(JSON.parse(String(await first))).toEqual({ changed: ['records'], ago: expect.any(Number) })
    for (const webSocket of [own.webSocket, others.webSocket, later]) webSocket.close()
  })
})

describe('POST /organization/export-audit', () => {
  it('200: CSV, NDJSON and OCSF, and a record of the export', async () => {
    const { at, read } = await scene()
    const load = async (format: string) =>
      at.owner.device.post('/organization/export-audit', { organizationId: at.id, format })
    const table = await load('csv')
    expect(table.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(table.body.split('\r\n')[0]).toMatch(/^time,number,action,actor_type,/)
    const lines = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    const records = lines((await load('ndjson')).body)
    expect(records[0]).toMatchObject({ action: 'organization.export-audit', after: { format: 'csv' } })
    expect(records[0]).not.toHaveProperty('seq')
    const events = lines((await load('ocsf')).body)
    expect(events.find(({ message }) => message === 'organization.accept-invitation')).toMatchObject({
      ...{ class_uid: 3006, activity_id: 3, type_uid: 300_603, category_uid: 3 },
      ...{ group: { uid: at.id }, metadata: { version: '1.4.0', tenant_uid: at.id } },
    })
    expect(actionsOf((await read({ limit: '3' })).body.entries)).toEqual(Array(3).fill('organization.export-audit'))
  })
})

describe('a record', () => {
  it('names the administrator of an impersonation as its actor', async () => {
    const app = new TestApp({ ...unlimited })
    const boss = await administrator(app)
    const user = await someone(app, 'Uma')
    await boss.device.post('/admin/impersonate-user', { userId: user.id })
    expect((await boss.device.post('/organization/create', { name: 'A', slug: 'a' })).status).toBe(200)
    const [record] = (await rowsOf('audit_records')).filter(({ action }) => action === 'organization.create')
    expect(record).toMatchObject({ actorType: 'administrator', actorId: boss.id, onBehalfOf: user.id })
  })

  it('is in the batch of its effect: without the record nothing is done', async () => {
    const { at, read } = await scene()
    const before = (await read()).body.entries.length
    await env.DB.exec("create trigger no_audit before insert on audit_records begin select raise(abort, 'full'); end")
    const { status } = await at.owner.device.post('/organization/update', {
      organizationId: at.id,
      data: { name: 'New name' },
    })
    await env.DB.exec('drop trigger no_audit')
    expect(status).toBeGreaterThanOrEqual(500)
    expect((await read()).body.entries).toHaveLength(before)
    expect((await rowsOf('organizations'))[0]!.name).not.toBe('New name')
  })

  it('has the next number under parallel writes', async () => {
    const { at, read } = await scene()
    const update = (n: number) =>
      at.owner.device.post('/organization/update', { organizationId: at.id, data: { name: `Name ${n}` } })
    await Promise.all([1, 2, 3, 4, 5, 6].map(update))
    const numbers = (await read({ limit: '200' })).body.entries.map(({ organizationSeq }: any) => organizationSeq)
    expect(numbers.toReversed()).toEqual(numbers.map((_: unknown, n: number) => n + 1))
  })

  it('continues the numbers after the cron trigger has deleted the records before', async () => {
    stopClock()
    const app = new TestApp({ ...unlimited, securityLog: { auditRetention: 86_400 } })
    const at = await company(app, 'acme')
    const rename = (name: string) =>
      at.owner.device.post('/organization/update', { organizationId: at.id, data: { name } })
    await rename('Before')
    const before = (await rowsOf('audit_records')).filter((row: any) => row.organizationId === at.id)
    passTime(2 * 86_400)
    await app.runScheduled()
    expect(await rowsOf('audit_records')).toEqual([])
    await rename('After')
    const [after] = (await rowsOf('audit_records')).filter((row: any) => row.organizationId === at.id)
    expect(after).toMatchObject({ organizationSeq: before.length + 1 })
    passTime(3600)
    await app.runScheduled()
    expect(await rowsOf('audit_records')).toHaveLength(1)
  })
})
