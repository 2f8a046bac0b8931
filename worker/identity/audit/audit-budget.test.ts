import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { outcome, TestApp } from '../../testing/harness.ts'
import { colleague, company, someone } from '../../testing/organizations.ts'
import { rowsOf } from '../../testing/rows.ts'
import { passTime, stopClock } from '../../testing/two-factor.ts'

beforeEach(() => {
  stopClock()
  // The hours that pass are of the same day.
  vi.setSystemTime(new Date().setUTCHours(9, 0, 15, 0))
})
afterEach(() => void vi.useRealTimers())

const appWith = (securityLog: object) => new TestApp({ rateLimit: { enabled: false }, securityLog })

const recordsOf = async (action: string) => (await rowsOf('audit_records')).filter((row) => row.action === action)
const counted = async () =>
  (await recordsOf('audit-records-left-out')).map(({ subjectType, organizationId, after, actorType }) => ({
    subjectType,
    organizationId,
    actorType,
    ...after,
  }))

describe('the daily budget of audit records', () => {
  it('of a user: what is beyond it is counted, and one record an hour states the number', async () => {
    const app = appWith({ auditPerActor: 4 })
    const max = await someone(app, 'Max')
    const before = (await rowsOf('audit_records')).filter(({ actorId }) => actorId === max.id).length
    const since = new Date().toISOString()
    const rename = async (from: number, to: number) => {
      for (let n = from; n < to; n++) {
        expect((await max.device.post('/update-user', { name: `Max ${n}` })).status).toBe(200)
      }
    }
    await rename(0, 8)
    const kept = await recordsOf('update-user')
    expect(kept.length).toBe(4 - before)
    await app.runScheduled()
    expect(await counted()).toEqual([])
    passTime(3600)
    await app.runScheduled()
    await app.runScheduled()
    const first = { subjectType: 'user', organizationId: null, actorType: 'system', records: 8 - kept.length, since }
    expect(await counted()).toEqual([first])
    await rename(8, 10)
    passTime(3600)
    await app.runScheduled()
    expect(await counted()).toEqual([first, { ...first, records: 2, since: expect.any(String) }])
  })

  it('begins again on the next day, and its rows go', async () => {
    const app = appWith({ auditPerActor: 3 })
    const max = await someone(app, 'Max')
    for (const name of ['A', 'B', 'C', 'D']) await max.device.post('/update-user', { name })
    const kept = (await recordsOf('update-user')).length
    passTime(86_400)
    await max.device.post('/update-user', { name: 'E' })
    expect(await recordsOf('update-user')).toHaveLength(kept + 1)
    await app.runScheduled()
    passTime(3 * 86_400)
    await app.runScheduled()
    expect(await rowsOf('audit_budgets')).toEqual([])
  })

  it('of an organization: what is beyond it is counted in its log; one member cannot use it up', async () => {
    const app = appWith({ auditPerActor: 8, auditPerOrganization: 20 })
    const at = await company(app, 'acme')
    const [bob, eve] = [await colleague(app, at, 'Bob', 'admin'), await colleague(app, at, 'Eve', 'admin')]
    const rename = (person: typeof bob, name: string) =>
      person.device.post('/organization/update', { organizationId: at.id, data: { name } })
    const inOrganization = async () =>
      (await recordsOf('organization.update')).filter(({ organizationId }) => organizationId === at.id)
    for (let n = 0; n < 20; n++) expect((await rename(eve, `E${n}`)).status).toBe(200)
    const ofEve = (await inOrganization()).length
    expect(ofEve).toBeLessThanOrEqual(8)
    await rename(bob, 'B')
    expect(await inOrganization()).toHaveLength(ofEve + 1)
    for (let n = 0; n < 10; n++) await rename(bob, `B${n}`)
    for (let n = 0; n < 10; n++) await rename(at.owner as never, `O${n}`)
    const all = (await rowsOf('audit_records')).filter(({ organizationId }) => organizationId === at.id)
    expect(all).toHaveLength(20)
    passTime(3600)
    await app.runScheduled()
    const left = 41 - (await inOrganization()).length
    expect(await counted()).toEqual([
      expect.objectContaining({ subjectType: 'organization', organizationId: at.id, records: left }),
    ])
  })

  it('bounds what an actor changes at all: ten times as much', async () => {
    const app = appWith({ auditPerActor: 2 })
    const max = await someone(app, 'Max')
    const rename = async (n: number) => outcome(await max.device.post('/update-user', { name: `Max ${n}` }))
    const answers = []
    for (let n = 0; n < 24; n++) answers.push(await rename(n))
    expect(answers[15]).toEqual({ status: 200, code: null })
    expect(answers.at(-1)).toEqual({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20)
    // A thief of the session cannot keep its owner from ending it.
    expect((await max.device.post('/revoke-other-sessions')).status).toBe(200)
    passTime(86_400)
    expect(await rename(25)).toEqual({ status: 200, code: null })
  })

  it('of a guest is stricter', async () => {
    const app = appWith({ auditPerGuest: 3 })
    const guest = app.device()
    expect((await guest.post('/sign-in/anonymous')).status).toBe(200)
    for (let n = 0; n < 6; n++) expect((await guest.post('/update-user', { name: `G${n}` })).status).toBe(200)
    expect(await rowsOf('audit_records')).toHaveLength(3)
  })
})
