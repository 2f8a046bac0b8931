import { getTableName } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { previousTables } from '../identity/jobs/previous-version.ts'
import { personalData } from '../rpc/personal-data.ts'
import { env, TestApp } from '../testing/harness.ts'
import { alice, bob, signUp } from '../testing/people.ts'
import { signUpProtected } from '../testing/two-factor.ts'

const idOf = async (email: string) =>
  (await env.DB.prepare('select id from users where email = ?').bind(email).first<string>('id'))!

describe('personalData', () => {
  it('covers every table that refers to users', async () => {
    const { results } = await env.DB.prepare("select name, sql from sqlite_master where type = 'table'").all<{
      name: string
      sql: string
    }>()
    const personal = results.filter(({ sql }) =>
      /[`"](\w+_)?(user|inviter|subject|actor)_id[`"]|REFERENCES [`"]users[`"]/i.test(sql),
    )
    // The cron trigger empties the tables of the previous version.
    const covered = new Set([...previousTables, ...Object.values(personalData).map(({ table }) => getTableName(table))])
    expect(personal.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
    expect(personal.length).toBeGreaterThan(15)
  })
})

describe('exportUser', () => {
  it('has all data of one user, no data of others, and no secrets', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    await signUp(app, bob)
    const { device } = await signUpProtected(app)
    const { key } = (await device.post('/api-key/create', { name: 'mine' })).body
    await device.post('/organization/create', { name: 'Acme', slug: 'acme' })
    const answer = await app.serverApi().exportUser({ userId: await idOf(alice.email) })
    if (!answer.ok) throw new Error(answer.code)
    const { result } = answer
    expect(Object.keys(result)).toEqual(Object.keys(personalData))
    expect(result.user).toEqual([
      expect.objectContaining({
        email: alice.email,
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        additionalFields: {},
      }),
    ])
    expect(result.accounts).toEqual([expect.objectContaining({ providerId: 'credential' })])
    expect(result.sessions.length).toBeGreaterThan(0)
    expect(result.twoFactors).toEqual([expect.objectContaining({ confirmed: true })])
    expect(result.organizations).toEqual([expect.objectContaining({ slug: 'acme' })])
    expect(result.memberships).toEqual([expect.objectContaining({ role: 'owner' })])
    expect(result.apiKeys).toEqual([expect.objectContaining({ name: 'mine' })])

    const text = JSON.stringify(result)
    expect(text).not.toContain(bob.email)
    expect(text).not.toContain(key)
    const secrets = await env.DB.prepare(
      `select password as secret from accounts union all select token from sessions union all select secret from two_factors
       union all select key_hash from api_keys`,
    ).all<{ secret: string }>()
    expect(secrets.results).not.toHaveLength(0)
    for (const { secret } of secrets.results) expect(text).not.toContain(secret)
  })

  it('USER_NOT_FOUND: no user has the id', async () => {
    expect(await new TestApp().serverApi().exportUser({ userId: 'unknown' })).toMatchObject({
      ok: false,
      code: 'USER_NOT_FOUND',
    })
  })
})
