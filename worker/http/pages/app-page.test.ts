import { describe, expect, it } from 'vitest'
import { type Answer, type env, TestApp } from '../../testing/harness.ts'

const html = '<!doctype html><p>App</p>'
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

describe('the sign-in as it stands in the page', () => {
  const built = `<!doctype html><html lang="en"><head><title>Gatehouse</title>
    <link rel="stylesheet" href="/api/auth/brand.css" /><script>theme()</script><style>body{}</style></head>
    <body><div id="app"></div></body></html>`
  const files = {
    fetch: async () => new Response(built, { headers: { 'content-type': 'text/html', etag: '"of the file"' } }),
  } as unknown as typeof env.ASSETS
  const app = new TestApp(
    { appName: 'Acme </script><b>$&', trustedOrigins: ['https://shop.example.com'], username: { enabled: true } },
    { ASSETS: files },
  )
  const page = async (path: string, headers: Record<string, string> = {}, tested = app): Promise<Answer> =>
    tested.fetch(new Request(`http://localhost:8787${path}`, { headers }))

  it('200: holds the form in the language of the browser, and its own title', async () => {
    const { body } = await page('/sign-in')
    for (const part of ['name="identifier"', 'name="password"', 'type="submit"', 'Sign in to Acme']) {
      expect(body).toContain(part)
    }
    expect(body).toContain('<html lang="en">')
    const german = (await page('/sign-in', { 'accept-language': 'de-CH, de' })).body
    expect(german).toContain('<html lang="de">')
    expect(german).toContain('Passwort vergessen?')
  })

  it('never sends a password anywhere by itself', async () => {
    expect((await page('/sign-in')).body).toContain('<form method="dialog"')
  })

  it('holds what GET /config answers, on every screen, and no name ends its element', async () => {
    const { body } = await page('/sign-up')
    const [, text] = /<script id="config" type="application\/json">(.*?)<\/script>/s.exec(body)!
    expect(JSON.parse(text!)).toEqual((await app.device().get('/config')).body)
    expect(body).not.toContain('<b>')
    expect((await page('/sign-in')).body).not.toContain('<b>')
  })

  it('allows by its hash what the page was made with, and nothing else inline', async () => {
    const { headers, body } = await page('/sign-in')
    const hash = async (text: string) => {
      const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
      return `'sha256-${btoa(String.fromCharCode(...bytes))}'`
    }
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain(`script-src 'self' ${await hash('theme()')};`)
    const styles = [...(body as string).matchAll(/<style>(.*?)<\/style>/gs)].map(([, text]) => text!)
    expect(styles).toHaveLength(2)
    expect(styles[0]).toContain('--brand-accent')
    for (const style of styles) expect(policy).toContain(await hash(style))
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/ style="/)
  })

  it('is kept by nobody for another person or language', async () => {
    const { headers } = await page('/sign-in')
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-cache'])
    expect(headers.get('vary')).toContain('accept-language, cookie')
  })

  it.each([
    ['/sign-up', false],
    ['/sign-in?error=access_denied', false],
    ['/sign-in?callbackURL=https://evil.example', false],
    ['/sign-in?callbackURL=//evil.example', false],
    ['/sign-in?callbackURL=/account/security', true],
    ['/sign-in?callbackURL=https://shop.example.com/cart', true],
  ])('%s has the form: %j', async (path, has) => {
    const { body } = await page(path)
    expect(body.includes('id="first"')).toBe(has)
    expect(body).not.toContain('evil')
    if (path.includes('shop')) expect(body).toContain('to continue to shop.example.com')
  })

  it('is not for whoever has a session, nor where nobody has a password', async () => {
    const device = app.device()
    await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password' })
    const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await page('/sign-in', { cookie })).body).not.toContain('id="first"')
    const without = new TestApp({ emailAndPassword: { enabled: false } }, { ASSETS: files })
    expect((await page('/sign-in', {}, without)).body).not.toContain('id="first"')
  })
})

describe('the scripts of a screen', () => {
  const scripts = {
    visitor: { '/': ['home.js'], '/sign-in': ['sign-in.js', 'form.js'] },
    member: { '/account/profile': ['profile.js', 'member.js'], '/admin/users/:id': ['user.js', 'member.js'] },
    languages: { de: ['de.js'] },
  }
  const built = `<head><script id="scripts" type="application/json">${JSON.stringify(scripts)}</script></head>`
  const files = { fetch: async () => new Response(built) } as unknown as typeof env.ASSETS
  const app = new TestApp({}, { ASSETS: files })
  const asked = async (path: string, headers: Record<string, string> = {}) => {
    const { body } = await app.fetch(new Request(`http://localhost:8787${path}`, { headers }))
    expect(body).not.toContain('json')
    return [...String(body).matchAll(/<link rel="modulepreload" crossorigin href="\/(.*?)">/g)].map(([, file]) => file)
  }

  it('are asked for with the page', async () => {
    const device = app.device()
    await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password' })
    const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect(await asked('/sign-in')).toEqual(['sign-in.js', 'form.js'])
    expect(await asked('/admin/users/abc', { cookie })).toEqual(['user.js', 'member.js'])
    expect(await asked('/', { cookie })).toEqual(['home.js', 'profile.js', 'member.js'])
    expect(await asked('/account/profile', { cookie })).toEqual(['profile.js', 'member.js'])
  })

  it('are those of the sign-in where there is no session', async () => {
    expect(await asked('/')).toEqual(['home.js', 'sign-in.js', 'form.js'])
    expect(await asked('/account/profile')).toEqual(['sign-in.js', 'form.js'])
  })

  it('come with those of the language', async () => {
    expect(await asked('/sign-in', { 'accept-language': 'de' })).toEqual(['sign-in.js', 'form.js', 'de.js'])
  })

  it('are none where there is no screen, or where the build has none', async () => {
    expect([await asked('/nowhere'), await asked('/goodbye')]).toEqual([[], []])
  })
})
