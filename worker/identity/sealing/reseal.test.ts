import { describe, expect, it } from 'vitest'
import { loaderOf } from '../../features.ts'
import { seal, sealKeyId, sealKeyIdOf } from '../../kit/encrypt.ts'
import { codeOf } from '../../testing/authenticator.ts'
import { type Device, env, origin, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { insertRows, rowOf, storedRows, updateRows } from '../../testing/rows.ts'
import { addJobs, linkAccount } from '../../testing/states.ts'
import { signUpProtected } from '../../testing/two-factor.ts'
import { usualBatchSize } from './reseal.ts'
import { columnNameOf } from './resealing.store.ts'

const [old, next] = [env.GATEHOUSE_SECRET!, 'next-secret-0123456789-0123456789-ab']
const unrotated = () => new TestApp({ rateLimit: { enabled: false } })
const rotated = () =>
  new TestApp({ rateLimit: { enabled: false } }, { GATEHOUSE_SECRET: next, GATEHOUSE_PREVIOUS_SECRETS: old })
const retired = () => new TestApp({ rateLimit: { enabled: false } }, { GATEHOUSE_SECRET: next })

/** A browser's request to a Worker with another secret. */
const requestOf = ({ jar, ip }: Device, path: string) =>
  new Request(`${origin}/api/auth${path}`, {
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'cf-connecting-ip': ip },
  })

const progress = () => storedRows('resealing')

/** Every sealed text in D1, by its column. */
async function sealedTexts(): Promise<[column: string, keyId: string][]> {
  const tables = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>()
  const found: [string, string][] = []
  for (const { name } of tables.results) {
    const { results } = await env.DB.prepare(`select * from "${name}"`).all<Record<string, unknown>>()
    for (const row of results) {
      for (const [column, value] of Object.entries(row)) {
        for (const text of String(value).match(/eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/g) ?? []) {
          found.push([`${name}.${column}`, sealKeyIdOf(text)!])
        }
      }
    }
  }
  return found
}

/** A user with a second factor, provider tokens, signing keys and a pending job. */
async function fill() {
  const protectedUser = await signUpProtected(unrotated())
  await protectedUser.device.get('/token')
  const token = await seal([old], 'a-token')
  const { id: userId } = (await rowOf('users'))!
  const tokens = { accessToken: token, refreshToken: token, idToken: token }
  await linkAccount(userId, { id: 'a1', providerId: 'google', accountId: 'g1', ...tokens })
  await addJobs('mail', { id: 't1', payload: token, attempts: 1, nextAt: new Date(8e15), createdAt: new Date(1) })
  await insertRows('stored_secrets', { name: 's1', value: token, createdAt: new Date(1) })
  return protectedUser
}

describe('after a rotation of the secret', () => {
  it('what the earlier secret sealed is sealed under the newest one, and the earlier one can be removed', async () => {
    const { totpURI } = await fill()
    const declared = loaderOf({})
      .lifecycle.registry('stored', 'all')
      .flatMap(({ sealed = [] }) => sealed)
      .map(columnNameOf)
    const texts = await sealedTexts()
    expect(texts.map(([column]) => column).filter((column) => !declared.includes(column))).toEqual([])
    expect(new Set(texts.map(([column]) => column)).size).toBeGreaterThan(7)
    // The first pass changes values, the second one finds none.
    await rotated().runScheduled()
    await rotated().runScheduled()
    expect(new Set((await sealedTexts()).map(([, keyId]) => keyId))).toEqual(new Set([sealKeyId(next)]))
    for (const row of await progress()) expect(row).toMatchObject({ key_id: sealKeyId(next), unreadable: 0 })
    expect((await progress()).every(({ finished_at }) => finished_at !== null)).toBe(true)
    const device = retired().device()
    await device.post('/sign-in/email', { email: alice.email, password: alice.password })
    const { status } = await device.post('/two-factor/verify-totp', { code: await codeOf(totpURI) })
    expect(status).toBe(200)
  })

  it('a large column is done in steps, and a value that is changed meanwhile is kept', async () => {
    await fill()
    const token = await seal([old], 'a-token')
    const count = usualBatchSize + 20
    await env.DB.prepare(
      `insert into accounts (id, provider_id, account_id, user_id, access_token, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
       select 'b' || i, 'github', 'h' || i, (select id from users), ?, 1, 1 from n`,
    )
      .bind(token)
      .run()
    const underOld = async () =>
      (await sealedTexts()).filter(([column, id]) => column === 'accounts.access_token' && id === sealKeyId(old)).length
    await rotated().runScheduled()
    expect(await underOld()).toBe(count + 1 - usualBatchSize)
    await rotated().runScheduled()
    expect(await underOld()).toBe(0)
    const [row] = (await progress()).filter(({ name }) => name === 'accounts.access_token')
    expect(row).toMatchObject({ resealed: count + 1, finished_at: null })
  })

  it('a value that no secret opens is counted and left as it is', async () => {
    await fill()
    const foreign = await seal(['a secret that is gone'], 'x')
    await updateRows('accounts', { accessToken: foreign }, { id: 'a1' })
    await rotated().runScheduled()
    expect((await rowOf('accounts', { id: 'a1' }))!.accessToken).toBe(foreign)
    const [row] = (await progress()).filter(({ name }) => name === 'accounts.access_token')
    expect(row).toMatchObject({ unreadable: 1, resealed: 0 })
    expect(row!.finished_at).not.toBeNull()
  })

  it('a mailed link and a session stay valid, once each as before', async () => {
    const app = unrotated()
    const device = await signUp(app, alice)
    await app.device().post('/forget-password', { email: alice.email })
    const [mail] = await app.mailbox()
    const token = /reset-password\/([\w-]+)/.exec(mail!.links[0]!)![1]
    const reset = (at: TestApp) => at.device().post('/reset-password', { token, newPassword: 'another-password' })
    expect((await rotated().fetch(requestOf(device, '/get-session'))).body?.user.email).toBe(alice.email)
    expect((await reset(retired())).body.code).toBe('INVALID_TOKEN')
    expect((await reset(rotated())).status).toBe(200)
    expect((await reset(rotated())).body.code).toBe('INVALID_TOKEN')
  })

  it('does nothing without an earlier secret', async () => {
    await fill()
    await unrotated().runScheduled()
    expect(await progress()).toEqual([])
  })
})
