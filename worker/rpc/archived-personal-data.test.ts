import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { segmentLimits } from '../identity/audit-archive/archive-records.ts'
import { administrator } from '../testing/admins.ts'
import { env, outcome, TestApp } from '../testing/harness.ts'
import { anotherDevice, company } from '../testing/organizations.ts'
import { alice } from '../testing/people.ts'
import { count, rowsOf } from '../testing/rows.ts'
import { backEnd } from '../testing/server-keys.ts'
import { addUser } from '../testing/states.ts'
import { passTime, stopClock } from '../testing/two-factor.ts'
import { exportLimits } from './archived-personal-data.ts'

const ofSegment = { ...segmentLimits }
const ofExport = { ...exportLimits }

beforeEach(async () => {
  stopClock()
  await env.DB.prepare("delete from sqlite_sequence where name = 'audit_records'").run()
})
afterEach(() => {
  Object.assign(segmentLimits, ofSegment)
  Object.assign(exportLimits, ofExport)
  vi.useRealTimers()
})

/** A user with twelve records in an archive of several objects, and one in D1. */
async function scene() {
  segmentLimits.records = 4
  const app = new TestApp({ rateLimit: { enabled: false } })
  const acme = await company(app, 'acme')
  const boss = await administrator(app)
  const user = await addUser(alice)
  passTime(1)
  const toggle = async () => {
    const device = await anotherDevice(app, boss.id)
    await device.post('/admin/ban-user', { userId: user.id, banReason: 'a reason' })
    await device.post('/admin/unban-user', { userId: user.id })
  }
  for (let at = 0; at < 6; at++) await toggle()
  const other = await anotherDevice(app, acme.owner.id)
  await other.post('/organization/update', { organizationId: acme.id, data: { name: 'Other' } })
  await app.runScheduled()
  passTime(31 * 86_400)
  await toggle()
  for (let run = 0; run < 3; run++) await app.runScheduled()
  return { app, id: user.id }
}

const pages = async (app: TestApp, userId: string) => {
  const found: any[] = []
  const sizes: number[] = []
  for (let cursor: string | undefined; ; ) {
    const answer = await app.serverApi().exportUser({ userId, ...(cursor === undefined ? {} : { cursor }) })
    if (!answer.ok) throw new Error(answer.code)
    found.push(...answer.result.auditRecords)
    sizes.push(answer.result.auditRecords.length)
    if (cursor !== undefined) expect(answer.result.user).toEqual([])
    const [more] = answer.result.more ?? []
    if (!more) return { found, sizes }
    expect(more.searchedTo).toMatch(/^\d{4}-.*Z$/)
    cursor = more.cursor
  }
}

it('has the records of D1 and of the archive, each once, without fields about others', async () => {
  const { app, id } = await scene()
  expect(await count('audit_segments')).toBeGreaterThan(3)
  const stored = (await rowsOf('audit_records')).filter(({ subjectId }) => subjectId === id).length
  const { found, sizes } = await pages(app, id)
  expect(stored).toBeLessThan(14)
  expect(sizes).toEqual([14])
  expect(new Set(found.map(({ id: record }) => record)).size).toBe(14)
  expect(found.every(({ subjectId }) => subjectId === id)).toBe(true)
  const [inDatabase, inArchive] = [found[0], found.at(-1)]
  expect(Object.keys(inArchive).sort()).toEqual(Object.keys(inDatabase).sort())
  expect(JSON.stringify(found)).not.toMatch(/ipAddress|userAgent|actorId/)
})

it('reads a bounded number of objects and bytes a call, and continues with a cursor', async () => {
  const { app, id } = await scene()
  exportLimits.objects = 2
  const { found, sizes } = await pages(app, id)
  expect(found).toHaveLength(14)
  expect(sizes.length).toBeGreaterThan(1)
  Object.assign(exportLimits, { objects: 10, bytes: 1 })
  const small = await pages(app, id)
  expect(small.found).toHaveLength(14)
  expect(small.sizes.length).toBe(await count('audit_segments'))
})

it('reads no object from before the creation of the user', async () => {
  const { app } = await scene()
  const get = vi.spyOn(env.ARCHIVE!, 'get')
  const later = await addUser({ ...alice, email: 'later@example.com' })
  expect((await pages(app, later.id)).found).toEqual([])
  expect(get).not.toHaveBeenCalled()
})

it('over HTTP within its budget; refuses another cursor and an unknown user', async () => {
  const { app, id } = await scene()
  const { call } = await backEnd(app)
  const answer = await call('exportUser', { userId: id })
  expect(answer.status).toBe(200)
  expect(answer.body.auditRecords).toHaveLength(14)
  expect(outcome(await call('exportUser', { userId: id, cursor: 'x' })).status).toBe(400)
  expect(outcome(await call('exportUser', { userId: 'unknown', cursor: '5' })).code).toBe('USER_NOT_FOUND')
})

it('a lost object is a fault, and not a shorter export', async () => {
  const { app, id } = await scene()
  const [segment] = await rowsOf('audit_segments')
  await env.ARCHIVE!.delete(segment!.object)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { call } = await backEnd(app)
  expect((await call('exportUser', { userId: id })).status).toBe(503)
})
