import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveEverything } from '../../worker/testing/outside/billing-everything.ts'
import { type BillingServer, startBillingServer } from '../../worker/testing/outside/billing-server.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice, patience } from './browser.ts'
import { lookAt } from './look-at.ts'

let server: TestServer
let billing: BillingServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  billing = await startBillingServer(() => server.url)
  server = await startServer({ config: { billing: billing.configuration } })
  chrome = await openBrowser()
  page = await newPage()
})

/** A device that records errors. */
async function newPage(): Promise<Page> {
  const { page } = await openDevice(chrome.browser)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await billing?.close()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const section = (title: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: title, exact: true }) })

/** Calls the API with the session of the page. */
const post = (path: string, body: object) =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
    },
    [path, body] as const,
  )

/** With SCREENSHOTS=folder: screenshots. */
async function picture(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

// One walk: each step begins where the previous one ended.
describe('a user who buys', () => {
  it('sees what each plan costs and contains, by month and by year, and that there is nothing yet', async () => {
    await page.goto(`${server.url}/sign-in`)
    expect(await post('/sign-up/email', { name: 'Bea', email: 'bea@example.com', password: 'password1234' })).toBe(200)
    await expect.poll(() => billing.provider.accounts.size).toBe(1)
    await page.goto(`${server.url}/account/billing`)
    await heading('Billing')
    await page.getByText('You have not bought anything yet.').waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Plans'])
    const plans = section('Plans')
    await button('Subscribe for $19 / month').waitFor()
    await button('Buy for $29').waitFor()
    const pro = plans.getByRole('listitem', { name: 'Pro', exact: true })
    await expect
      .poll(() => pro.getByRole('listitem').allInnerTexts())
      .toEqual(['Help within a day', '1,000 API calls a month', 'As many projects as you like'])
    await pro.getByText('Recommended').waitFor()
    // One solid button: that of the recommended plan.
    const fills = await page.evaluate<string[]>(
      "[...document.querySelectorAll('#content section button')].map((one) => getComputedStyle(one).backgroundColor)",
    )
    expect(new Set(fills).size).toBe(2)
    await lookAt(page, 'billing-plans')
    await page.getByRole('radio', { name: 'Yearly' }).check({ force: true })
    await button('Subscribe for $190 / year').waitFor()
    await expect.poll(() => button('Subscribe for $19 / month').count()).toBe(0)
    await page.getByRole('radio', { name: 'Monthly' }).check({ force: true })
  })

  it('buys at the provider, returns, and waits for the confirmation', async () => {
    await button('Subscribe for $19 / month').click()
    await heading('Buy Pro')
    await button('Pay').click()
    await heading('Billing')
    await expect.poll(() => page.url()).toContain('checkout_id=')
    await page.getByText('Thank you. Your purchase is confirmed.').waitFor()
    await button('Current plan').waitFor()
    await expect.poll(() => button('Current plan').getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => page.getByRole('link', { name: 'Back to' }).getAttribute('href')).toBe('/')
    await section('Subscriptions').getByText('Active').waitFor()
    await section('Benefits').getByText('Help within a day').waitFor()
    await section('Orders').getByText('$19.00').filter({ visible: true }).waitFor()
    await expectAccessible(page)
  })

  it('uses a metered benefit and sees the bar', async () => {
    for (let n = 0; n < 3; n++) expect(await post('/usage/ingest', { event: 'api-call', metadata: { n } })).toBe(200)
    await expect.poll(() => billing.provider.usage.size).toBe(3)
    await page.goto(`${server.url}/account/billing`)
    await section('Usage').getByText('3 of 1,000 used').waitFor()
    await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuenow')).toBe('3')
    await page.getByRole('img', { name: 'API calls: 3 in the last 30 days' }).waitFor()
    await picture('usage')
    await section('Usage').getByText('Show as a table').click()
    await expect.poll(() => section('Usage').locator('tbody tr').count()).toBe(30)
    await expect.poll(() => section('Usage').locator('tbody tr').last().innerText()).toMatch(/3$/)
  })

  it('shows the stored state and the unavailable parts while the provider is down', async () => {
    billing.provider.fail('answers 500')
    await page.goto(`${server.url}/account/billing`)
    await page.getByText('The billing service cannot be reached. This is what we knew on').waitFor()
    await page.getByText('Your orders cannot be loaded at the moment.').waitFor({ timeout: patience })
    await button('Current plan').waitFor()
    await section('Subscriptions').getByText('$19.00 per month').waitFor()
    await section('Benefits').getByText('Help within a day').waitFor()
    await button('Manage billing').click()
    await page.getByText('The billing portal cannot be opened at the moment.').waitFor()
    await expectAccessible(page)
    billing.provider.recover()
  })

  it('says from when the prices are while the provider is down', async () => {
    await page.route('**/api/auth/customer/plans/list', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), asOf: '2026-01-02T03:04:05.000Z' } })
    })
    await page.goto(`${server.url}/account/billing`)
    await page.getByText('The billing service cannot be reached. These prices are from January').waitFor()
    await page.unroute('**/api/auth/customer/plans/list')
    await page.goto(`${server.url}/account/billing`)
    await button('Current plan').waitFor()
    await expect.poll(() => page.getByText('These prices are from').count()).toBe(0)
  })

  it('sees what a seat or a unit costs, by quantity', async () => {
    const [pro] = billing.provider.products
    const before = structuredClone(pro!.prices)
    const price = { ...before[0]!, price_amount: undefined } as object
    const bySeat = {
      ...price,
      amount_type: 'seat_based',
      seat_tiers: {
        tiers: [
          { min_seats: 1, max_seats: 10, price_per_seat: 700 },
          { min_seats: 11, max_seats: null, price_per_seat: 550 },
        ],
      },
    }
    const byUsage = {
      ...price,
      amount_type: 'metered_tiers',
      meter: { id: 'calls', name: 'API calls' },
      tiers: { type: 'graduated', tiers: [{ bound: 1000, unit_amount: '1.5' }, { unit_amount: '0.25' }] },
    }
    billing.provider.changeProduct('prod_pro', { prices: [bySeat, byUsage] as never })
    const card = section('Plans').getByRole('listitem', { name: 'Pro', exact: true })
    await expect
      .poll(async () => {
        await page.goto(`${server.url}/account/billing`)
        await button('Current plan').waitFor()
        return (await card.innerText()).replace(/\s+/g, ' ')
      })
      .toContain('from $5.50 per seat / month')
    const shown = (await card.innerText()).replace(/\s+/g, ' ')
    expect(shown).toContain('1 to 10 $7.00 from 11 $5.50')
    expect(shown).toContain('plus from $0.0025 for each unit of “API calls” 1 to 1,000 $0.015 from 1,001 $0.0025')
    await lookAt(page, 'billing-tiers')
    billing.provider.changeProduct('prod_pro', { prices: before })
  })

  it('cancels in the portal, and sees it', async () => {
    await button('Manage billing').click()
    await heading('Your subscriptions')
    await button('Cancel').click()
    await page.getByText('Pro: canceled').waitFor()
    await page.goto(`${server.url}/account/billing`)
    await section('Subscriptions').getByText('Canceled').waitFor()
    await button('Subscribe for $19 / month').waitFor()
    await section('Benefits').getByText('No longer included').waitFor()
  })

  it('reads it in German', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 360, height: 900 })
    await page.goto(`${server.url}/account/billing`)
    await page.evaluate("localStorage.setItem('language', 'de')")
    await page.reload()
    await heading('Abrechnung')
    await section('Abos').getByText('Gekündigt').waitFor()
    await section('Bestellungen').getByText('19,00').filter({ visible: true }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await expectAccessible(page)
    await picture('canceled-de-dark-360')
  })
})

/** The expected text of every subscription, benefit and order. */
const words = {
  en: {
    title: 'Billing',
    Subscriptions: [
      'Pro (incomplete) Payment not finished',
      'Pro (incomplete_expired) Never paid $19.00 per month Ended on',
      'Pro (trialing) Trial $19.00 per month Renews on',
      'Pro (active) Active $19.00 per month Renews on',
      'Pro (past_due) Payment overdue',
      'Pro (canceled) Canceled $19.00 per month Ended on',
      'Pro (unpaid) Unpaid',
    ],
    Usage: [
      'API calls 250 of 1,000 used',
      'Storage 1,200 of 1,000 used 200 over the included amount',
      'Exports 42 used',
    ],
    Benefits: [
      'Help within a day Included',
      'A channel for builders Discord access',
      'The sources GitHub access',
      'The templates Downloads',
      'A key for two machines License key',
      '1,000 calls a month Usage credit',
    ],
    Orders: ['Paid', 'Pending', 'Partly refunded $5.00 refunded', 'Refunded $19.00 refunded'],
  },
  de: {
    title: 'Abrechnung',
    Abos: [
      'Pro (incomplete) Zahlung nicht abgeschlossen',
      'Pro (incomplete_expired) Nie bezahlt 19,00 $ pro Monat Beendet am',
      'Pro (trialing) Testphase 19,00 $ pro Monat Verlängert sich am',
      'Pro (active) Aktiv 19,00 $ pro Monat Verlängert sich am',
      'Pro (past_due) Zahlung überfällig',
      'Pro (canceled) Gekündigt 19,00 $ pro Monat Beendet am',
      'Pro (unpaid) Unbezahlt',
    ],
    Nutzung: [
      'API calls 250 von 1.000 genutzt',
      'Storage 1.200 von 1.000 genutzt 200 mehr als enthalten',
      'Exports 42 genutzt',
    ],
    Vorteile: [
      'Help within a day Enthalten',
      'A channel for builders Zugang zu Discord',
      'The sources Zugang zu GitHub',
      'The templates Downloads',
      'A key for two machines Lizenzschlüssel',
      '1,000 calls a month Guthaben',
    ],
    Bestellungen: ['Bezahlt', 'Ausstehend', 'Teilweise erstattet 5,00 $ erstattet', 'Erstattet 19,00 $ erstattet'],
  },
}

describe('a user with one item of each kind', () => {
  it('signs up', async () => {
    page = await newPage()
    await page.goto(`${server.url}/sign-in`)
    const before = billing.provider.accounts.size
    expect(await post('/sign-up/email', { name: 'Eve', email: 'eve@example.com', password: 'password1234' })).toBe(200)
    await expect.poll(() => billing.provider.accounts.size).toBe(before + 1)
    giveEverything(billing.provider, [...billing.provider.accounts.values()].at(-1)!.customer.external_id!)
  })

  it.each([
    ['en', 'light', 360],
    ['en', 'dark', 1280],
    ['de', 'dark', 360],
    ['de', 'light', 1280],
  ] as const)('reads of it in words, %s, %s, %i px wide', async (language, colorScheme, width) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    await page.goto(`${server.url}/account/billing`)
    const { title, ...sections } = words[language]
    await heading(title)
    for (const [name, lines] of Object.entries(sections)) {
      const rows = section(name).locator('li, tbody tr')
      await expect.poll(() => rows.count()).toBe(lines.length)
      const shown = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
      for (const [at, line] of lines.entries()) expect(shown[at]).toContain(line)
    }
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await expectAccessible(page)
    await picture(`everything-${language}-${colorScheme}-${width}`)
  })

  it('opens an invoice, which the provider makes when it is requested', async () => {
    await page.evaluate("localStorage.setItem('language', 'en')")
    await page.goto(`${server.url}/account/billing`)
    const documents = section('Orders').getByRole('button', { name: /^Invoice: Pro/ })
    // The unpaid order has no invoice.
    await expect.poll(() => documents.count()).toBe(3)
    await expect
      .poll(() =>
        section('Orders')
          .getByRole('button', { name: /^Receipt: Pro/ })
          .count(),
      )
      .toBe(3)
    await documents.first().click()
    await section('Orders').getByText('Your invoice is being prepared.').waitFor()
    await page.waitForURL(`${billing.origin}/files/**`)
    await page.goBack()
  })

  it('without an error or a refusal by the policy', () => {
    expect(complaints).toEqual([])
  })
})
