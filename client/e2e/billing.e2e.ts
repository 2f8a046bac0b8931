import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingServer, startBillingServer } from '../../worker/testing/outside/billing-server.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

let server: TestServer
let billing: BillingServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  billing = await startBillingServer(() => server.url)
  server = await startServer({ config: { billing: billing.configuration } })
  chrome = await openBrowser()
  const device = await openDevice(chrome.browser)
  page = device.page
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await billing?.close()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const section = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

/** Asks the API as the app does, with the session of the page. */
const post = (path: string, body: object) =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
    },
    [path, body] as const,
  )

// One walk in order: each step begins where the one before it ended.
describe('a person who buys', () => {
  it('sees the plans, and that there is nothing yet', async () => {
    await page.goto(`${server.url}/sign-in`)
    expect(await post('/sign-up/email', { name: 'Bea', email: 'bea@example.com', password: 'password1234' })).toBe(200)
    await expect.poll(() => billing.provider.accounts.size).toBe(1)
    await page.goto(`${server.url}/account/billing`)
    await heading('Billing')
    await page.getByText('You have no subscriptions.').waitFor()
    await page.getByText('You have not bought anything yet.').waitFor()
    await expectAccessible(page)
  })

  it('buys at the provider, comes back, and waits until it is confirmed', async () => {
    await button('Buy Pro').click()
    await heading('Buy Pro')
    await button('Pay').click()
    await heading('Billing')
    expect(page.url()).toContain('checkout_id=')
    await page.getByText('Thank you. Your purchase is confirmed.').waitFor()
    await section('Plans').getByText('Your plan').waitFor()
    await section('Subscriptions').getByText('Active').waitFor()
    await section('Benefits').getByText('Help within a day').waitFor()
    await section('Orders').getByText('$19.00').waitFor()
    await expectAccessible(page)
  })

  it('uses what is metered, and sees the bar', async () => {
    for (let n = 0; n < 3; n++) expect(await post('/usage/ingest', { event: 'api-call', metadata: { n } })).toBe(200)
    await expect.poll(() => billing.provider.usage.size).toBe(3)
    await page.goto(`${server.url}/account/billing`)
    await section('Usage').getByText('3 of 1,000 used').waitFor()
    expect(await page.getByRole('meter').getAttribute('aria-valuenow')).toBe('3')
  })

  it('cancels in the portal, and sees it', async () => {
    await button('Manage billing').click()
    await heading('Your subscriptions')
    await button('Cancel').click()
    await page.getByText('Pro: canceled').waitFor()
    await page.goto(`${server.url}/account/billing`)
    await section('Subscriptions').getByText('Canceled').waitFor()
    await button('Buy Pro').waitFor()
    await section('Benefits').getByText('No longer included').waitFor()
  })

  it('is told what was known while the provider is down, and what cannot be shown', async () => {
    billing.provider.fail('answers 500')
    await page.goto(`${server.url}/account/billing`)
    await page.getByText('The billing service cannot be reached. This is what we knew on').waitFor()
    await page.getByText('Your orders cannot be loaded at the moment.').waitFor({ timeout: 30_000 })
    await button('Manage billing').click()
    await page.getByText('The billing portal cannot be opened at the moment.').waitFor()
    await expectAccessible(page)
    billing.provider.recover()
  })

  it.each([
    ['light', 360],
    ['dark', 360],
    ['dark', 1280],
  ] as const)('reads it in German, %s, %i px wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${server.url}/account/billing`)
    await page.evaluate("localStorage.setItem('language', 'de')")
    await page.reload()
    await heading('Abrechnung')
    await section('Abos').getByText('Gekündigt').waitFor()
    await section('Bestellungen').getByText('19,00').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await expectAccessible(page)
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${colorScheme}-${width}.png`, fullPage: true })
  })

  it('without an error or a refusal by the policy', () => {
    expect(complaints).toEqual([])
  })
})
