import { describe, expect, it } from 'vitest'
import { type Answer, type env, TestApp } from '../../testing/harness.ts'

const html = '<!doctype html><title>App</title>'
const ASSETS = {
  fetch: async () => new Response(html, { headers: { 'content-type': 'text/html', 'x-frame-options': 'DENY' } }),
} as unknown as typeof env.ASSETS

const at = (app: TestApp, path: string): Promise<Answer> => app.fetch(new Request(`http://localhost:8787${path}`))

describe("the app's pages", () => {
  const app = new TestApp({}, { ASSETS })

  it.each(['/', '/sign-in', '/account/security', '/sign-in?callbackURL=/x'])('200: %s is a screen', async (path) => {
    const { status, body, headers } = await at(app, path)
    expect([status, body]).toEqual([200, html])
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/nowhere', '/account', '/sign-in/nowhere'])("404 with the app's page: %s is none", async (path) => {
    const { status, body } = await at(app, path)
    expect([status, body]).toEqual([404, html])
  })

  it.each(['/assets/index-old.js', '/favicon.ico', '/robots.txt'])(
    '404 without a page: %s is no file',
    async (path) => {
      const { status, body, headers } = await at(app, path)
      expect([status, body, headers.get('content-type')]).toEqual([404, 'Not Found', 'text/plain'])
    },
  )

  it.each(['/api/auth/nowhere', '/api', '/.well-known/nowhere'])('404 in JSON: %s belongs to the API', async (path) => {
    const { status, body } = await at(app, path)
    expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('scripts come from ourselves alone, and from those that a feature needs where it is on', async () => {
    const policy = async (tested: TestApp) => (await at(tested, '/sign-in')).headers.get('content-security-policy')!
    expect(await policy(app)).toContain("script-src 'self';")
    expect(await policy(app)).toContain("frame-src 'none';")
    const google = {
      socialProviders: { google: { clientId: 'id', clientSecret: 'secret' } },
      oneTap: { enabled: true },
    }
    expect(await policy(new TestApp(google, { ASSETS }))).toContain(
      "script-src 'self' https://accounts.google.com/gsi/client;",
    )
  })
})
