import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fontFile } from '../../worker/kit/brand.ts'
import { contrast } from '../../worker/kit/contrast.ts'
import { lookNames } from '../../worker/kit/looks.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice, shiftOf } from './browser.ts'
import { lookAt } from './look-at.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []
const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }

beforeAll(async () => {
  server = await startServer({
    vars: { ADMIN_EMAILS: root.email },
    config: {
      appName: 'Acme',
      socialProviders: { github: { clientId: 'id', clientSecret: 'secret' } },
      brand: {
        accent: { light: '#7a1fa2', dark: '#e1b3f5' },
        logo: { light: '/favicon.svg?by=day', dark: '/favicon.svg?by=night' },
        favicon: { light: '/favicon.svg?icon=day', dark: '/favicon.svg?icon=night' },
        support: 'mailto:help@acme.example',
      },
    },
  })
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

describe('the brand on the screens, without a build of its own', () => {
  const logo = () =>
    page.locator('header img, main img, a img').and(page.locator(':visible')).first().getAttribute('src')

  it('the logo follows the theme: of the system, and the one that was chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('heading', { level: 1, name: 'Sign in to Acme' }).waitFor()
    await expect.poll(logo).toContain('by=day')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(logo).toContain('by=night')
    await page.evaluate("document.documentElement.dataset.theme = 'light'")
    await expect.poll(logo).toContain('by=day')
    await page.evaluate("document.documentElement.dataset.theme = 'dark'")
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(logo).toContain('by=night')
    await page.evaluate('delete document.documentElement.dataset.theme')
  })

  it('the colour, the link to support, and the picture of the window', async () => {
    const leading = "getComputedStyle(document.querySelector('form[method=dialog] [type=submit]')).backgroundColor"
    await expect.poll(() => page.evaluate(leading)).toBe('rgb(122, 31, 162)')
    await expect
      .poll(() => page.getByRole('link', { name: 'Support' }).getAttribute('href'))
      .toBe('mailto:help@acme.example')
    const icons = await page
      .locator('link[rel=icon]')
      .evaluateAll((links) => links.map((link) => [link.getAttribute('media'), link.getAttribute('href')]))
    const landed = await Promise.all(icons.map(async ([, href]) => (await fetch(server.url + href)).url))
    expect(icons.map(([media]) => media)).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)'])
    expect(landed).toEqual([`${server.url}/favicon.svg?icon=day`, `${server.url}/favicon.svg?icon=night`])
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })
})

describe('the appearance', () => {
  const withBrand = (brand: object, path = '/sign-in') =>
    `${server.url}${path}?brand-preview=${encodeURIComponent(JSON.stringify(brand))}`
  const style = (element: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${element}')).${property}`)
  const ready = () => page.getByRole('link', { name: 'Create an account' }).waitFor()

  it('a logo that does not load leaves the mark and the name', async () => {
    await page.goto(withBrand({ logo: { light: '/api/auth/no-logo.png', dark: '/api/auth/no-logo.png' } }))
    await ready()
    const name = page.locator('header a span, main a span').first()
    await expect.poll(() => name.evaluate((one) => one.className)).not.toContain('sr-only')
    await expect.poll(() => name.textContent()).not.toBe('')
    await page.goto(withBrand({ logo: { light: '/favicon.svg', dark: '/favicon.svg' } }))
    await ready()
    await expect.poll(() => name.evaluate((one) => one.className)).toContain('sr-only')
  })

  it('corners, place of the logo and background, in the first screen too, without a shift', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(withBrand({ radius: 'large', logoPosition: 'start', background: { color: '#123456' } }))
    await ready()
    await expect.poll(() => style('main', 'borderRadius')).toBe('24px')
    await expect.poll(() => style('form[method=dialog] [type=submit]', 'borderRadius')).toBe('14px')
    await expect.poll(() => style('h1', 'textAlign')).toBe('start')
    await expect
      .poll(() => page.evaluate("getComputedStyle(document.querySelector('.visitor'), '::before').backgroundColor"))
      .toBe('rgb(18, 52, 86)')
    expect(await shiftOf(page)).toBeLessThan(0.02)
    await lookAt(page, 'brand-colour')
    await page.goto(
      withBrand({ radius: 'small', background: { picture: '/favicon.svg', color: '#e8eefc', layout: 'split' } }),
    )
    await ready()
    const right = await page.evaluate<number>("document.querySelector('main').getBoundingClientRect().right")
    expect(right).toBeLessThan(640)
    await lookAt(page, 'brand-split')
  })

  it('a fixed theme, no switches, and the order of the ways', async () => {
    await page.goto(`${server.url}/sign-in`)
    await page.evaluate("localStorage.setItem('theme', 'light')")
    await page.goto(
      withBrand({ theme: 'dark', themeSwitch: false, languageSwitch: false, ways: ['passkey', 'social'] }),
    )
    const github = page.getByRole('button', { name: /GitHub/ })
    const passkey = page.getByRole('button', { name: /passkey/i }).first()
    const [first, second] = [(await passkey.boundingBox())!, (await github.boundingBox())!]
    expect(first.y).toBeLessThan(second.y)
    await expect.poll(() => style('html', 'colorScheme')).toBe('dark')
    await expect.poll(() => page.getByRole('radio').count()).toBe(0)
    await expect.poll(() => page.locator('footer select').count()).toBe(0)
    // With the switch the user's choice wins, also that of the system's theme.
    await page.goto(withBrand({ theme: 'dark' }))
    await expect.poll(() => style('html', 'colorScheme')).toBe('light')
    await page.getByRole('radio', { name: 'System' }).check({ force: true })
    await page.reload()
    await expect.poll(() => style('html', 'colorScheme')).toBe('light dark')
    await page.evaluate("localStorage.removeItem('theme')")
  })

  it('/dev/brand shows the screens with other options, warns, and writes the configuration', async () => {
    await page.goto(`${server.url}/dev/brand`)
    await page.getByRole('heading', { level: 1, name: 'The brand' }).waitFor()
    const configuration = page.getByRole('region', { name: 'Configuration' }).locator('pre')
    await expect.poll(() => configuration.textContent()).toContain("light: '#7a1fa2',")
    await page.getByLabel('Corners', { exact: true }).selectOption('large')
    await page.getByLabel('Theme of the frame').selectOption('dark')
    await expect.poll(() => configuration.textContent()).toContain("radius: 'large',")
    const corners = "getComputedStyle(document.querySelector('form[method=dialog] [type=submit]')).borderRadius"
    const shown = () => page.frames().at(-1)!
    await expect.poll(() => shown().evaluate(corners).catch(String)).toBe('14px')
    await expect.poll(() => shown().evaluate('document.documentElement.dataset.theme').catch(String)).toBe('dark')
    await page.getByLabel('Accent, light theme', { exact: true }).fill('#ffcc00')
    await page
      .getByRole('region', { name: 'Contrast' })
      .getByText('White text on the button, light: 1.5')
      .first()
      .waitFor()
    await page.frameLocator('iframe').getByText('brand.accent.light: has a contrast of 1.5').waitFor()
    await page.getByLabel('Accent, light theme', { exact: true }).fill('#7a1fa2')
    await page.getByLabel('Find a text').fill('create an account')
    await page.getByLabel('signIn.signUp').fill('Join Acme')
    await page.frameLocator('iframe').getByRole('link', { name: 'Join Acme' }).waitFor()
    // The screen in the frame leaves the focus to the field: the next letter belongs there.
    await page.frameLocator('iframe').locator('[data-prerendered]').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.localName')).toBe('input')
    expect((await configuration.textContent())?.replace(/\s+/g, ' ')).toContain(
      "texts: { en: { signIn: { signUp: 'Join Acme', }, }, },",
    )
    await page.getByLabel('signIn.signUp').fill('Join {product}')
    await page.getByText('en: signIn.signUp has the values product; English has none').waitFor()
    await page.getByLabel('signIn.signUp').fill('')
    await expect.poll(() => configuration.textContent()).not.toContain('texts')
    await page.getByLabel('Language of the texts').selectOption('pt-BR')
    await page.getByLabel('Find a text').fill('signIn.title')
    await page.getByLabel('signIn.title', { exact: true }).fill('Entre na {name}')
    await expect.poll(() => configuration.textContent()).toContain("'pt-BR': {")
    await page.getByLabel('Width (px)').selectOption('1280')
    await page.frameLocator('iframe').getByRole('heading', { level: 1 }).waitFor()
    await lookAt(page, 'dev-brand')
    expect(complaints).toEqual([])
  })
})

/** Values of the configuration in place of words. */
const rawValues = `[...document.querySelectorAll('main option')]
  .filter(({ text, value }) => text === value && !Number(value))
  .map(({ value }) => value)`

describe('the page of the console', () => {
  async function openBrand(): Promise<Page> {
    const { page } = await openDevice(chrome.browser)
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    await page.request.post(`${server.url}/api/auth/sign-up/email`, { data: root, headers: { origin: server.url } })
    await page.goto(`${server.url}/admin/users`)
    await page.getByRole('link', { name: 'Brand' }).click()
    await page.getByRole('heading', { level: 1, name: 'Brand' }).waitFor()
    return page
  }

  it('shows looks, elements, slots and mails live, and the configuration for them', async () => {
    const page = await openBrand()
    const rendered = () => page.frameLocator('iframe')
    const inFrame = (expression: string) => page.frames().at(-1)!.evaluate<unknown>(expression).catch(String)
    const configuration = page.getByRole('region', { name: 'Configuration' }).locator('pre')
    await page.getByRole('radio', { name: /^Meadow/ }).check()
    await expect.poll(() => configuration.textContent()).toContain("look: 'meadow',")
    const of = (name: string) => `getComputedStyle(document.documentElement).getPropertyValue('${name}')`
    await expect.poll(() => inFrame(of('--brand-paper'))).toContain('#f2f7f2')
    const button = "getComputedStyle(document.querySelector('form[method=dialog] [type=submit]')).borderRadius"
    await expect.poll(() => inFrame(button)).toBe('999px')
    await page.getByLabel('Element', { exact: true }).selectOption('title')
    await page.getByLabel('Declarations').fill('text-transform: uppercase; color: url(/x)')
    await page.getByText('Not allowed: color: url(/x)').waitFor()
    await page.getByLabel('Declarations').fill('text-transform: uppercase')
    await expect.poll(() => inFrame("getComputedStyle(document.querySelector('h1')).textTransform")).toBe('uppercase')
    await page.getByLabel('Above the screen').fill('Maintenance on Sunday')
    await rendered().getByText('Maintenance on Sunday').waitFor()
    expect((await configuration.textContent())?.replace(/\s+/g, ' ')).toContain(
      "elements: { title: { textTransform: 'uppercase', }, }, slots: { top: 'Maintenance on Sunday', },",
    )
    await page.getByLabel('Screen', { exact: true }).selectOption('Mail: invitation')
    await rendered().getByText('Analytical Engines').filter({ visible: true }).first().waitFor()
    // The accent of the configuration on the paper of the look.
    await expect
      .poll(() => inFrame("getComputedStyle(document.querySelector('.button')).backgroundColor"))
      .toBe('rgb(122, 31, 162)')
    await expect.poll(() => inFrame('getComputedStyle(document.body).backgroundColor')).toBe('rgb(242, 247, 242)')
    await page.getByLabel('Screen', { exact: true }).selectOption('Profile')
    await rendered().getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await expect.poll(() => rendered().getByText('Maintenance on Sunday').isVisible()).toBe(false)
    await page.getByText('Other colours').click()
    await page.getByLabel('Text, light theme', { exact: true }).fill('#bbbbbb')
    await page
      .getByRole('region', { name: 'Contrast' })
      .getByText('Text on paper, light: 1.', { exact: false })
      .first()
      .waitFor()
    await page.getByLabel('Text, light theme', { exact: true }).fill('#16211a')
    await page.getByText(/All \d+ pairs can be read/).waitFor()
    await lookAt(page, 'console-brand')
    await page.evaluate("localStorage.setItem('language', 'de')")
    await page.reload()
    const german = page.getByRole('region', { name: 'Konfiguration' }).locator('pre')
    await page.getByLabel('Ecken', { exact: true }).selectOption({ label: 'Groß' })
    await expect.poll(() => german.textContent()).toContain("radius: 'large',")
    await page.getByRole('button', { name: 'Nach oben: Passkey' }).click()
    await expect.poll(() => german.textContent()).toContain("ways: ['social', 'passkey'],")
    await expect.poll(() => page.evaluate<string[]>(rawValues)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('looks', () => {
  it.each(lookNames)('%s: the sign-in in both themes, at both widths, without a shift', async (look) => {
    const { page, context } = await openDevice(chrome.browser)
    const brand = {
      look,
      background: { layout: 'split' },
      slots: { beside: 'Reports in one minute', bottom: 'Acme Ltd' },
    }
    await page.goto(`${server.url}/sign-in?brand-preview=${encodeURIComponent(JSON.stringify(brand))}`)
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    expect(await shiftOf(page)).toBeLessThan(0.02)
    await lookAt(page, `look-${look}`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.getByText('Reports in one minute').isVisible()).toBe(true)
    await page.setViewportSize({ width: 360, height: 800 })
    await expect.poll(() => page.getByText('Reports in one minute').isVisible()).toBe(false)
    await expect.poll(() => page.getByText('Acme Ltd').isVisible()).toBe(true)
    await context.close()
  })
})

describe('a configured brand', () => {
  const google = { google: { clientId: 'id', clientSecret: 'secret' } }
  const pages = { terms: 'https://acme.example/terms', privacy: 'https://acme.example/privacy' }
  const own: TestServer[] = []
  afterAll(() => Promise.all(own.map((one) => one.close())))

  async function open(brand: object, path: string): Promise<Page> {
    const other = await startServer({ config: { appName: 'Acme', socialProviders: google, brand } })
    own.push(other)
    const { page } = await openDevice(chrome.browser)
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    await page.goto(other.url + path)
    await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
    return page
  }

  it('shows marks of providers in their colours, or in that of the text', async () => {
    const colours = async (providerMarks: 'color' | 'mono') => {
      const page = await open({ providerMarks }, '/sign-in')
      await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
      return page.evaluate<string[]>(`[...new Set([...document.querySelectorAll('#app button')]
        .filter((button) => button.textContent.includes('Google'))
        .flatMap((button) => [...button.querySelectorAll('svg path')])
        .map((path) => getComputedStyle(path).fill))]`)
    }
    expect(await colours('color')).toEqual([
      'rgb(66, 133, 244)',
      'rgb(52, 168, 83)',
      'rgb(251, 188, 5)',
      'rgb(234, 67, 53)',
    ])
    expect(await colours('mono')).toHaveLength(1)
  })

  it('names terms and privacy policy at sign-up, with targets of 40 px in the footer', async () => {
    const page = await open({ ...pages, support: 'mailto:help@acme.example' }, '/sign-up')
    const sentence = page.getByText('By creating an account you agree to the terms of use and confirm')
    await sentence.waitFor()
    const links = await sentence.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual([pages.terms, pages.privacy])
    const heights = await page
      .locator('footer :is(a, select, label)')
      .evaluateAll((all) => all.map((node) => node.getBoundingClientRect().height))
    expect(heights.length).toBeGreaterThanOrEqual(6)
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(40)
  })

  it('loads its own font under the content security policy', async () => {
    const page = await open({ font: fontFile }, '/sign-in')
    await expect
      .poll(() => page.evaluate("document.fonts.load('16px Brand').then(([font]) => font.status)"))
      .toBe('loaded')
    await expect.poll(() => page.evaluate('getComputedStyle(document.body).fontFamily')).toMatch(/^"?Brand/)
    expect(complaints).toEqual([])
  })
})

describe('texts of the configuration', () => {
  it('replace ours, add a language, and are there after the choice of another one', async () => {
    const texts = {
      en: { signIn: { title: 'Welcome to {name}' } },
      nl: { signIn: { title: 'Inloggen bij {name}' }, common: { language: 'Taal' } },
    }
    const other = await startServer({ config: { appName: 'Acme', brand: { texts } } })
    const { context, page } = await openDevice(chrome.browser)
    try {
      await page.goto(`${other.url}/sign-in`)
      const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
      await heading('Welcome to Acme')
      await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Nederlands' })
      await heading('Inloggen bij Acme')
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('nl')
      await page.reload()
      await heading('Inloggen bij Acme')
      await page.getByRole('combobox').selectOption({ label: 'Deutsch' })
      await heading('Bei Acme anmelden')
      expect((await (await fetch(`${other.url}/dev/texts`)).json()) as object).toEqual({
        problems: ['nl: common does not exist in English'],
      })
    } finally {
      await context.close()
      await other.close()
    }
  })
})

describe('fills', () => {
  // The colours as the browser paints them.
  const painted = `['--color-accent-fill', '--color-accent-fill-strong', '--color-danger-fill', '--color-danger-fill-strong',
    '--color-paper', '--color-surface'].map((name) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')
    const element = document.body.appendChild(document.createElement('i'))
    element.style.color = 'var(' + name + ')'
    canvas.fillStyle = getComputedStyle(element).color
    element.remove()
    canvas.fillRect(0, 0, 1, 1)
    return '#' + [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('')
  })`

  it.each(['light', 'dark'] as const)(
    'stand out and are readable in the %s theme, with and without an accent',
    async (theme) => {
      const plain = await startServer()
      await page.emulateMedia({ colorScheme: theme })
      for (const { url } of [server, plain]) {
        await page.goto(`${url}/sign-in`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const [accent, accentStrong, danger, dangerStrong, ...papers] = await page.evaluate<string[]>(painted)
        for (const fill of [accent, accentStrong, danger, dangerStrong]) {
          expect(contrast(fill!, '#ffffff'), fill).toBeGreaterThanOrEqual(4.5)
          for (const paper of papers) expect(contrast(fill!, paper), fill).toBeGreaterThanOrEqual(3)
        }
      }
      await plain.close()
    },
  )
})
