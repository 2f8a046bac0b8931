import { exportPKCS8, generateKeyPair } from 'jose'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { deviating } from '../../../testing/outside/deviating-provider.ts'
import type { DocumentedProvider } from '../../../testing/outside/social/documentation.ts'
import { comeBack, errorAt, locationOf, startAt } from '../../../testing/outside/walk.ts'
import { type SocialQuirk, socialQuirks } from '../../../testing/social-quirks.ts'
import { findProvider, providers } from './providers.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

let appleKey: string
beforeAll(async () => {
  appleKey = await exportPKCS8((await generateKeyPair('ES256', { extractable: true })).privateKey)
})

async function tried(id: DocumentedProvider, [, , change, outcome]: SocialQuirk) {
  const provider = deviating(id, change)
  const options: Record<string, unknown> = { ...provider.options }
  if (findProvider(id)?.withoutEmail) options.mapProfileToUser = () => ({ email: 'octo@example.com' })
  if (id === 'apple') Object.assign(options, { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: appleKey })
  const device = new TestApp({ rateLimit: { enabled: false }, socialProviders: { [id]: options } }).device()
  for (let n = 1; n <= (change.signIns ?? 1); n++) {
    const callback = await startAt(device, provider)
    change.callback?.(callback.parameters)
    const to = locationOf(await comeBack(device, callback))
    expect(to).toBe('error' in outcome ? errorAt(outcome.error) : '/dash')
  }
  if ('error' in outcome) {
    expect((await device.get('/get-session')).body).toBeNull()
    return
  }
  const { user = {}, tokens = {}, refreshes = 0 } = outcome
  const { body } = await device.post('/get-access-token', { providerId: id })
  expect(body).toMatchObject({ accessToken: expect.any(String) })
  for (const [name, value] of Object.entries(tokens)) expect({ [name]: body[name] }).toEqual({ [name]: value })
  for (let n = 0; n < refreshes; n++) {
    expect((await device.post('/refresh-token', { providerId: id })).status).toBe(200)
  }
  expect((await device.get('/get-session')).body.user).toMatchObject(user)
  if (refreshes > 0) {
    const { id: subject } = provider.person
    const info = await device.post('/account-info', { accountId: subject })
    expect(info).toMatchObject({ status: 200, body: { user: { id: subject } } })
  }
}

it('has rows for each provider', () => {
  expect(Object.keys(socialQuirks).sort()).toEqual(Object.keys(providers).sort())
})

describe.each(Object.keys(socialQuirks) as DocumentedProvider[])('%s', (id) => {
  it.each(socialQuirks[id])('%s', async (...quirk) => tried(id, quirk))
})
