import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }
const pam = { name: 'Pam Person', email: 'pam@example.com', password: 'password-of-pam' }

beforeAll(async () => {
  server = await startServer({
    vars: { ADMIN_EMAILS: root.email },
    config: {
      admin: { roles: { moderator: { user: ['list', 'ban'] } } },
      user: { additionalFields: { team: { type: 'string', label: 'Team', profile: true } } },
    },
  })
  chrome = await openBrowser()
  ;({ page } = await openDevice(chrome.browser))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    body: JSON.stringify(body),
  })

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = (label: string) => page.getByLabel(label, { exact: true })
const dialog = () => page.getByRole('dialog')
const told = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()

/** Shows the screen in both widths and both themes, for whoever wants to look: set LOOK to a folder. */
async function look(name: string) {
  await expectAccessible(page)
  const folder = process.env.LOOK
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

// One walk in order: each step begins where the one before it ended.
describe('the console', () => {
  it('lists users, and the address says what is shown', async () => {
    await post('/sign-up/email', root)
    await post('/sign-up/email', pam)
    for (let n = 10; n < 62; n++) {
      await post('/sign-in/anonymous', {})
    }
    await page.goto(`${server.url}/sign-in?callbackURL=/admin/users`)
    await page.getByLabel(/^Email/).fill(root.email)
    await field('Password').fill(root.password)
    await button('Sign in').click()
    await heading('Users').waitFor()

    await told('54 in total')
    await look('users')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/page=/)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByRole('link', { name: pam.name }).waitFor()
    await page.getByRole('link', { name: 'First page' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('PAM')
    await page.waitForURL(/q=PAM/)
    await told('1 found')
    // A filter that is chosen while somebody still types stays.
    await field('Search users').fill('pa')
    await field('Show').selectOption('banned')
    await page.waitForURL(/q=pa&show=banned/)
    await field('Search users').fill('PAM')
    await field('Show').selectOption('all')
    await page.waitForURL(/q=PAM$/)
    await told('1 found')
    await page.reload()
    await page.getByRole('link', { name: pam.name }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await field('Show').selectOption('role:admin')
    await told('No users match.')
    await look('nobody')
    await page.getByRole('link', { name: 'Show everyone' }).click()
    await field('Show').selectOption('role:admin')
    await page.getByRole('link', { name: root.name }).waitFor()
  })

  it('says where to go on when a page or a person is not there, or it was too much', async () => {
    await page.goto(`${server.url}/admin/users?page=rubbish`)
    await told('This page is no longer available.')
    await page.getByRole('link', { name: 'First page' }).click()
    await told('54 in total')
    await page.goto(`${server.url}/admin/users/nobody`)
    await heading('Person').waitFor()
    await told('There is no such user.')
    await look('gone')
    await page.route('**/admin/audit**', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '60' }, json: { message: 'Too many requests.' } }),
    )
    await page.getByRole('link', { name: 'Audit log' }).click()
    await told('Too many attempts. Try again in')
    expect(await button('Try again').isDisabled()).toBe(true)
    await page.unroute('**/admin/audit**')
  })

  it('creates somebody, with what is wrong told at the fields', async () => {
    await page.goto(`${server.url}/admin/users/new`)
    await heading('New user').waitFor()
    await field('Name').fill('Nora New')
    await field('Email').fill(pam.email)
    await field('Password').fill('password-of-nora')
    await page.getByLabel(/^Team/).fill('Support')
    await button('Create user').click()
    await told('Someone already uses this address.')
    await look('create')
    await field('Email').fill('nora@example.com')
    await button('Create user').click()
    await heading('Nora New').waitFor()
  })

  it('shows a person, edits them, changes roles and sets a password', async () => {
    await button('Edit').click()
    await dialog().getByLabel('Name', { exact: true }).fill('Nora Newman')
    const sent = page.waitForRequest('**/admin/update-user')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await heading('Nora Newman').waitFor()
    // Not the address: she may have changed it in the meantime.
    expect((await sent).postDataJSON()).toMatchObject({ data: { name: 'Nora Newman' } })
    expect((await sent).postDataJSON().data).not.toHaveProperty('email')
    await button('Change roles').click()
    await dialog().getByLabel('moderator').check()
    await look('roles')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await told('user, moderator')
    await button('Set password').click()
    await dialog().getByLabel('Password', { exact: true }).fill('next-password-of-nora')
    await dialog().getByRole('button', { name: 'Set password' }).click()
    await told('The password has been set.')
    const theirs = await post('/sign-in/email', { email: 'nora@example.com', password: 'next-password-of-nora' })
    expect([theirs.status, await theirs.json()]).toMatchObject([200, { user: { team: 'Support' } }])
    const cookie = theirs.headers.getSetCookie().map((line) => line.split(';')[0])
    expect((await post('/api-key/create', { name: 'Night job' }, { cookie: cookie.join('; ') })).status).toBe(200)
    await page.reload()
    await told('No passkey.')
    await told('Night job')
    await told('Never used')
    await told('Changed roles')
    await look('person')
  })

  it('bans after a typed confirmation, and lifts the ban', async () => {
    await button('Ban').click()
    await dialog().getByLabel('Reason (optional)').fill('Spam')
    await dialog().getByLabel('For how long').selectOption('week')
    await dialog().getByRole('button', { name: 'Ban' }).click()
    await told('This does not match “nora@example.com”.')
    await dialog().getByLabel(/^Type/).fill('nora@example.com')
    await look('ban')
    await dialog().getByRole('button', { name: 'Ban' }).click()
    await told('Banned: Spam')
    await look('banned')
    // The person reads why, and until when.
    const { page: theirs } = await openDevice(chrome.browser)
    await theirs.goto(`${server.url}/sign-in`)
    await theirs.getByLabel(/^Email/).fill('nora@example.com')
    await theirs.getByLabel('Password', { exact: true }).fill('next-password-of-nora')
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.getByText(/Reason: Spam\. It ends on /).waitFor()
    await button('Lift the ban').click()
    await told('The ban has been lifted.')
  })

  it('acts as somebody under a banner that counts down, and comes back', async () => {
    await page.goto(`${server.url}/admin/users?q=pam`)
    await page.getByRole('link', { name: pam.name }).click()
    await heading(pam.name).waitFor()
    await button('Sign in as this person').click()
    await told('You are signed in as Pam Person.')
    expect(await page.getByRole('timer').innerText()).toMatch(/^00:59:\d\d$|^01:00:00$/)
    await page.goto(`${server.url}/account/profile`)
    await told('You are signed in as Pam Person.')
    await look('banner')
    await button('Back to your own account').click()
    await heading(pam.name).waitFor()
    expect(await page.getByText('You are signed in as Pam Person.').count()).toBe(0)
  })

  it('removes after a typed confirmation; the audit log tells all of it', async () => {
    await button('Remove user').click()
    await dialog().getByLabel(/^Type/).fill(pam.email)
    await dialog().getByRole('button', { name: 'Remove user' }).click()
    await heading('Users').waitFor()
    await page.goto(`${server.url}/admin/audit`)
    await told('Signed in as them')
    await told('Removed')
    await look('audit')
  })

  it('speaks German', async () => {
    await page.evaluate(() => localStorage.clear())
    const { page: german } = await openDevice(chrome.browser)
    await german.context().addCookies(await page.context().cookies())
    await german.setExtraHTTPHeaders({})
    await german.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }))
    await german.goto(`${server.url}/admin/users`)
    await german.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
    await expectAccessible(german)
  })

  it('had no error in the browser on the way', () => {
    expect(complaints).toEqual([])
  })
})
