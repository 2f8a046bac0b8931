import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, inApp, type OpenBrowser, openBrowser, patience } from './browser.ts'

/** The sign-in before and after its scripts arrive. */
const names = { 'demo-google': 'Google', 'demo-github': 'GitHub' }
const person = { email: 'ada@example.com', password: 'a long password of mine' }

let provider: OpenIdProvider
let server: TestServer
/** With `signIn.flow: 'combined'`. */
let combined: TestServer
let chrome: OpenBrowser

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  const config = {
    genericOAuth: demoProviders(provider, names),
    trustedOrigins: ['https://shop.example.com'],
    brand: { accent: { light: '#7a1f5c', dark: '#f0a0d0' } },
    username: { enabled: true },
  }
  ;[server, combined] = await Promise.all([
    startServer({ config }),
    startServer({ config: { ...config, signIn: { flow: 'combined' } } }),
  ])
  application = server.url
  chrome = await openBrowser()
  await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', ...person }),
  })
})

afterAll(async () => {
  await chrome?.close()
  await Promise.all([server?.close(), combined?.close()])
  await provider?.close()
})

/** A visit whose scripts are delayed until `arrive`. */
async function visit(path = '/sign-in', options: object = {}, on = server): Promise<{ page: Page; arrive(): void }> {
  const context = await chrome.browser.newContext({ locale: 'en-US', ...options })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto(on.url + path, { waitUntil: 'commit' })
  await page.locator('[data-prerendered] #app h1').waitFor({ state: 'attached' })
  return { page, arrive }
}

const taken = inApp

/** The positions of all visible elements of the form. */
const places = (page: Page) =>
  page.evaluate<Record<string, (string | number)[]>>(`Object.fromEntries(
    [...document.querySelectorAll('h1, h1 + p, form:not([method=post]) :is(label, input, [type=submit]), main ul button, main a[href]')]
      .filter((node) => node.offsetParent)
      .map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect()
        const style = getComputedStyle(node)
        return [
          node.name || node.getAttribute('href') || node.textContent,
          [...[x, y, width, height].map(Math.round), style.color, style.backgroundColor, style.fontSize],
        ]
      }),
  )`)

describe('the first screen', () => {
  it.each([
    ['identifier-first', '/sign-in', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ['combined', '/sign-in', { viewport: { width: 1280, height: 800 }, locale: 'de-DE' }],
    [
      'identifier-first',
      '/sign-in?callbackURL=https://shop.example.com/cart',
      { viewport: { width: 1366, height: 650 } },
    ],
    ['sign-up', '/sign-up', { viewport: { width: 360, height: 740 } }],
  ])('%s: %s has the same layout before and after the app loads: %j', async (flow, path, options) => {
    const { page, arrive } = await visit(path, options, flow === 'combined' ? combined : server)
    await page.evaluate('document.fonts.ready')
    const before = await places(page)
    expect(Object.keys(before).length).toBeGreaterThan(flow === 'combined' ? 8 : 5)
    // The leading button is inside the first view of a laptop.
    if (flow === 'identifier-first') {
      const button = (await page.getByRole('button', { name: 'Continue', exact: true }).boundingBox())!
      expect(button.y + button.height).toBeLessThanOrEqual(650)
    }
    await expectAccessible(page)
    arrive()
    await page.getByRole('button', { name: /Google/ }).waitFor()
    await page.waitForLoadState('networkidle')
    // Collapsed parts come later.
    await expect.poll(() => places(page)).toMatchObject(before)
    await expect.poll(() => page.locator('h1').count()).toBe(1)
    await page.context().close()
  })

  it('keeps the typed text, the caret and a choice until the app has loaded', async () => {
    const { page, arrive } = await visit('/sign-in', {}, combined)
    await page.getByLabel('Stay signed in').uncheck()
    await page.getByLabel(/^Email/).fill('ada@example.com')
    await page.getByLabel('Password').pressSequentially('a long pass')
    arrive()
    await taken(page)
    await page.keyboard.type('word')
    await expect.poll(() => page.getByLabel(/^Email/).inputValue()).toBe('ada@example.com')
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe('a long password')
    await expect.poll(() => page.getByLabel('Stay signed in').isChecked()).toBe(false)
    // The next screen has the address too.
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: /Forgot|Reset/ }).waitFor()
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    await page.context().close()
  })

  it.each([['Create an account', 'Create an account']])(
    'keeps the typed text when "%s" is followed before the app has loaded, and back',
    async (link, heading) => {
      const { page, arrive } = await visit()
      await page.getByLabel(/^Email/).fill('ada@example.com')
      await page.getByRole('link', { name: link }).click()
      await page.waitForURL((url) => url.pathname !== '/sign-in', { waitUntil: 'commit' })
      arrive()
      await page.getByRole('heading', { name: heading }).waitFor()
      await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ada@example.com')
      await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0)
      await page.getByRole('link', { name: /sign in/i }).click()
      await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
      await expect.poll(() => page.locator('[name=identifier]').inputValue()).toBe('ada@example.com')
      await page.context().close()
    },
  )

  it('signs in a user who has already pressed the button', async () => {
    const { page, arrive } = await visit()
    await page.getByLabel(/^Email/).fill(person.email)
    // A password manager fills in the hidden field too.
    await page.evaluate(`document.querySelector('[name=password]').value = '${person.password}'`)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-in')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    arrive()
    await page.getByLabel('Password', { exact: true }).waitFor()
    // The step asks the server for nothing that depends on the address.
    expect(asked.filter((path) => path.startsWith('/api/') && !/get-session|generate-auth|favicon/.test(path))).toEqual(
      [],
    )
    await expect.poll(() => page.getByLabel('Password', { exact: true }).inputValue()).toBe(person.password)
    await expect.poll(() => page.locator('input[name=identifier]').inputValue()).toBe(person.email)
    // Back leads to the address, and a reload keeps the step.
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await expect.poll(() => page.getByLabel(/^Email/).inputValue()).toBe(person.email)
    await page.goForward()
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.reload()
    await page.getByText(person.email, { exact: true }).waitFor()
    expect(page.url()).not.toContain('ada')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/account/profile')
    // With a session the form is not shown.
    expect(await (await page.request.get(`${server.url}/sign-in`)).text()).not.toContain('data-prerendered=')
    await page.context().close()
  })

  it('signs up a user who has already pressed the button, with what was typed', async () => {
    const { page, arrive } = await visit('/sign-up')
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel(/^Email/).fill('grace@example.com')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-up')
    arrive()
    await page.waitForURL('**/check-inbox')
    await page.getByText('grace@example.com').waitFor()
    await page.goto(`${server.url}/account/profile`)
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Grace Hopper')
    await page.context().close()
  })

  it('remains while its button is pressed, and continues on release', async () => {
    const { page, arrive } = await visit()
    await page.getByLabel(/^Email/).fill(person.email)
    await page.locator('form[method=dialog] [type=submit]').hover()
    await page.mouse.down()
    arrive()
    await page.waitForLoadState('networkidle')
    await page.mouse.up()
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.context().close()
  })

  it.each([
    ['the sign-in', '/sign-in', false],
    ['the sign-in with a password on one screen', '/sign-in', true],
    ['the profile', '/account/profile', false],
    ['the security page', '/account/security', false],
  ])('at no moment is anything on the page twice: %s', async (_name, path, isCombined) => {
    const on = isCombined ? combined : server
    const { page, arrive } = await visit('/sign-in', {}, on)
    // Every state of the document that another script can see.
    await page.addInitScript(`
      const twice = new Set()
      globalThis.twice = twice
      new MutationObserver(() => {
        for (const selector of ['h1', 'main', 'header', '[name=identifier]', '[name=password]', '#app'])
          if (document.querySelectorAll(selector).length > 1) twice.add(selector)
      }).observe(document, { childList: true, subtree: true, attributes: true })
    `)
    if (path.startsWith('/account'))
      await page.request.post(`${on.url}/api/auth/sign-in/email`, { data: person, headers: { origin: on.url } })
    await page.goto(on.url + path, { waitUntil: 'commit' })
    await page.locator('[data-prerendered] #app h1').waitFor()
    arrive()
    await taken(page)
    await page.locator('h1').waitFor()
    await expect.poll(() => page.evaluate('[...twice]')).toEqual([])
  })

  it.each(
    [
      ['the sign-in', '/sign-in', false],
      ['the sign-in with a password on one screen', '/sign-in?callbackURL=https://shop.example.com/cart', true],
      ['the sign-up', '/sign-up?callbackURL=/account/security', false],
      ['the error page', '/error?error=access_denied', false],
      ['the profile', '/account/profile', false],
      ['the security page', '/account/security', false],
      ['the members', '/organization/members', false],
    ].flatMap(([name, path, isCombined]) => ['en-US', 'ar'].map((locale) => [name, locale, path, isCombined] as const)),
  )('is hydrated, not replaced: %s (%s)', async (_name, locale, path, isCombined) => {
    const on = isCombined ? combined : server
    const { page, arrive } = await visit('/error', { locale }, on)
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    const isMember = /^\/(account|organization)/.test(path as string)
    if (isMember)
      await page.request.post(`${on.url}/api/auth/sign-in/email`, { data: person, headers: { origin: on.url } })
    // A visitor's screen does not wait for the session.
    const answered = Promise.withResolvers<void>()
    await page.route('**/get-session', async (route) => {
      if (!isMember) await answered.promise
      await route.continue()
    })
    await page.goto(on.url + path, { waitUntil: 'commit' })
    await page.locator('[data-prerendered] #app h1').waitFor()
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    for (const one of ['h1', 'main', '[name=identifier]', '[name=password]'])
      await expect.poll(() => page.locator(one).count(), { message: one }).toBeLessThanOrEqual(1)
    const field = page.locator('[name=identifier]')
    if ((await field.count()) > 0) {
      await field.fill('ada@example.com')
      await page.evaluate(`document.querySelector('[name=identifier]').setSelectionRange?.(3, 5)`)
    }
    const kept = '#app :is(main, h1, form, form input, form button, header a)'
    await page.evaluate(`globalThis.before = [...document.querySelectorAll('${kept}')]`)
    const markup = () => page.locator('main').evaluate((main) => main.outerHTML)
    const before = await markup()
    arrive()
    if (isMember) {
      await taken(page)
      await page.waitForLoadState('networkidle')
    } else {
      await taken(page)
      answered.resolve()
      await page.waitForLoadState('networkidle')
      const after = await page.evaluate<boolean>(
        `before.every((node, at) => node === document.querySelectorAll('${kept}')[at])`,
      )
      expect(after).toBe(true)
      await expect.poll(() => page.evaluate('before.length')).toBeGreaterThan(1)
      if (path === '/sign-in') {
        await expect.poll(() => field.inputValue()).toBe('ada@example.com')
        await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('identifier')
      }
      // The same attributes, except of what only the browser knows, such as what was typed.
      const same = (html: string) =>
        html
          .replace(/ (style|value)="[^"]*"/g, '')
          .replace(/<noscript>.*?<\/noscript>/s, '')
          // Shows the password, with a script.
          .replace(/<button[^>]*class="reveal.*?<\/button>/s, '')
      if (!isCombined) expect(same(await markup())).toBe(same(before))
    }
    await expect.poll(() => page.locator('h1').count()).toBe(1)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('works without scripts: the providers, the error page', async () => {
    const { page } = await visit('/sign-in?callbackURL=/account/security', {
      javaScriptEnabled: false,
      viewport: { width: 1280, height: 800 },
    })
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/no-script.png` })
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.waitForURL((url) => url.origin === new URL(provider.issuer).origin)
    await page.goto(`${server.url}/error?error=access_denied`)
    await page.getByRole('heading', { name: 'That did not work' }).waitFor()
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/no-script-error.png` })
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in to Gatehouse' }).waitFor()
    await page.context().close()
  })

  it('is not shown in another language than the chosen one', async () => {
    const { page, arrive } = await visit()
    arrive()
    await taken(page)
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('heading', { name: /anmelden/ }).waitFor()
    await page.unroute(/\/assets\/.*\.js$/)
    await page.route(/\/assets\/.*\.js$/, () => new Promise(() => {}))
    await page.reload({ waitUntil: 'commit' })
    await page.locator('h1').waitFor({ state: 'attached' })
    await expect.poll(() => page.locator('h1').isVisible()).toBe(false)
    await page.context().close()
  })
})
