import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deploymentPlaces } from '../gatehouse.ts'
import type { Env } from '../platform/env.ts'
import { env } from '../testing/harness.ts'

const config = { mail: { transport: async () => {} } }
const production = { ...env, ENVIRONMENT: 'production', BASE_URL: undefined } as Env
const development = { ...env, ENVIRONMENT: 'development', BASE_URL: '' } as Env
const places = (own: Env = production) => deploymentPlaces(config, own)

/** A browser that opens a page. */
const opening = (url: string, headers: HeadersInit = {}, method = 'GET') =>
  new Request(url, { method, headers: { 'sec-fetch-mode': 'navigate', ...headers } })

const originOf = async (of: ReturnType<typeof places>, request: Request) =>
  (await of.of(request))?.runtime.settings.baseUrl ?? null

const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} } as unknown as ExecutionContext

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  await env.DB.prepare('DELETE FROM deployment').run()
})

describe('with BASE_URL', () => {
  it('is there, whatever the address of a request', async () => {
    const fixed = places({ ...production, BASE_URL: 'https://accounts.example.com' })
    expect(await originOf(fixed, opening('https://other.example.com/'))).toBe('https://accounts.example.com')
    expect((await fixed.known())?.runtime.settings.baseUrlIsTaken).toBe(false)
  })

  it('replaces the locked origin', async () => {
    await originOf(places(), opening('https://first.acme.workers.dev/'))
    const fixed = places({ ...production, BASE_URL: 'https://accounts.example.com' })
    expect(await originOf(fixed, opening('https://first.example.com/'))).toBe('https://accounts.example.com')
  })
})

describe('without BASE_URL, in development', () => {
  it('is at the requested address, on any port', async () => {
    const own = places(development)
    for (const origin of ['http://localhost:8842', 'http://127.0.0.1:3000', 'http://localhost:8842']) {
      expect(await originOf(own, opening(`${origin}/sign-in`))).toBe(origin)
      expect((await own.known())?.runtime.settings.baseUrl).toBe(origin)
    }
    expect(await env.DB.prepare('SELECT * FROM deployment').first()).toBeNull()
  })

  it('accepts its own forms there, and mails links to it', async () => {
    const { app } = (await places(development).of(opening('http://localhost:8842/')))!
    const post = (path: string, body: object) =>
      app().fetch(
        new Request(`http://localhost:8842/api/auth${path}`, {
          method: 'POST',
          headers: { origin: 'http://localhost:8842', 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
        development,
        context,
      )
    const person = { name: 'Ada', email: 'ada@port.example.com', password: 'correct horse battery' }
    expect((await post('/sign-up/email', person)).status).toBe(200)
  })
})

describe('without BASE_URL, in production', () => {
  it('is where a browser opens it first, for ever', async () => {
    expect(await originOf(places(), opening('https://accounts.acme.workers.dev/sign-up'))).toBe(
      'https://accounts.acme.workers.dev',
    )
    // Another isolate.
    const other = places()
    expect(await originOf(other, opening('https://other.acme.workers.dev/'))).toBe('https://accounts.acme.workers.dev')
    expect((await other.known())?.runtime.settings).toMatchObject({ baseUrlIsTaken: true })
  })

  it('one of 20 isolates wins', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => originOf(places(), opening(`https://host-${n}.acme.workers.dev/`))),
    )
    expect(new Set(all).size).toBe(1)
    const stored = await env.DB.prepare('SELECT base_url FROM deployment').all()
    expect(stored.results).toEqual([{ base_url: all[0] }])
  })

  it.each([
    ['another host, with the header of a browser', opening('https://mail.example.com/')],
    ['a host that contains workers.dev', opening('https://acme.ada.workers.dev.example.com/')],
    ['a host below a zone of the same end', opening('https://acme.ada-workers.dev/')],
    ['a script', new Request('https://accounts.acme.workers.dev/', { headers: { 'sec-fetch-mode': 'cors' } })],
    ['a scanner', new Request('https://accounts.acme.workers.dev/')],
    ['a form', opening('https://accounts.acme.workers.dev/', {}, 'POST')],
    ['http', opening('http://accounts.acme.workers.dev/')],
    ['another port', opening('https://accounts.acme.workers.dev:8443/')],
    ['an address', opening('https://192.0.2.7/')],
    ['an IPv6 address', opening('https://[2001:db8::7]/')],
    ['a host without a domain', opening('https://localhost/')],
    ['a version', opening('https://1a2b3c4d-acme.somebody.workers.dev/')],
    [
      'headers',
      new Request('https://192.0.2.7/', {
        headers: { 'x-forwarded-host': 'evil.example.com', 'sec-fetch-mode': 'navigate' },
      }),
    ],
  ])('is not taken from %s', async (_, request) => {
    expect(await originOf(places(), request)).toBeNull()
    expect(await env.DB.prepare('SELECT * FROM deployment').first()).toBeNull()
  })

  it('is still the one that an earlier version has taken from another host', async () => {
    await env.DB.prepare(
      "INSERT INTO deployment (id, base_url, locked_at) VALUES (1, 'https://accounts.example.com', 1)",
    ).run()
    expect(await originOf(places(), opening('https://mail.example.com/'))).toBe('https://accounts.example.com')
  })

  it('is taken from the address of a Worker at workers.dev', async () => {
    expect(await originOf(places(), opening('https://acme.somebody.workers.dev/'))).toBe(
      'https://acme.somebody.workers.dev',
    )
  })

  it('still refuses the placeholder, and an invalid configuration at its start', () => {
    expect(() => places({ ...production, BASE_URL: 'https://accounts.example.invalid' })).toThrow(/^BASE_URL: is still/)
    expect(() => deploymentPlaces({ session: { expiresIn: 0 } }, production)).toThrow(/^session\.expiresIn: /)
    expect(() => deploymentPlaces({ ...config, cookies: { domain: 'example.com' } }, production)).toThrow(
      /^BASE_URL: is missing/,
    )
  })
})
