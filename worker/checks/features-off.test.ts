import { describe, expect, it } from 'vitest'
import { sealKeyId, sealKeyIdOf } from '../kit/encrypt.ts'
import { verify } from '../testing/api-keys.ts'
import { type Device, env, TestApp } from '../testing/harness.ts'
import { registerClient } from '../testing/oauth.ts'
import { alice, bob, signUp } from '../testing/people.ts'
import { sample } from '../testing/sample.ts'
import { addPasskey, idOf, linkAccount } from '../testing/states.ts'
import { signUpProtected } from '../testing/two-factor.ts'
import { toggles, unlimited, without } from '../testing/without-feature.ts'

/**
 * The rows of a feature remain when it is turned off: a ban ends what it has given, a deletion deletes its rows, an export
 * contains them, a rotation of the secret seals them, and an administrator remains one.
 */
/** A user with something of each kind, the last administrator. */
async function fill(app: TestApp) {
  await signUp(app, bob)
  const { device } = await signUpProtected(app)
  const id = await idOf(alice.email)
  await env.DB.prepare("update users set role = 'admin', email_verified = 1 where id = ?").bind(id).run()
  await env.DB.prepare("update users set username = 'alice', phone_number = '+15550001111' where id = ?").bind(id).run()
  await linkAccount(id, { id: 'a1', providerId: 'google', accountId: 'g1' })
  await addPasskey(id)
  const { key } = (await device.post('/api-key/create', { name: 'mine' })).body
  await device.post('/organization/create', { name: 'Acme', slug: 'acme' })
  await registerClient(device)
  await device.get('/token')
  return { device, id, key: String(key) }
}

/** The same browser at another deployment of the database. */
function at(app: TestApp, { jar }: Device): Device {
  const device = app.device()
  for (const [name, value] of jar) device.jar.set(name, value)
  return device
}

async function allRows(): Promise<Record<string, Record<string, unknown>[]>> {
  const { results } = await env.DB.prepare(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'",
  ).all<{ name: string }>()
  const rows = await env.DB.batch<Record<string, unknown>>(
    results.map(({ name }) => env.DB.prepare(`select * from "${name}"`)),
  )
  return Object.fromEntries(results.map(({ name }, at) => [name, rows[at]!.results]))
}

/** The tables with a row that names the user. */
const tablesWith = async (id: string): Promise<string[]> =>
  Object.entries(await allRows())
    .filter(([, rows]) => JSON.stringify(rows).includes(id))
    .map(([name]) => name)
    .sort()

const sealedWith = async (): Promise<(string | null)[]> => [
  ...new Set((JSON.stringify(await allRows()).match(/eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/g) ?? []).map(sealKeyIdOf)),
]

const next = 'next-secret-0123456789-0123456789-ab'
const rotation = { GATEHOUSE_SECRET: next, GATEHOUSE_PREVIOUS_SECRETS: env.GATEHOUSE_SECRET! }

/** The tables that a deletion with all features leaves with the id. */
let left: string[]

it('turns off every feature that has the option', () => {
  expect(toggles.length).toBeGreaterThan(15)
  expect(toggles).toContain('apiKey')
})

it('the deletion with all features is the measure', async () => {
  const app = new TestApp(unlimited, {}, false)
  const { id } = await fill(app)
  await env.DB.prepare("update users set role = 'user'").run()
  expect(await app.serverApi().deleteUser({ userId: id })).toMatchObject({ ok: true })
  left = await tablesWith(id)
  expect(left).not.toContain('users')
})

describe.each(sample(toggles, 2).map((name) => [name] as const))('with %s off', (name) => {
  const { config, off } = without(name)

  it('an export, a rotation of the secret, a ban and a deletion include its rows', async () => {
    const on = new TestApp(unlimited, {}, false)
    const { device, id, key } = await fill(on)
    const app = new TestApp(config, {}, false)
    const [exported, whole] = [
      await app.serverApi().exportUser({ userId: id }),
      await on.serverApi().exportUser({ userId: id }),
    ]
    expect(exported).toEqual(whole)

    await new TestApp(config, rotation).runScheduled()
    await new TestApp(config, rotation).runScheduled()
    expect(await sealedWith()).toEqual([sealKeyId(next)])

    if (off.has('admin')) return
    const [after, afterOn] = [new TestApp(config, rotation, false), new TestApp(unlimited, rotation, false)]
    // The last administrator stays.
    expect(await after.serverApi().banUser({ userId: id })).toMatchObject({ ok: false })
    expect(await after.serverApi().deleteUser({ userId: id })).toMatchObject({ ok: false })
    await env.DB.prepare("update users set role = 'admin' where id <> ?").bind(id).run()
    expect(await after.serverApi().banUser({ userId: id })).toMatchObject({ ok: true })
    expect((await at(afterOn, device).get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
    expect((await verify(afterOn, key)).code).not.toBe('valid')
    expect(await after.serverApi().deleteUser({ userId: id })).toMatchObject({ ok: true })
    expect(await tablesWith(id)).toEqual(left)
  })
})
