import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { open } from '../../../../kit/encrypt.ts'
import { type Device, TestApp } from '../../../../testing/harness.ts'
import { agree, authorizationRequest, claimsIn, codeOf, exchange, registerClient } from '../../../../testing/oauth.ts'
import { alice, signIn, signUp } from '../../../../testing/people.ts'
import { count, deleteRows, rowOf } from '../../../../testing/rows.ts'

const [old, older, newest] = ['old', 'older', 'new'].map((name) => `${name}-secret-0123456789-0123456789-ab`) as [
  string,
  string,
  string,
]

/** An isolate of a deployment with these secrets, newest first. */
const isolate = (...[secret, ...previous]: string[]) =>
  new TestApp(
    { rateLimit: { enabled: false } },
    { GATEHOUSE_SECRET: secret!, ...(previous.length > 0 ? { GATEHOUSE_PREVIOUS_SECRETS: previous.join(',') } : {}) },
  )

type Client = Awaited<ReturnType<typeof registerClient>>

async function idTokenOf(app: TestApp, device: Device, client: Client) {
  const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client))))
  return claimsIn(body.id_token)
}

const stored = async () => (await rowOf('stored_secrets', { name: 'pairwise-salt' }))?.value ?? null

let app: TestApp
let device: Device
let client: Client
beforeEach(async () => {
  app = isolate(old, older)
  device = await signUp(app, alice)
  client = await registerClient(device, { subject_type: 'pairwise' })
})

describe('the pairwise subject', () => {
  it('of clients from an earlier version remains the same, after their secret is retired too', async () => {
    const { user } = (await device.get('/get-session')).body
    const before = createHmac('sha256', older).update(`subject:client.example.com:${user.id}`).digest('base64url')
    expect((await idTokenOf(app, device, client)).sub).toBe(before)
    await isolate(newest, old, older).runScheduled()
    const later = isolate(newest)
    expect((await idTokenOf(later, await signIn(later, alice), client)).sub).toBe(before)
  })

  it('is the same from isolates that need the salt at the same time, which is stored once', async () => {
    const apps = [app, isolate(old, older), isolate(old)]
    const subjects = await Promise.all(
      apps.map(async (one) => (await idTokenOf(one, await signIn(one, alice), client)).sub),
    )
    expect(new Set(subjects).size).toBe(1)
    expect(await count('stored_secrets')).toBe(1)
  })

  it('costs a round trip at the first use in an isolate only', async () => {
    const costs: number[] = []
    for (const one of [app, app, isolate(old, older)]) {
      const at = await signIn(one, alice)
      // The first request reads the signing key and stores the first salt.
      await one.device().get('/jwks')
      const code = codeOf(await agree(at, authorizationRequest(client)))
      costs.push((await exchange(one, client, code)).io.d1![0])
    }
    expect(costs).toEqual([costs[1]! + 3, costs[1], costs[1]! + 1])
  })

  it('503 where no configured secret opens the salt', async () => {
    await idTokenOf(app, device, client)
    const other = isolate(newest)
    const code = codeOf(await agree(await signIn(other, alice), authorizationRequest(client)))
    const { status } = await exchange(other, client, code)
    expect(status).toBe(503)
  })

  it('of a deployment without pairwise clients has a random salt, stored by the cron trigger', async () => {
    await deleteRows('oauth_applications')
    await app.runScheduled()
    const salt = await open([old], (await stored())!)
    expect(salt).toMatch(/^[A-Za-z0-9]{43}$/)
    await isolate(newest, old).runScheduled()
    expect(await open([newest], (await stored())!)).toBe(salt)
  })

  it('is stored by the cron trigger before the first sign-in to a client', async () => {
    await app.runScheduled()
    expect(await open([old], (await stored())!)).toBe(older)
  })
})

describe('sid', () => {
  it('is the same for a client at each of its sign-ins, another one for each client, and never the session’s id', async () => {
    const other = await registerClient(device)
    const [first, again, elsewhere] = [
      await idTokenOf(app, device, client),
      await idTokenOf(app, device, client),
      await idTokenOf(app, device, other),
    ]
    expect(first.sid).toBe(again.sid)
    expect(first.sid).not.toBe(elsewhere.sid)
    const { session } = (await device.get('/get-session')).body
    expect([first.sid, elsewhere.sid]).not.toContain(session.id)
  })
})
