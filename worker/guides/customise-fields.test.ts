import { afterEach, describe, expect, it, vi } from 'vitest'
import { setSessionFields } from '../identity/sessions/session-fields.ts'
import { mergeOptions } from '../kit/options.ts'
import { origin } from '../testing/harness.ts'
import { alice, InitApp } from '../testing/init-app.ts'
import { signUp } from '../testing/people.ts'
import clientGuide from './better-auth-clients.md?raw'
import guide from './customise-fields.md?raw'
import { join } from './examples/fields.browser.ts'
import browserCode from './examples/fields.browser.ts?raw'
import { config } from './examples/fields.config.ts'
import configCode from './examples/fields.config.ts?raw'
import { upgrade } from './examples/fields.server.ts'
import serverCode from './examples/fields.server.ts?raw'

const app = () => new InitApp(mergeOptions(config, { rateLimit: { enabled: false } }))

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the code of the guide to fields', () => {
  it('prints the code that runs here', () => {
    const printed = (text: string) => [...text.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, code]) => code)
    expect(printed(guide)).toEqual([configCode, serverCode])
    expect(printed(clientGuide)).toEqual([browserCode])
  })

  it('adds fields to users, with labels in both languages', async () => {
    const tested = app()
    const shown = (await tested.device().get('/config')).body.additionalFields
    expect(shown).toMatchObject([
      { name: 'team', label: { de: 'Mannschaft' } },
      { name: 'size', label: { de: 'T-Shirt-Größe' } },
    ])
    const device = await signUp(tested, alice, { team: 'Blue' })
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ team: 'Blue', size: null })
    expect(user).not.toHaveProperty('creditLimit')
  })

  it('signs up from a browser with the published client', async () => {
    const tested = app()
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const sent = new Request(input, init)
      const url = sent.url.replace('https://accounts.acme.com', origin)
      const body = await sent.text()
      const { status, body: answer } = await tested.fetch(
        new Request(url, { method: sent.method, headers: sent.headers, body }),
      )
      return Response.json(answer, { status })
    })
    expect(await join('Ada', 'ada@example.com', 'first long password', '')).toBe('TEAM_IS_REQUIRED')
    expect(await join('Ada', 'ada@example.com', 'first long password', 'Blue')).toMatchObject({ team: 'Blue' })
  })

  it('sets fields of sessions: by default, and from another Worker', async () => {
    const tested = app()
    const device = await signUp(tested, alice, { team: 'Blue' })
    const { session } = (await device.get('/get-session')).body
    expect(session).toMatchObject({ plan: 'free', teamAtSignIn: 'Blue' })
    const { scope, settle } = tested.openScope()
    const answer = async (input: { sessionToken: string; fields: object }) => ({
      ok: true,
      result: await setSessionFields(scope, input.sessionToken, { ...input.fields }),
    })
    const GATEHOUSE = { setSessionFields: answer } as unknown as Parameters<typeof upgrade>[0]['GATEHOUSE']
    expect(await upgrade({ GATEHOUSE }, session.token)).toBe('paid')
    await settle()
    const fresh = await device.get('/get-session', { query: { disableCookieCache: 'true' } })
    expect(fresh.body.session).toMatchObject({ plan: 'paid', teamAtSignIn: 'Blue' })
  })
})
