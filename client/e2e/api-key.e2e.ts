import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import {
  asksBeforeClosing,
  enterIdentifier,
  expectAccessible,
  type OpenBrowser,
  openBrowser,
  openDevice,
} from './browser.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []
const person = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password' }

beforeAll(async () => {
  server = await startServer({
    config: {
      apiKey: {
        keyExpiration: { defaultExpiresIn: 864_000 },
        permissions: { selectable: { files: ['read', 'write'] } },
      },
      captcha: {
        provider: 'cloudflare-turnstile',
        siteKey: 'site-key',
        secretKey: 'secret',
        endpoints: ['/sign-in/email'],
      },
    },
  })
  chrome = await openBrowser()
  const { context, page: opened } = await openDevice(chrome.browser)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  page = opened
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const item = (name: string) => page.getByRole('menuitem', { name, exact: true }).or(button(name)).last()

describe('the guard against robots', () => {
  it('shows the provider’s widget in a separate frame, and an error if it cannot be loaded', async () => {
    // The answer of the breach service, which is not reachable here.
    const script = `window.turnstile = { render(element, { sitekey, callback }) {
      element.innerHTML = '<button>' + sitekey + '</button>'
      element.firstChild.onclick = () => callback('an answer of the widget')
    } }`
    await page.route('https://challenges.cloudflare.com/**', (route) => route.abort())
    await page.goto(`${server.url}/sign-in`)
    await enterIdentifier(page, person.email)
    await page.getByText('could not be loaded').waitFor()
    await expectAccessible(page)
    await page.unroute('https://challenges.cloudflare.com/**')
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    await button('Try again').click()
    const widget = page.frameLocator('iframe[title="Confirm that you are not a robot"]')
    await widget.getByRole('button', { name: 'site-key' }).click()
    const sent = page.waitForRequest((request) => request.url().endsWith('/sign-in/email'))
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page
      .locator('form')
      .getByRole('button', { name: /^Sign in/ })
      .click()
    expect((await sent).headers()['x-captcha-response']).toBe('an answer of the widget')
    expect(complaints).toEqual([])
  })
})

describe('API keys', () => {
  it('a first key: made with a name, an expiry and permissions, shown once', async () => {
    await page.goto(`${server.url}/sign-up`)
    await page.evaluate(
      (body) =>
        fetch('/api/auth/sign-up/email', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      person,
    )
    await page.goto(`${server.url}/account/profile`)
    await page.getByRole('link', { name: 'API keys' }).click()
    await heading('API keys').waitFor()
    await page.getByText('There are no keys yet.').waitFor()
    await expectAccessible(page)
    await button('Create a key').click()
    await page.getByLabel(/^Name/).fill('Backup of the files')
    const expires = page.getByLabel('Expires', { exact: true })
    await expect.poll(() => expires.locator('option').last().innerText()).toBe('As usual here, after 10 days')
    await expires.selectOption({ label: 'After 90 days' })
    await page.getByLabel('files: read').check()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    await heading('Your new key').waitFor()
    await expectAccessible(page)
    await page.getByText('Copy the key').click()
    const key = (await page.getByRole('dialog').locator('code').first().textContent())!
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
    expect(key).toMatch(/^[A-Za-z]{64}$/)
    await expect.poll(() => page.getByRole('dialog').textContent()).toContain(`curl -H "x-api-key: ${key}"`)
    const session = await fetch(`${server.url}/api/auth/get-session`, { headers: { 'x-api-key': key } })
    expect(await session.json()).toMatchObject({ user: { email: person.email } })
    // A click outside does not close a dialog that is shown only once.
    await page.mouse.click(5, 450)
    await page.locator('tr').filter({ hasText: 'Backup of the files' }).waitFor()
    // Neither does Escape, also when it is pressed repeatedly.
    for (let press = 0; press < 3; press++) {
      await page.keyboard.press('Escape')
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('I have saved it')
      await expect.poll(() => page.getByRole('dialog').locator('code').first().textContent()).toBe(key)
    }
    await expect.poll(() => button('Close').count()).toBe(0)
    // Closing the tab asks, and so does the Back button.
    await expect.poll(() => asksBeforeClosing(page)).toBe(true)
    await page.evaluate('history.back()')
    await heading('Have you saved it?').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await heading('Have you saved it?').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('dialog').locator('code').first().textContent()).toBe(key)
    await button('I have saved it').click()
    await expect.poll(() => asksBeforeClosing(page)).toBe(false)
    // The button that opened the dialog belonged to the empty list and is removed.
    await page.waitForFunction("document.activeElement.textContent === 'API keys'")
    const row = page.getByRole('row').filter({ hasText: 'Backup of the files' })
    await row.getByText('files: read').waitFor()
    await row.getByText('Unlimited').waitFor()
    await row.getByText('10 requests per day').waitFor()
    const ninetyDaysLater = new Date(Date.now() + 90 * 86_400_000)
    await row.getByText(ninetyDaysLater.toLocaleDateString('en', { dateStyle: 'long' })).waitFor()
    await expect.poll(() => page.content()).not.toContain(key)
    await expectAccessible(page)
  })

  it('is turned off and on, and deleted after a question', async () => {
    const actions = button('Actions for Backup of the files')
    await actions.click()
    await item('Turn off').click()
    await page.getByRole('cell').getByText('Off', { exact: true }).waitFor()
    await actions.click()
    await item('Turn on').click()
    await page.getByRole('cell').getByText('On', { exact: true }).waitFor()
    await actions.click()
    await item('Delete').click()
    await heading('Delete Backup of the files?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There are no keys yet.').waitFor()
    expect(complaints).toEqual([])
  })
})
