import { describe, expect, it } from 'vitest'
import { type Answer, env, TestApp } from '../../testing/harness.ts'

const html = '<!doctype html><p>App</p>'
const ASSETS = {
  fetch: async () => new Response(html, { headers: { 'content-type': 'text/html', 'x-frame-options': 'DENY' } }),
} as unknown as typeof env.ASSETS

const at = (app: TestApp, path: string): Promise<Answer> => app.fetch(new Request(`http://localhost:8787${path}`))

describe("the app's pages", () => {
  const app = new TestApp({}, { ASSETS })

  it.each(['/', '/sign-in', '/account/security', '/sign-in?callbackURL=/x'])('200: %s is a screen', async (path) => {
    const { status, body, headers } = await at(app, path)
    expect({ status, body }).toEqual({ status: 200, body: html })
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/nowhere', '/account', '/sign-in/nowhere'])("404 with the app's page: %s is not a screen", async (path) => {
    const { status, body } = await at(app, path)
    expect({ status, body }).toEqual({ status: 404, body: html })
  })

  it.each(['/assets/index-old.js', '/favicon.ico', '/robots.txt'])(
    '404 without a page: the file %s does not exist',
    async (path) => {
      const { status, body, headers } = await at(app, path)
      expect({ status, body, contentType: headers.get('content-type') }).toEqual({
        status: 404,
        body: 'Not Found',
        contentType: 'text/plain',
      })
    },
  )

  it.each(['/api/auth/nowhere', '/api', '/.well-known/nowhere'])('404 in JSON: %s belongs to the API', async (path) => {
    const { status, body } = await at(app, path)
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT_FOUND' })
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

describe('the sign-in form in the page', () => {
  const built = `<!doctype html><html lang="en"><head><title>Gatehouse</title>
    <link rel="preload" href="/inter.woff2" as="font" crossorigin />
    <link rel="stylesheet" href="/api/auth/brand.css" /><script>theme()</script><style>body{}</style></head>
    <body><div id="app"></div></body></html>`
  const files = {
    fetch: async (request: Request | URL) =>
      request instanceof URL
        ? env.ASSETS.fetch(request)
        : new Response(built, { headers: { 'content-type': 'text/html', etag: '"of the file"' } }),
  } as unknown as typeof env.ASSETS
  const app = new TestApp(
    { appName: 'Acme </script><b>$&', trustedOrigins: ['https://shop.example.com'], username: { enabled: true } },
    { ASSETS: files },
  )
  const page = async (path: string, headers: Record<string, string> = {}, tested = app): Promise<Answer> =>
    tested.fetch(new Request(`http://localhost:8787${path}`, { headers }))

  it('has the theme and the font of the brand, and the policy allows exactly that font', async () => {
    const plain = await page('/sign-in')
    expect(plain.body).toContain('<html lang="en" dir="ltr"')
    expect(plain.body).toContain('href="/inter.woff2"')
    expect(plain.headers.get('content-security-policy')).toContain("font-src 'self';")
    const brand = { theme: 'dark', themeSwitch: false, font: 'https://acme.example/a;b.woff2?v=1' } as const
    const { body, headers } = await page('/sign-in', {}, new TestApp({ brand }, { ASSETS: files }))
    expect(body).toMatch(/<html lang="en"[^>]* data-theme="dark" data-fixed-theme="">/)
    expect(body).toContain('href="https://acme.example/a;b.woff2?v=1"')
    expect(headers.get('content-security-policy')).toContain("font-src 'self' https://acme.example/a%3Bb.woff2;")
  })

  it('200: holds the form in the language of the browser, and its own title', async () => {
    const { body } = await page('/sign-in')
    for (const part of ['name="identifier"', 'name="password"', 'type="submit"', 'Sign in to Acme']) {
      expect(body).toContain(part)
    }
    expect(body).toContain('<html lang="en" dir="ltr"')
    const german = (await page('/sign-in', { 'accept-language': 'de-CH, de' })).body
    expect(german).toContain('<html lang="de" dir="ltr"')
    expect(german).toContain('Weiter')
    const combined = new TestApp({ signIn: { flow: 'combined' } }, { ASSETS: files })
    expect((await page('/sign-in', { 'accept-language': 'de' }, combined)).body).toContain('Passwort vergessen?')
  })

  it('never sends a password without a script', async () => {
    expect((await page('/sign-in')).body).toMatch(/<form [^>]*method="dialog"/)
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

  it('is not cached for another user or language', async () => {
    const { headers } = await page('/sign-in')
    expect({ etag: headers.get('etag'), cacheControl: headers.get('cache-control') }).toEqual({
      etag: null,
      cacheControl: 'no-cache',
    })
    expect(headers.get('vary')).toContain('accept-language, cookie')
  })

  it.each([
    ['/sign-up', true],
    ['/sign-up?error=access_denied', false],
    ['/sign-up?callbackURL=https://evil.example', false],
    ['/forgot-password', false],
    ['/sign-in?error=access_denied', false],
    ['/sign-in?callbackURL=https://evil.example', false],
    ['/sign-in?callbackURL=//evil.example', false],
    ['/error?error=access_denied', true],
    ['/error?error=access_denied&callbackURL=https://evil.example', false],
    ['/sign-in?callbackURL=/account/security', true],
    ['/sign-in?callbackURL=https://shop.example.com/cart', true],
  ])('%s has the form: %j', async (path, has) => {
    const { body } = await page(path)
    expect(body.includes('data-prerendered=')).toBe(has)
    expect(body).not.toContain('evil')
    if (path.includes('shop')) expect(body).toContain('to continue to shop.example.com')
  })

  it.each(['/account/profile', '/organizations/new', '/sign-in'])(
    '%s with a session takes no callback of another site as checked',
    async (path) => {
      const device = app.device()
      const email = `${path.split('/').at(-1)}@example.com`
      await device.post('/sign-up/email', { name: 'Ada', email, password: 'a long password' })
      const cookie = { cookie: [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ') }
      const trusted = await page(`${path}?callbackURL=https://shop.example.com/cart`, cookie)
      expect(trusted.body.includes('data-prerendered=')).toBe(path !== '/sign-in')
      const { body } = await page(`${path}?callbackURL=https://evil.example`, cookie)
      expect(body).not.toContain('data-prerendered=')
    },
  )

  it('has no sign-up while it is off', async () => {
    const closed = new TestApp({ emailAndPassword: { disableSignUp: true } }, { ASSETS: files })
    const { body } = await page('/sign-up', {}, closed)
    expect(body).not.toContain('data-prerendered=')
  })

  it('has the providers as forms of our origin, which lead on without a script', async () => {
    const google = new TestApp(
      { socialProviders: { google: { clientId: 'id', clientSecret: 'secret' } }, rateLimit: { enabled: false } },
      { ASSETS: files },
    )
    const { body } = await page('/sign-in?callbackURL=/account/security', {}, google)
    expect(body).toContain('action="/api/auth/sign-in/provider" method="post"')
    expect(body).toContain('name="callbackURL" value="/account/security"')
    expect(body).toContain('JavaScript is off in your browser.')
    const send = (provider: string, origin: string) =>
      google.fetch(
        new Request('http://localhost:8787/api/auth/sign-in/provider', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin, cookie: 'a=b' },
          body: new URLSearchParams({ provider, callbackURL: '/account/security' }).toString(),
        }),
      )
    const onward = await send('google', 'http://localhost:8787')
    expect(onward.status).toBe(200)
    expect(onward.body).toMatch(/<meta http-equiv="refresh" content="0;url=https:\/\/accounts\.google\.com\//)
    expect((await send('google', 'https://evil.example')).status).toBe(403)
    expect((await send('unknown', 'http://localhost:8787')).status).toBe(404)
  })

  it('/error is written by the Worker, with the way back', async () => {
    const { body } = await page('/error?error=access_denied')
    for (const part of [' data-prerendered="en"', 'That did not work', 'href="/sign-in"', 'access_denied']) {
      expect(body).toContain(part)
    }
    expect((await page('/error?error=%3Cb%3E')).body).not.toContain('<b>')
  })

  it('is absent for a caller with a session, and has the other ways where passwords are disabled', async () => {
    const device = app.device()
    await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password' })
    const cookie = [...device.jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await page('/sign-in', { cookie })).body).not.toContain(' data-prerendered="en"')
    const without = new TestApp({ emailAndPassword: { enabled: false } }, { ASSETS: files })
    const other = (await page('/sign-in', {}, without)).body
    expect(other).toContain('href="/sign-in/link"')
    expect(other).not.toContain('name="identifier"')
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

  it('are absent without a screen, or without scripts in the build', async () => {
    expect({ nowhere: await asked('/nowhere'), goodbye: await asked('/goodbye') }).toEqual({ nowhere: [], goodbye: [] })
  })
})
