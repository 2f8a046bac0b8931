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
import { lookAt } from './look-at.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
let key = ''
const complaints: string[] = []

const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }

beforeAll(async () => {
  server = await startServer({ vars: { ADMIN_EMAILS: root.email }, config: { sharedSignals: { registration: true } } })
  chrome = await openBrowser()
  ;({ page } = await openDevice(chrome.browser))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(root),
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const listUsers = () =>
  fetch(`${server.url}/api/server/list-users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: '{}',
  })

describe('server keys', () => {
  it('a key with permissions, an expiry and addresses is shown once, and Escape does not lose it', async () => {
    await page.goto(`${server.url}/sign-in?callbackURL=/admin/server-keys`)
    await enterIdentifier(page, root.email)
    await page.getByLabel('Password', { exact: true }).fill(root.password)
    await page
      .locator('form')
      .getByRole('button', { name: /^Sign in/ })
      .click()
    await page.getByText('There are no server keys yet.').waitFor()
    await expectAccessible(page)
    await button('Create a key').click()
    await heading('New server key').waitFor()
    await dialog().getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('billing')
    await dialog().getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('Choose at least one permission.').waitFor()
    await page.getByLabel('users:read', { exact: true }).check()
    await page.getByLabel('billing:read', { exact: true }).check()
    await page.getByLabel('Expires', { exact: true }).selectOption({ label: 'After 30 days' })
    await page.getByLabel(/^Allowed addresses/).fill('localhost')
    await dialog().getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('localhost is not an IP address or a range.').waitFor()
    await page.getByLabel(/^Allowed addresses/).fill('127.0.0.0/8, ::1')
    await expectAccessible(page)
    await lookAt(page, 'server-key-form')
    await dialog().getByRole('button', { name: 'Create a key' }).click()
    await heading('Your new server key').waitFor()
    key = (await dialog().locator('code').first().textContent())!
    expect(key).toMatch(/^gh_sk_[A-Za-z]{48}$/)
    await expect
      .poll(() => dialog().textContent())
      .toContain(`/api/server/list-users -H "Authorization: Bearer ${key}"`)
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog().locator('code').first().textContent()).toBe(key)
    await expect.poll(() => asksBeforeClosing(page)).toBe(true)
    await expectAccessible(page)
    await button('I have saved it').click()
    await expect.poll(() => page.content()).not.toContain(key)
  })

  it('works from a server at one of its addresses, and the list shows it, also on a phone', async () => {
    const answer = await listUsers()
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { users: [{ email: root.email }] },
    })
    await page.reload()
    const row = page.getByRole('row').filter({ hasText: 'billing' })
    for (const text of [`${key.slice(0, 10)}…`, 'users:read', 'Only from 127.0.0.0/8, ::1', root.name]) {
      await row.getByText(text, { exact: true }).first().waitFor()
    }
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 800 })
    await expect.poll(() => page.evaluate(overflow)).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('is revoked after a question, and stops working', async () => {
    await button('Actions for billing').click()
    await page.getByRole('menuitem', { name: 'Revoke', exact: true }).or(button('Revoke')).last().click()
    await heading('Revoke the key billing?').waitFor()
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('There are no server keys yet.').waitFor()
    expect((await listUsers()).status).toBe(401)
    await page.goto(`${server.url}/admin/audit`)
    await page.getByText('Revoked a server key').filter({ visible: true }).first().waitFor()
    expect(complaints).toEqual([])
  })
})

describe('receivers of security events', () => {
  const row = () => page.getByRole('row').filter({ hasText: 'Acme' })
  const act = async (action: string) => {
    await button('Actions for Acme').click()
    await page.getByRole('button', { name: action, exact: true }).filter({ visible: true }).click()
  }

  it('a receiver is added, and its token is shown once', async () => {
    await page.goto(`${server.url}/admin/signal-receivers`)
    await page.getByText('No product receives security events yet.').waitFor()
    await expectAccessible(page)
    await button('Add a receiver').click()
    await heading('New event receiver').waitFor()
    await dialog().getByLabel('Delivery').selectOption('push')
    await dialog().getByRole('button', { name: 'Add a receiver' }).click()
    await page.getByText('Enter the address to which the events are sent.').waitFor()
    await expectAccessible(page)
    await lookAt(page, 'signal-receiver-form')
    await dialog().getByLabel('Delivery').selectOption('poll')
    await dialog().getByLabel('Name', { exact: true }).fill('Acme')
    await dialog().getByLabel('Audience', { exact: true }).fill('https://acme.example.com')
    await dialog().getByLabel('A credential changes').uncheck()
    await dialog().getByRole('button', { name: 'Add a receiver' }).click()
    await heading('The token of the new receiver').waitFor()
    const token = (await dialog().locator('code').first().textContent())!
    expect(token).toMatch(/^gh_ss_[A-Za-z0-9]{48}$/)
    await expectAccessible(page)
    await button('I have saved it').click()
    for (const text of ['https://acme.example.com', 'A session ends', 'Collected by the receiver', 'Enabled'])
      await row().getByText(text, { exact: true }).first().waitFor()
    await expect.poll(() => row().textContent()).not.toContain('A credential changes')
  })

  it('is paused, gets a test event once a minute, and is enabled again', async () => {
    await act('Pause')
    await row().getByText('Paused', { exact: true }).waitFor()
    await act('Send a test event')
    await row().getByText('1 event waits', { exact: true }).waitFor()
    await act('Send a test event')
    await page.getByText('A test event can be sent once a minute.').waitFor()
    await expectAccessible(page)
    await lookAt(page, 'signal-receivers')
    await act('Enable')
    await row().getByText('Enabled', { exact: true }).waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await expect.poll(() => page.evaluate(overflow)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('is deleted after a question', async () => {
    await act('Delete')
    await heading('Delete the receiver Acme?').waitFor()
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No product receives security events yet.').waitFor()
    expect(complaints).toEqual([])
  })
})
