import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import { outcome } from '../testing/harness.ts'
import { alice, InitApp } from '../testing/init-app.ts'
import { signUp } from '../testing/people.ts'
import { storedRows } from '../testing/rows.ts'
import { verifyAddresses } from '../testing/states.ts'
import { passTime, stopClock } from '../testing/two-factor.ts'
import agentsGuide from './agents.md?raw'
import { config as withApprovals } from './agents.md#1.ts'
import conceptOfAgents from './concept-agents.md?raw'
// The code of the guides (guides/code-blocks.ts).
import { config as withContact } from './during-an-attack.md#1.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

it('concept-step-up.md: refused, confirmed, and sent again in the same session', async () => {
  const app = new InitApp()
  const device = await signUp(app, alice)
  const before = await storedRows('sessions', 'id')
  passTime(2 * 86_400)
  const call = () => device.post('/api-key/create', { name: 'deploy' })
  const refused = await call()
  expect(outcome(refused)).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
  expect(refused.body.methods).toEqual(['password'])
  expect((await device.post('/step-up', { method: 'password', password: alice.password })).status).toBe(200)
  expect((await call()).status).toBe(200)
  expect(await storedRows('sessions', 'id')).toEqual(before)
})

it('concept-keys.md: a key changes no password, is created with a recent sign-in, and revoked without one', async () => {
  const app = new InitApp()
  const device = await signUp(app, alice)
  const { id, key } = (await device.post('/api-key/create', { name: 'deploy' })).body
  expect(JSON.stringify(await storedRows('api_keys'))).not.toContain(key)
  const withKey = { headers: { 'x-api-key': key, origin: '' } }
  const change = { currentPassword: alice.password, newPassword: 'another long password' }
  expect(outcome(await app.device().post('/change-password', change, withKey))).toEqual({
    status: 403,
    code: 'OWN_SESSION_REQUIRED',
  })
  passTime(2 * 86_400)
  expect(outcome(await device.post('/api-key/create', { name: 'second' })).code).toBe('SESSION_IS_NOT_FRESH')
  expect((await device.post('/api-key/delete', { keyId: id })).status).toBe(200)
  expect(outcome(await app.device().get('/get-session', withKey)).code).toBe('INVALID_API_KEY')
})

it('introduction.md: a hosted page signs up, a server learns who the caller is, and the rules are in the configuration', async () => {
  const app = new InitApp({
    user: { additionalFields: { team: { type: 'string', required: true, signUp: true } } },
    hooks: { creatingUser: async ({ user }) => ({ change: { name: user.name.toUpperCase() } }) },
  })
  const page = await app.fetch(new Request('http://localhost:8787/sign-up'))
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  const device = await signUp(app, alice, { team: 'Blue' })
  expect((await app.mailbox())[0]).toMatchObject({ to: alice.email, subject: expect.stringContaining('Acme') })
  const asServer = { headers: { cookie: [...device.jar].map((pair) => pair.join('=')).join('; ') } }
  const { user } = (await app.device().get('/get-session', asServer)).body
  expect(user).toMatchObject({ email: alice.email, name: alice.name.toUpperCase(), team: 'Blue' })
})

it('concept-agents.md: an agent never signs in as its user, and the page names its ways with a guide each', async () => {
  const app = new InitApp(withApprovals)
  const device = await signUp(app, alice)
  await verifyAddresses()
  const shop = 'https://shop.example.com'
  const created = await device.post('/agents/create', {
    name: 'Buyer',
    purpose: 'Pays',
    access: { [shop]: ['orders:pay'] },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(200)
  const { agent, clientSecret } = created.body
  const asAgent = { authorization: `Basic ${btoa(`${agent.clientId}:${clientSecret}`)}` }
  expect((await app.device().get('/get-session', { headers: asAgent })).body).toBeNull()
  // The three ways are grants that the server announces.
  const { body } = await app.device().get('/.well-known/openid-configuration')
  expect(body.grant_types_supported).toEqual(
    expect.arrayContaining(['urn:ietf:params:oauth:grant-type:token-exchange', 'urn:openid:params:grant-type:ciba']),
  )
  const links = [...conceptOfAgents.matchAll(/^\d\. .*\(agents\.md#([\w-]+)\)/gm)].map(([, section]) => section)
  const titles = [...agentsGuide.matchAll(/^## (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'))
  expect(links).toHaveLength(3)
  expect(titles).toEqual(expect.arrayContaining(links))
})

it('during-an-attack.md: researchers find the contact', async () => {
  const app = new InitApp(withContact as Config)
  const answer = await app.fetch(new Request('http://localhost:8787/.well-known/security.txt'))
  const text = answer.body
  expect(text).toContain('Contact: mailto:security@example.com\n')
  expect(text).toContain('Policy: https://example.com/security\n')
  expect(text).toMatch(/^Expires: /m)
})
