import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser } from './browser.ts'

/** The sign-in before any script has arrived, and what becomes of it when it does. */
const names = { 'demo-google': 'Google', 'demo-github': 'GitHub' }
const person = { email: 'ada@example.com', password: 'a long password of mine' }

let provider: OpenIdProvider
let server: TestServer
let chrome: OpenBrowser

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  server = await startServer({
    config: {
      genericOAuth: demoProviders(provider, names),
      trustedOrigins: ['https://shop.example.com'],
      brand: { accent: { light: '#7a1f5c', dark: '#f0a0d0' } },
    },
  })
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
  await server?.close()
  await provider?.close()
})

/** A visit whose scripts wait for `arrive`. */
async function visit(path = '/sign-in', options: object = {}): Promise<{ page: Page; arrive(): void }> {
  const context = await chrome.browser.newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.goto(server.url + path, { waitUntil: 'commit' })
  await page.locator('#first').waitFor()
  return { page, arrive }
}

const taken = (page: Page) => page.locator('#first').waitFor({ state: 'detached' })

/** Where everything of the form stands, as a person sees it. */
const places = (page: Page) =>
  page.evaluate<Record<string, (string | number)[]>>(`Object.fromEntries(
    [...document.querySelectorAll('h1, h1 + p, form label, form input, form [type=submit], main a[href]')]
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
    ['/sign-in', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
    ['/sign-in', { viewport: { width: 1280, height: 800 }, locale: 'de-DE' }],
    ['/sign-in?callbackURL=https://shop.example.com/cart', { viewport: { width: 1280, height: 800 } }],
  ])('%s stands where the app draws it: %j', async (path, options) => {
    const { page, arrive } = await visit(path, options)
    await page.evaluate('document.fonts.ready')
    const before = await places(page)
    expect(Object.keys(before).length).toBeGreaterThan(8)
    await expectAccessible(page)
    arrive()
    await page.getByRole('button', { name: /Google/ }).waitFor()
    await page.waitForLoadState('networkidle')
    // What is folded away comes later.
    expect(await places(page)).toMatchObject(before)
    expect(await page.locator('h1').count()).toBe(1)
    await page.context().close()
  })

  it('keeps what is typed, the caret and a choice until the app is there', async () => {
    const { page, arrive } = await visit()
    await page.getByLabel('Stay signed in').uncheck()
    await page.getByLabel(/^Email/).fill('ada@example.com')
    await page.getByLabel('Password').pressSequentially('a long pass')
    arrive()
    await taken(page)
    await page.keyboard.type('word')
    expect(await page.getByLabel(/^Email/).inputValue()).toBe('ada@example.com')
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('a long password')
    expect(await page.getByLabel('Stay signed in').isChecked()).toBe(false)
    // The next screen knows the address too.
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('heading', { name: /Forgot|Reset/ }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    await page.context().close()
  })

  it.each([
    ['Forgot password?', 'Forgot your password?'],
    ['Create an account', 'Create an account'],
  ])('hands on what is typed to whoever follows "%s" before the app is there, and back', async (link, heading) => {
    const { page, arrive } = await visit()
    await page.getByLabel(/^Email/).fill('ada@example.com')
    await page.getByRole('link', { name: link }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in', { waitUntil: 'commit' })
    arrive()
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByRole('link', { name: /sign in/i }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    expect(await page.locator('[name=identifier]').inputValue()).toBe('ada@example.com')
    await page.context().close()
  })

  it('signs in whoever has pressed the button already', async () => {
    const { page, arrive } = await visit()
    await page.getByLabel(/^Email/).fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.keyboard.press('Enter')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/sign-in')
    arrive()
    await page.waitForURL('**/account/profile')
    // With a session nobody sees a form that is not for them.
    expect(await (await page.request.get(`${server.url}/sign-in`)).text()).not.toContain('id="first"')
    await page.context().close()
  })

  it('stays while its button is pressed, and signs in when it is released', async () => {
    const { page, arrive } = await visit()
    await page.getByLabel(/^Email/).fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    await page.locator('#first [type=submit]').hover()
    await page.mouse.down()
    arrive()
    await page.locator('#app h1').waitFor({ state: 'attached' })
    await page.mouse.up()
    await page.waitForURL('**/account/profile')
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
    await page.locator('#first').waitFor({ state: 'attached' })
    expect(await page.locator('#first h1').isVisible()).toBe(false)
    await page.context().close()
  })
})
