import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

const names = {
  'demo-google': 'Google',
  'demo-github': 'GitHub',
  'demo-microsoft': 'Microsoft',
  'demo-apple': 'Apple',
  'demo-gitlab': 'GitLab',
  'demo-work': 'Work',
}

let provider: OpenIdProvider
let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  server = await startServer({
    config: {
      genericOAuth: demoProviders(provider, names),
      // It returns no address, and users are not asked for one (account.askForEmail).
      socialProviders: { reddit: { clientId: 'reddit-client', clientSecret: 'reddit-secret' } },
      oneTap: { clientId: 'tap-client' },
      account: { accountLinking: { allowDifferentEmails: true } },
    },
  })
  application = server.url
  chrome = await openBrowser()
  page = await open()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await provider?.close()
})

/** A browser that cannot load Google's script, unless a test provides one. */
async function open(): Promise<Page> {
  const { page: opened } = await openDevice(chrome.browser)
  await opened.route('https://accounts.google.com/**', (route) => route.abort())
  opened.on('pageerror', (error) => complaints.push(`${opened.url()}: ${error.message}`))
  opened.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return opened
}

const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp, on = page) => on.getByRole('button', { name })
const go = (path: string, on = page) => on.goto(server.url + path)

/** At the provider: the user signs in and agrees. */
async function agree(login: string, on = page) {
  await on.locator('input[name="login"]').fill(login)
  await on.locator('input[name="password"]').fill('any')
  await on.locator('button[type="submit"]').click()
  await on.locator('form button[type="submit"]').click()
}

describe('a user who signs in with another service', () => {
  it('sees four of them, then all', async () => {
    await go('/sign-in')
    await button('Continue with Google').waitFor()
    const services = page.getByRole('list', { name: 'Other services to sign in with' }).getByRole('button')
    await expect.poll(() => services.count()).toBe(4)
    await button('3 more').click()
    await expect.poll(() => services.count()).toBe(7)
    await expect.poll(() => page.locator(':focus').innerText()).toContain('Reddit')
    await expectAccessible(page)
  })

  it('reads at a shown service that it needs a linked account; the sign-up does not offer that service', async () => {
    const note = 'Only after you have linked it to an account: Reddit.'
    await page.getByText(note).waitFor()
    const described = await button('Continue with Reddit').getAttribute('aria-describedby')
    await expect.poll(() => page.locator(`[id="${described}"]`).innerText()).toBe(note)
    await expect.poll(() => button('Continue with Reddit').isEnabled()).toBe(true)
    await expect.poll(() => button('Continue with Google').getAttribute('aria-describedby')).toBeNull()
    await go('/sign-in')
    await button('3 more').waitFor()
    await expect.poll(() => page.getByText(note).count()).toBe(0)
    await go('/sign-up')
    await button('2 more').click()
    await expect.poll(() => button('Continue with Reddit').count()).toBe(0)
    await expect.poll(() => page.getByText(note).count()).toBe(0)
    await expect.poll(() => button('Continue with Google').isEnabled()).toBe(true)
  })

  it('turns back at the service, and reads why nothing happened', async () => {
    await go('/sign-in?callbackURL=%2Faccount%2Faccounts')
    await button('Continue with Google').click()
    await page.getByRole('link', { name: /cancel/i }).click()
    await heading('Sign in to Gatehouse').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/accounts')
    await page.getByText('You canceled at the other service.').waitFor()
    await button('Continue with Google').waitFor()
    await expect.poll(() => page.getByText('Last used').count()).toBe(0)
    await expectAccessible(page)
  })

  it('signs in, and comes to where they were going', async () => {
    await go('/sign-in?callbackURL=%2Faccount%2Faccounts')
    await button('Continue with Google').click()
    await agree('ada')
    await heading('Security').waitFor()
    await page.getByText('To unlink it, first set a password').waitFor()
    await expect.poll(() => button(/^Unlink/).count()).toBe(0)
    await expectAccessible(page)
  })

  it('links a second one, sees what it allows, and unlinks it', async () => {
    // The service knows the user and does not ask again.
    await button('Link another service').click()
    await expectAccessible(page)
    await button('Link GitHub').click()
    await page.getByText('GitHub has been linked.').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    await page.getByText('Shared from GitHub').click()
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Your email address$/, visible: true })
      .waitFor()
    await expectAccessible(page)
    await button('Unlink GitHub').click()
    await page.getByRole('dialog', { name: 'Unlink GitHub?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('GitHub has been unlinked.').waitFor()
    await button('Link another service').waitFor()
  })

  it('finds it marked the next time', async () => {
    await page.context().clearCookies()
    await go('/sign-in')
    const services = page.getByRole('list', { name: 'Other services to sign in with' }).getByRole('button')
    await services.first().getByText('Last used').waitFor()
  })

  it('reads that the address belongs to an account', async () => {
    const other = await open()
    await go('/sign-up', other)
    await other.getByLabel('Name', { exact: true }).fill('Una')
    await other.getByLabel('Email', { exact: true }).fill('unverified@example.com')
    await other.getByLabel('Password', { exact: true }).fill('a long password')
    await button('Create account', other).click()
    await other.waitForURL((url) => url.pathname !== '/sign-up')
    await other.context().clearCookies()
    await go('/sign-in', other)
    await button('Continue with Microsoft', other).click()
    await agree('unverified', other)
    await heading('Sign in to Gatehouse', other).waitFor()
    await other.getByText('An account with this email address already exists.').waitFor()
    await expectAccessible(other)
  })
})

describe('One Tap', () => {
  /** Google's script as documented: two dismissed prompts, then a chosen account. */
  const script = (dismissals: number) => `
    let shown = 0, options
    const note = { isDismissedMoment: () => false, isSkippedMoment: () => true, getDismissedReason: () => undefined }
    window.taps = []
    window.google = { accounts: { id: {
      initialize: (given) => { options = given; window.taps.push(performance.now()) },
      prompt: (tell) => setTimeout(() => ++shown > ${dismissals} ? options.callback({ credential: 'id.token.here' }) : tell(note)),
      cancel: () => { window.cancelled = true },
    } } }`

  it('is shown again after one second, then two, and signs in', async () => {
    const other = await open()
    await other.unroute('https://accounts.google.com/**')
    await other.route('https://accounts.google.com/gsi/client', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script(2) }),
    )
    await other.addInitScript(`{
      const wait = setTimeout
      globalThis.waits = []
      globalThis.setTimeout = (act, time, ...given) => {
        waits.push(time)
        return wait(act, time, ...given)
      }
    }`)
    const posted = other.waitForRequest('**/api/auth/one-tap/callback')
    await go('/sign-in', other)
    expect((await posted).postDataJSON()).toEqual({ idToken: 'id.token.here' })
    const taps = await other.evaluate(() => (globalThis as unknown as { taps: number[] }).taps)
    expect(taps).toHaveLength(3)
    // A busy machine takes longer, but nothing may come earlier.
    expect(await other.evaluate('waits')).toEqual(expect.arrayContaining([1000, 2000]))
    expect(taps[1]! - taps[0]!).toBeGreaterThan(990)
    expect(taps[2]! - taps[1]!).toBeGreaterThan(1990)
    await other.getByText('Google did not confirm who you are.').waitFor()
  })

  it('ends when the page is left, and is not asked for by others', async () => {
    const other = await open()
    await other.unroute('https://accounts.google.com/**')
    await other.route('https://accounts.google.com/gsi/client', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script(99) }),
    )
    await go('/sign-in', other)
    await other.waitForFunction(() => 'taps' in globalThis)
    await other.getByRole('link', { name: 'Create an account' }).click()
    await other.waitForFunction(() => 'cancelled' in globalThis)
    await other.reload()
    await heading('Create an account', other).waitFor()
    await button('Continue with Google', other).waitFor()
    await expect.poll(() => other.locator('script[src*="accounts.google.com"]').count()).toBe(0)
  })
})

it('the browser reports no errors', () => {
  expect(complaints).toEqual([])
})
