import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import { outcome, TestApp } from '../testing/harness.ts'
import { alice, signUp } from '../testing/people.ts'
import { storedRows } from '../testing/rows.ts'
import { passTime, stopClock } from '../testing/two-factor.ts'
// The code of the guides (guides/code-blocks.ts).
import { config as withContact } from './during-an-attack.md#1.ts'

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

it('concept-step-up.md: refused, confirmed, and sent again in the same session', async () => {
  const app = new TestApp()
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
  const app = new TestApp()
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

it('during-an-attack.md: researchers find the contact', async () => {
  const app = new TestApp(withContact as Config)
  const answer = await app.fetch(new Request('http://localhost:8787/.well-known/security.txt'))
  const text = answer.body
  expect(text).toContain('Contact: mailto:security@example.com\n')
  expect(text).toContain('Policy: https://example.com/security\n')
  expect(text).toMatch(/^Expires: /m)
})
