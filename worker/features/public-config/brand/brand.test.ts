import { describe, expect, it } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { contrast } from '../../../kit/contrast.ts'
import { lookNames, looks } from '../../../kit/looks.ts'
import { administrator, plain } from '../../../testing/admins.ts'
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
        const { paper, surface, sunken } = looks.plain.colours
        for (const back of [paper, surface, sunken]) {
          expect(contrast(fill, back[theme])).toBeGreaterThanOrEqual(3)
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

  it.each(lookNames)('the look %s: its colours, corners and elements, which single options change', async (look) => {
    const { colours, radius, elements } = looks[look]
    const style = await styleOf({ look })
    expect(style).toContain(`--brand-accent: light-dark(${colours.accent.light}, ${colours.accent.dark})`)
    const isPlain = look === 'plain'
    const { paper } = colours
    expect(style.includes(`--brand-paper: light-dark(${paper.light}, ${paper.dark})`)).toBe(!isPlain)
    expect(style.includes('--brand-radius')).toBe(radius !== 'medium')
    for (const name of Object.keys(elements)) expect(style).toContain(`:root .${name} {`)
  })

  it('colours of a look, one for both themes or one each', async () => {
    const style = await styleOf({
      look: 'sand',
      accent: { light: '#7a1fa2' },
      colors: { paper: { light: '#fdfdfd', dark: '#101010' } },
      radius: 'small',
    })
    expect(style).toContain('--brand-accent: light-dark(#7a1fa2, #f4ad83);')
    expect(style).toContain('--brand-paper: light-dark(#fdfdfd, #101010);')
    expect(style).toContain('--brand-radius: 4px')
  })

  it('declarations of elements and their states, in addition to those of the look', async () => {
    const style = await styleOf({
      look: 'ink',
      elements: {
        title: { fontWeight: '800' },
        button: { borderRadius: '0', ':hover': { textDecoration: 'underline' } },
      },
    })
    expect(style).toContain(':root .title { font-weight: 800; letter-spacing: -0.03em; }')
    expect(style).toContain(':root .button { border-radius: 0; }\n:root .button:hover { text-decoration: underline; }')
  })

  it('the layout split has the colours of buttons without a picture', async () => {
    expect(await styleOf({ background: { layout: 'split' } })).toContain(
      'linear-gradient(160deg, var(--color-accent-fill)',
    )
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
    expect(body.brand).toMatchObject({
      look: { colors: { accent: acme.accent }, corners: { control: 8, sheet: 14 }, elements: {} },
    })
    expect({ ...body.brand, look: null }).toEqual({
      look: null,
      logo: acme.logo,
      terms: '/terms',
      privacy: null,
      support: acme.support,
      providerMarks: 'color',
      ways: [],
      themeSwitch: true,
      languageSwitch: true,
    })
    expect((await new TestApp().device().get('/config')).body.brand.look).toBeNull()
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
    ['a colour by name', { accent: { light: 'red' } }, /brand\.accent\.light: must be a colour such as #2350c0$/],
    ['a picture that is not encrypted on its way', { favicon: 'http://acme.example/i.png' }, /brand\.favicon: .*https/],
    ['a logo for one theme alone', { logo: { light: '/day.svg' } as never }, /brand\.logo/],
    ["another host's address that looks like a path", { logo: '//evil.example/x.svg' }, /brand\.logo/],
    ['a background by name', { background: { color: 'blue' } }, /brand\.background\.color/],
    ['an unknown way to sign in', { ways: ['fax'] as never }, /brand\.ways/],
    ['a font that is not encrypted on its way', { font: 'http://acme.example/a.woff2' }, /brand\.font: .*https/],
    [
      'a colour without contrast',
      { colors: { text: '#bbbbbb' } },
      /brand\.colors\.text: Text on paper, light: the contrast/,
    ],
    ['a colour for one theme alone', { colors: { text: { light: '#000000' } as never } }, /brand\.colors\.text/],
    ['an unknown look', { look: 'neon' as never }, /brand\.look/],
    ['an unknown element', { elements: { footer: {} } as never }, /brand\.elements/],
    [
      'a rule that ends',
      { elements: { title: { color: 'red } body {' } } },
      /brand\.elements\.title: has a declaration/,
    ],
    ['a value that loads', { elements: { title: { background: 'URL(https://x.example)' } } }, /brand\.elements\.title/],
    ['an empty slot', { slots: { top: '' } }, /brand\.slots\.top/],
    ['a script in a slot', { slots: { top: { text: 'a', href: 'javascript:alert(1)' } } }, /brand\.slots\.top/],
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

const pageHtml =
  '<!doctype html><html lang="en"><head><link rel="stylesheet" href="/api/auth/brand.css" /></head><body><div id="app"></div></body></html>'
const ASSETS = {
  fetch: async () => new Response(pageHtml, { headers: { 'content-type': 'text/html' } }),
} as unknown as typeof env.ASSETS

describe('slots', () => {
  it('are in the page with all their languages, as text', async () => {
    const slots = {
      top: { text: { en: 'Maintenance <b>', de: 'Wartung' }, href: '/status' },
      beside: 'Reports in one minute',
      bottom: 'Acme Ltd',
    }
    const app = new TestApp({ brand: { slots, background: { layout: 'split' } } }, { ASSETS })
    const { body } = await app.fetch(new Request('http://localhost:8787/sign-in'))
    expect(body).toContain(
      '<header><div class="slot slot-top"><p lang="en" dir="ltr"><a href="/status">Maintenance &lt;b&gt;</a></p><p lang="de" dir="ltr"><a href="/status">Wartung</a></p></div></header><div id="app">',
    )
    expect(body).toContain('<aside><div class="slot slot-beside"><p>Reports in one minute</p></div>')
    expect(body).toContain(':root:is(:lang(de)) .slot-top > :lang(en) { display: none; }')
    expect(body).toContain(':root:not(:lang(de)) .slot-top > :lang(de) { display: none; }')
    const plain = new TestApp({ brand: { slots } }, { ASSETS })
    expect((await plain.fetch(new Request('http://localhost:8787/sign-in'))).body).not.toContain(
      '<aside class="slot slot-beside',
    )
  })
})

describe('the preview', () => {
  const production = {
    ASSETS,
    ENVIRONMENT: 'production',
    BASE_URL: 'https://accounts.example.com',
    SMTP_HOST: 'mail.example.com',
  }
  const at = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
    app.fetch(new Request(`http://localhost:8787${path}`, { headers }))
  const asked = (brand: object, more = '') =>
    `/sign-in?brand-preview=${encodeURIComponent(JSON.stringify(brand))}${more}`

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

  it('shows a mail with the options of the query; 404 for an unknown one', async () => {
    const app = new TestApp({}, { ASSETS })
    const { body, headers } = await at(app, asked({ look: 'dusk' }, '&mail=invitation'))
    expect(body).toContain(looks.dusk.colours.paper.dark)
    expect(body).toContain(looks.dusk.colours.accent.light)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect((await at(app, asked({}, '&mail=unknown'))).status).toBe(404)
  })

  it('GET /dev/brand is a page, and /dev/brand.json has the options; in production neither exists', async () => {
    const app = new TestApp({ brand: acme }, { ASSETS })
    expect((await at(app, '/dev/brand')).headers.get('content-security-policy')).toContain("frame-src 'self'")
    expect((await at(app, '/dev/brand.json')).body).toMatchObject({
      current: { accent: acme.accent, look: 'plain' },
      defaults: { accent: { light: null } },
    })
    const deployed = new TestApp({ brand: acme, mail: { transport: 'smtp' } }, production)
    for (const path of ['/dev/brand', '/dev/brand.json']) expect((await at(deployed, path)).status).toBe(404)
  })

  it('in production only a frame of our own page shows it', async () => {
    const app = new TestApp({ brand: acme, mail: { transport: 'smtp' } }, production)
    const path = asked({ radius: 'small' })
    const shown = async (headers: Record<string, string>) => String((await at(app, path, headers)).body)
    const frame = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
    expect(await shown(frame)).toContain('--brand-radius: 4px')
    for (const other of [
      {},
      { ...frame, 'sec-fetch-dest': 'document' },
      { ...frame, 'sec-fetch-site': 'cross-site' },
      { ...frame, 'sec-fetch-site': 'same-site' },
      { ...frame, 'sec-fetch-site': 'none' },
    ])
      expect(await shown(other)).not.toContain('--brand-radius')
    expect((await at(app, '/admin/brand')).headers.get('content-security-policy')).toContain("frame-src 'self'")
    expect((await at(app, '/admin/users')).headers.get('content-security-policy')).toContain("frame-src 'none'")
  })
})

describe('GET /admin/brand', () => {
  it('200: the options in force and the defaults; 401 and 403: for others', async () => {
    const app = new TestApp({ brand: { look: 'meadow' } })
    const { device } = await administrator(app)
    expect(await device.get('/admin/brand')).toMatchObject({
      status: 200,
      body: { current: { look: 'meadow' }, defaults: { look: 'plain' } },
    })
    const ada = await plain(app, { name: 'Ada', email: 'ada@example.com', password: 'a password of hers' })
    expect((await ada.device.get('/admin/brand')).status).toBe(403)
    expect((await app.device().get('/admin/brand')).status).toBe(401)
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
