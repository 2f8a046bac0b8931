import { describe, expect, it } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { greys } from '../../../kit/brand.ts'
import { contrast } from '../../../kit/contrast.ts'
import { type env, TestApp } from '../../../testing/harness.ts'

const acme = {
  logo: 'https://acme.example/logo.svg',
  accent: { light: '#7a1fa2', dark: '#e1b3f5' },
  terms: '/terms',
  support: 'mailto:help@acme.example',
} as const

describe('GET /brand.css', () => {
  it('has the configured accent for both themes', async () => {
    const { status, headers, body } = await new TestApp({ brand: acme }).device().get('/brand.css')
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/css; charset=utf-8',
    })
    expect(body).toContain('--brand-accent: light-dark(#7a1fa2, #e1b3f5);')
    expect(body).toContain('--brand-fill: light-dark(#7a1fa2, #')
  })

  it.each([undefined, '#7a1fa2', '#000000', '#0000ff', '#b00020', '#00695c', '#757575'])(
    'has fills that white text can be read on, and that stand out from their paper, with the accent %s',
    async (light) => {
      const app = new TestApp(light ? { brand: { accent: { light } } } : {})
      const { body } = await app.device().get('/brand.css')
      const [, day = '', night = ''] = /--brand-fill: light-dark\((#\w{6}), (#\w{6})\);/.exec(String(body)) ?? []
      expect(day).toBe(light ?? '#2350c0')
      for (const theme of ['light', 'dark'] as const) {
        const fill = theme === 'light' ? day : night
        expect(contrast(fill, '#ffffff')).toBeGreaterThanOrEqual(4.5)
        for (const paper of [greys.paper, greys.surface, greys.sunken]) {
          expect(contrast(fill, paper[theme])).toBeGreaterThanOrEqual(3)
        }
      }
    },
  )
})

describe('the appearance in GET /brand.css', () => {
  const styleOf = async (brand: Config['brand']) =>
    String((await new TestApp({ brand }).device().get('/brand.css')).body)

  it('is only the accent without further options', async () => {
    expect((await styleOf({})).match(/[^{}]+(?={)/g)).toEqual([':root '])
  })

  it('corners, font and place of the logo', async () => {
    const style = await styleOf({ radius: 'large', font: '/fonts/acme.woff2?v=1', logoPosition: 'start' })
    expect(style).toContain('--brand-radius: 14px; --brand-radius-lg: 24px;')
    expect(style).toContain(
      'src: url("/fonts/acme.woff2?v=1") format("woff2"); font-weight: 400 700; font-display: optional;',
    )
    expect(style).toContain('--brand-font: "Brand"')
    expect(style).toContain('.visitor-brand { justify-content: flex-start; }')
  })

  it('a background of a colour, of pictures, and beside the sheet', async () => {
    expect(await styleOf({ background: { color: '#123456' } })).toContain(
      'background-color: light-dark(#123456, #123456)',
    )
    const both = { light: 'https://acme.example/day.jpg', dark: '/night.jpg' }
    const pictures = await styleOf({ background: { picture: both } })
    expect(pictures).toContain('.visitor::before { content: ""; position: fixed;')
    expect(pictures).toContain('.visitor > main { border: 1px solid')
    expect(pictures).toContain(':root[data-theme="dark"] .visitor::before { background-image: url("/night.jpg"); }')
    const split = await styleOf({ background: { picture: '/hills.jpg', layout: 'split' } })
    expect(split).toMatch(/@media \(min-width: 64rem\) {\n\.visitor { width: 50%/)
    expect(split).not.toContain('.visitor > main')
  })

  it('an address cannot leave its place', async () => {
    const style = await styleOf({
      font: '/a.woff2?")}</style><b>',
      background: { picture: "https://acme.example/\\');x.jpg" },
    })
    expect(style).toContain('url("/a.woff2?%22)}%3C/style%3E%3Cb%3E")')
    expect(style).toContain('url("https://acme.example/\');x.jpg")'.replace("/'", "//'"))
  })
})

describe('GET /favicon', () => {
  it("302: to the configured picture, of either theme; without one to the app's own", async () => {
    const at = async (favicon: string | { light: string; dark: string } | null, query = '') => {
      const app = new TestApp({ brand: { favicon } })
      const { status, headers } = await app.device().get(`/favicon${query}`)
      expect({ status, cacheControl: headers.get('cache-control') }).toEqual({
        status: 302,
        cacheControl: 'public, max-age=300',
      })
      return headers.get('location')
    }
    expect(await at('https://acme.example/icon.png')).toBe('https://acme.example/icon.png')
    expect(await at('https://acme.example/icon.png', '?theme=dark')).toBe('https://acme.example/icon.png')
    const both = { light: '/day.svg', dark: '/night.svg' }
    expect(await at(both)).toBe('http://localhost:8787/day.svg')
    expect(await at(both, '?theme=dark')).toBe('http://localhost:8787/night.svg')
    expect(await at(null)).toBe('/favicon.svg')
  })
})

describe('GET /config', () => {
  it('returns logo and pages', async () => {
    const { body } = await new TestApp({ brand: acme }).device().get('/config')
    expect(body.brand).toEqual({
      logo: acme.logo,
      terms: '/terms',
      privacy: null,
      support: acme.support,
      providerMarks: 'color',
      ways: [],
      themeSwitch: true,
      languageSwitch: true,
    })
    // Ids of an earlier version.
    const earlier = { ways: ['phone-number' as const, 'access-identity' as const, 'passkey' as const] }
    const { ways } = (await new TestApp({ brand: earlier }).device().get('/config')).body.brand
    expect(ways).toEqual(['phone-otp', 'cloudflare-access', 'passkey'])
    const ordered = { ways: ['passkey' as const], providerMarks: 'mono' as const, themeSwitch: false }
    expect((await new TestApp({ brand: ordered }).device().get('/config')).body.brand).toMatchObject(ordered)
  })
})

describe('the brand', () => {
  it.each([
    [
      'an accent that white text cannot be read on',
      { accent: { light: '#ffcc00' } },
      /brand\.accent\.light: has a contrast of 1\.5/,
    ],
    ['one that cannot be read on dark paper', { accent: { dark: '#1a1a80' } }, /brand\.accent\.dark: has a contrast/],
    ['a colour by name', { accent: { light: 'red' } }, /brand\.accent\.light/],
    ['a picture that is not encrypted on its way', { favicon: 'http://acme.example/i.png' }, /brand\.favicon: .*https/],
    ['a logo for one theme alone', { logo: { light: '/day.svg' } as never }, /brand\.logo/],
    ["another host's address that looks like a path", { logo: '//evil.example/x.svg' }, /brand\.logo/],
    ['a background by name', { background: { color: 'blue' } }, /brand\.background\.color/],
    ['an unknown way to sign in', { ways: ['fax'] as never }, /brand\.ways/],
    ['a font that is not encrypted on its way', { font: 'http://acme.example/a.woff2' }, /brand\.font: .*https/],
    ['a script for an address', { terms: 'javascript:alert(1)' }, /brand\.terms/],
  ])('%s stops the start', (_what, brand, message) => {
    expect(() => new TestApp({ brand })).toThrow(message)
  })
})

it('the logo of either theme is in the first screen and in the frame of signed-in screens', async () => {
  const logo = { light: '/day.svg', dark: '/night.svg' }
  const device = new TestApp({ brand: { logo } }).device()
  const page = async (path: string) => (await device.get<string>(`http://localhost:8787${path}`)).body
  const addresses = (html: string) =>
    [...html.matchAll(/<img src="([^"]+)"[^>]* (by-\w+)"\/>/g)].map((found) => found.slice(1))
  const both = [
    ['/day.svg', 'by-day'],
    ['/night.svg', 'by-night'],
  ]
  expect(addresses(await page('/sign-in'))).toEqual(both)
  await device.post('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'a long password' })
  expect(addresses(await page('/account/profile'))).toEqual(both)
})

describe('the preview in development', () => {
  const html = '<!doctype html><html lang="en"><head><link rel="stylesheet" href="/api/auth/brand.css" /></head></html>'
  const ASSETS = {
    fetch: async () => new Response(html, { headers: { 'content-type': 'text/html' } }),
  } as unknown as typeof env.ASSETS
  const at = (app: TestApp, path: string) => app.fetch(new Request(`http://localhost:8787${path}`))
  const asked = (brand: object) => `/sign-in?brand-preview=${encodeURIComponent(JSON.stringify(brand))}`

  it('shows a screen with the options of the query, in a frame of ours; without it nothing changes', async () => {
    const app = new TestApp({ brand: acme }, { ASSETS })
    const { status, body, headers } = await at(app, asked({ radius: 'small', theme: 'dark' }))
    expect(status).toBe(200)
    expect(body).toContain('--brand-radius: 4px')
    expect(body).toContain('data-theme="dark"')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const plain = await at(app, '/sign-in')
    expect(plain.body).not.toContain('--brand-radius')
    expect(plain.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('400: names options that are not valid', async () => {
    const app = new TestApp({}, { ASSETS })
    const { status, body } = await at(app, asked({ accent: { light: '#ffcc00' } }))
    expect({ status, body }).toEqual({
      status: 400,
      body: expect.stringMatching(/^brand\.accent\.light: has a contrast/),
    })
    expect((await at(app, '/sign-in?brand-preview={')).status).toBe(400)
  })

  it('GET /dev/brand is a page, and /dev/brand.json has the options; in production neither exists', async () => {
    const app = new TestApp({ brand: acme }, { ASSETS })
    expect((await at(app, '/dev/brand')).headers.get('content-security-policy')).toContain("frame-src 'self'")
    expect((await at(app, '/dev/brand.json')).body).toMatchObject({
      current: { accent: acme.accent, radius: 'medium' },
      defaults: { accent: { light: '#2350c0' } },
    })
    const deployed = new TestApp(
      { brand: acme, mail: { transport: 'smtp' } },
      { ASSETS, ENVIRONMENT: 'production', BASE_URL: 'https://accounts.example.com', SMTP_HOST: 'mail.example.com' },
    )
    for (const path of ['/dev/brand', '/dev/brand.json']) expect((await at(deployed, path)).status).toBe(404)
    expect((await at(deployed, asked({ radius: 'small' }))).body).not.toContain('--brand-radius')
  })
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#123456', '#123456', 1],
  ])('of %s and %s is %d', (one, other, expected) => {
    expect(contrast(one, other)).toBeCloseTo(expected, 2)
  })
})
