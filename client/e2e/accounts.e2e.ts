import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

const password = 'first long password'
const emailOf = (name: string) => `${name.toLowerCase()}@example.com`

beforeAll(async () => {
  server = await startServer({ config: { multiSession: { maximumSessions: 3 }, passkey: { enabled: false } } })
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  for (const name of ['Ada', 'Bea', 'Cem']) {
    const headers = { 'content-type': 'application/json', origin: server.url }
    const body = JSON.stringify({ name, email: emailOf(name), password })
    await fetch(`${server.url}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  }
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string, on = page) => on.getByRole('heading', { level: 1, name })
const menu = (on = page) => on.getByRole('button', { name: /^Account/ })
const item = (name: string | RegExp, on = page) => on.getByRole('button', { name })
const shown = (on = page) => on.getByLabel('Name', { exact: true }).inputValue()

async function signIn(name: string, on = page) {
  await enterIdentifier(on, emailOf(name))
  await on.getByLabel('Password', { exact: true }).fill(password)
  await on
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
  await heading('Profile', on).waitFor()
  await expect.poll(() => shown(on)).toBe(name)
}

async function add(name: string) {
  await menu().click()
  await page.getByRole('link', { name: 'Add another account' }).click()
  await heading('Sign in').waitFor()
  await signIn(name)
}

// One walk: each step begins where the previous one ended.
describe('several users in one browser', () => {
  it('one adds another account, and another', async () => {
    await page.goto(`${server.url}/sign-in`)
    await signIn('Ada')
    await add('Bea')
    await add('Cem')
    await menu().click()
    await page.getByText('You can be signed in to 3 accounts at a time. Sign out of one to add another.').waitFor()
    await item(/^Switch to Ada/).waitFor()
    await item(/^Switch to Bea/).waitFor()
    await expect.poll(() => item(/^Switch to Cem/).count()).toBe(0)
    await expectAccessible(page)
  })

  it('switching shows the other, and nothing of the one before', async () => {
    const seen: string[] = []
    await page.exposeFunction('saw', (text: string) => seen.push(text))
    await page.evaluate(`
      const note = () => {
        const field = document.querySelector('main input[name="name"]')
        if (field && !document.querySelector('dialog[open]')) saw(field.value)
      }
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
    `)
    await item(/^Switch to Ada/).click()
    await expect.poll(() => shown()).toBe('Ada')
    // After the click only the page before it or the page after it was visible, in this order.
    expect(seen.lastIndexOf('Cem')).toBeLessThan(seen.includes('Ada') ? seen.indexOf('Ada') : seen.length)
    await page.reload()
    await expect.poll(() => shown()).toBe('Ada')
  })

  it('another tab follows', async () => {
    const other = await page.context().newPage()
    await other.goto(`${server.url}/account/profile`)
    await expect.poll(() => shown(other)).toBe('Ada')
    await menu(other).click()
    await item(/^Switch to Bea/, other).click()
    await expect.poll(() => shown(other)).toBe('Bea')
    await expect.poll(() => shown()).toBe('Bea')
    await other.close()
  })

  it('one of the others is signed out', async () => {
    await menu().click()
    await item('Sign out Cem').click()
    await page.getByText('Cem has been signed out here.').waitFor()
    await expect.poll(() => item(/^Switch to Cem/).count()).toBe(0)
    await expect.poll(() => item(/^Switch to Ada/).count()).toBe(1)
  })

  it('one account alone is signed out, and the next one is shown', async () => {
    await item('Sign out of this account only').click()
    await expect.poll(() => shown()).toBe('Ada')
    await menu().click()
    await page.getByRole('link', { name: 'Add another account' }).waitFor()
    await expect.poll(() => item('Sign out of this account only').count()).toBe(0)
  })

  it('an account whose session ended elsewhere shows a message', async () => {
    await page.keyboard.press('Escape')
    await add('Cem')
    await menu().click()
    await item(/^Switch to Ada/).waitFor()
    const { context, page: elsewhere } = await openDevice(chrome.browser)
    await elsewhere.goto(`${server.url}/sign-in`)
    await signIn('Ada', elsewhere)
    await elsewhere.evaluate(() => fetch('/api/auth/revoke-sessions', { method: 'POST' }))
    await context.close()
    await item(/^Switch to Ada/).click()
    await page.getByText('This account has been signed out here. Add it again.').waitFor()
    await expect.poll(() => shown()).toBe('Cem')
  })

  it('signing out ends them all', async () => {
    await page.reload()
    await add('Bea')
    await menu().click()
    await item('Sign out of all accounts').click()
    await heading('Sign in').waitFor()
    const held = (await page.context().cookies()).filter(({ name }) => name.includes('session_token'))
    expect(held).toEqual([])
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
