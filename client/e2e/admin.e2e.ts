import { mkdirSync, readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'

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
/** Chooses from the menu of a user's page. */
async function act(name: string) {
  await button('Actions').click()
  await button(name).click()
}
const dialog = () => page.getByRole('dialog')
const told = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()

/** With LOOK=folder: screenshots in both widths and both themes. */
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

// One walk: each step begins where the previous one ended.
describe('the console', () => {
  it('lists users, and the address contains the view', async () => {
    await post('/sign-up/email', root)
    await post('/sign-up/email', pam)
    for (let n = 10; n < 62; n++) {
      await post('/sign-in/anonymous', {})
    }
    await page.goto(`${server.url}/sign-in?callbackURL=/admin/users`)
    await enterIdentifier(page, root.email)
    await field('Password').fill(root.password)
    await button('Sign in').click()
    await heading('Users').waitFor()

    await told('54 in total')
    await look('users')
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(/page=/)
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.getByRole('link', { name: pam.name }).waitFor()
    await page.getByRole('link', { name: 'First page' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('PAM')
    await page.waitForURL(/q=PAM/)
    await told('1 found')
    // A filter that is chosen during typing stays.
    await field('Search users').fill('pa')
    await field('Show').selectOption('banned')
    await page.waitForURL(/q=pa&show=banned/)
    await field('Search users').fill('PAM')
    await field('Show').selectOption('all')
    await page.waitForURL(/q=PAM$/)
    await told('1 found')
    await page.reload()
    await page.getByRole('link', { name: pam.name }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    // One search: the address, and a whole ID.
    await field('Search users').fill('pam@exam')
    await page.waitForURL(/q=pam%40exam/)
    await told('1 found')
    const id = (await page.getByRole('link', { name: pam.name }).getAttribute('href'))!.split('/').at(-1)!
    await field('Search users').fill(id)
    await page.waitForURL(new RegExp(id))
    await told('1 found')
    await page.getByRole('link', { name: pam.name }).waitFor()
    await field('Search users').fill('PAM')
    await page.waitForURL(/q=PAM$/)
    await field('Show').selectOption('role:admin')
    await told('No users match.')
    await told('We looked for names, email addresses, usernames and phone numbers')
    await told('A filter is on, too.')
    await look('no-match')
    await page.getByRole('link', { name: 'Show everyone' }).click()
    await page.waitForURL(/users$/)
    await field('Show').selectOption('role:admin')
    await page.getByRole('link', { name: root.name }).waitFor()
  })

  it('shows the next step for a missing page, a missing user and a rate limit', async () => {
    await page.goto(`${server.url}/admin/users?page=rubbish`)
    await told('This page is no longer available.')
    await page.getByRole('link', { name: 'First page' }).click()
    await told('54 in total')
    await page.goto(`${server.url}/admin/users/unknown`)
    await heading('Person').waitFor()
    await told('There is no such user.')
    await look('gone')
    await page.route('**/admin/audit**', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '5' }, json: { message: 'Too many requests.' } }),
    )
    await page.getByRole('link', { name: 'Audit log' }).click()
    await told('The service is busy. Trying again in')
    await expect.poll(() => button('Try again').count()).toBe(0)
    await page.unroute('**/admin/audit**')
    await page.getByText('The service is busy').waitFor({ state: 'hidden' })
  })

  it('creates a user, with errors at the fields', async () => {
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

  it('shows a user, edits the profile, changes roles and sets a password', async () => {
    await act('Edit')
    await dialog().getByLabel('Name', { exact: true }).fill('Nora Newman')
    const sent = page.waitForRequest('**/admin/update-user')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await heading('Nora Newman').waitFor()
    // Not the address, which the user may have changed.
    expect((await sent).postDataJSON()).toMatchObject({ data: { name: 'Nora Newman' } })
    expect((await sent).postDataJSON().data).not.toHaveProperty('email')
    await act('Change roles')
    await dialog().getByLabel('moderator').check()
    await look('roles')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await told('User, moderator')
    await act('Set password')
    await dialog().getByLabel('Password', { exact: true }).fill('next-password-of-nora')
    await dialog().getByRole('button', { name: 'Set password' }).click()
    await told('The password has been set.')
    const theirs = await post('/sign-in/email', { email: 'nora@example.com', password: 'next-password-of-nora' })
    expect({ status: theirs.status, body: await theirs.json() }).toMatchObject({
      status: 200,
      body: { user: { team: 'Support' } },
    })
    const cookie = theirs.headers.getSetCookie().map((line) => line.split(';')[0])
    expect((await post('/api-key/create', { name: 'Night job' }, { cookie: cookie.join('; ') })).status).toBe(200)
    await page.reload()
    await told('No passkey. Not in any organization.')
    await told('Last sign-in')
    await told('moderator')
    await told('Night job')
    await told('Never used')
    await told('Changed the roles of a user')
    await look('person')
  })

  it('bans after a typed confirmation, and lifts the ban', async () => {
    await act('Ban')
    await dialog().getByLabel('Reason (optional)').fill('Spam')
    await dialog().getByLabel('For how long').selectOption('week')
    await dialog().getByRole('button', { name: 'Ban' }).click()
    await told('This does not match “nora@example.com”.')
    await dialog().getByLabel(/^Type/).fill('nora@example.com')
    await look('ban')
    await dialog().getByRole('button', { name: 'Ban' }).click()
    await told('Banned: Spam')
    await look('banned')
    // The user reads the reason and the end.
    const { page: theirs } = await openDevice(chrome.browser)
    await theirs.goto(`${server.url}/sign-in`)
    await enterIdentifier(theirs, 'nora@example.com')
    await theirs.getByLabel('Password', { exact: true }).fill('next-password-of-nora')
    await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
    await theirs.getByText(/Reason: Spam\. It ends on /).waitFor()
    await act('Lift the ban')
    await told('The ban has been lifted.')
  })

  it('impersonates a user under a banner with a countdown, and stops', async () => {
    await page.goto(`${server.url}/admin/users?q=pam`)
    await page.getByRole('link', { name: pam.name }).click()
    await heading(pam.name).waitFor()
    // The way back keeps the search, also after a reload.
    await page.reload()
    await page.getByRole('navigation', { name: 'Back to the list' }).getByRole('link', { name: 'Users' }).click()
    await page.waitForURL(/users\?q=pam$/)
    await page.getByRole('link', { name: pam.name }).click()
    await heading(pam.name).waitFor()
    await button('Actions').click()
    // The menu ends with the column.
    const [menu, column] = await Promise.all([
      page.locator('[popover]:popover-open').boundingBox(),
      page.getByRole('main').boundingBox(),
    ])
    expect(menu!.x + menu!.width).toBeLessThanOrEqual(column!.x + column!.width + 1)
    await look('user-menu')
    await page.keyboard.press('Escape')
    await act('Sign in as this person')
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click()
    await told('Enter a reason.')
    await dialog().getByLabel('Reason', { exact: true }).fill('Ticket 4711')
    await look('impersonate')
    await dialog().getByRole('button', { name: 'Sign in', exact: true }).click()
    await told('You are signed in as Pam Person.')
    await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^00:59:\d\d$|^01:00:00$/)
    await page.goto(`${server.url}/account/profile`)
    await told('You are signed in as Pam Person.')
    await told('Not while you are signed in as Pam Person.')
    await expect.poll(() => page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    await look('banner')
    // What the server would reject is disabled, with the reason; nothing offers another attempt.
    await page.goto(`${server.url}/account/security`)
    await told('Not while you are signed in as Pam Person.')
    for (const name of ['Change password', 'Add a passkey', 'Set up'])
      await expect.poll(() => button(name).isDisabled()).toBe(true)
    await expect.poll(() => button('Try again').count()).toBe(0)
    await look('impersonated-security')
    await page.goto(`${server.url}/developers/api-keys`)
    await heading('API keys').waitFor()
    await told('Not while you are signed in as Pam Person.')
    await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0)
    // The user is not an administrator: no search and no filters above the refusal.
    await page.goto(`${server.url}/admin/users`)
    await told('Your role does not allow you to see users.')
    await expect.poll(() => page.getByRole('searchbox').count()).toBe(0)
    await expect.poll(() => button('Try again').count()).toBe(0)
    await look('users-refused')
    await button('Back to your own account').click()
    await heading(pam.name).waitFor()
    await expect.poll(() => page.getByText('You are signed in as Pam Person.').count()).toBe(0)
  })

  it('removes after a typed confirmation; the audit log contains all of it', async () => {
    await act('Remove user')
    await dialog().getByLabel(/^Type/).fill(pam.email)
    await dialog().getByRole('button', { name: 'Remove user' }).click()
    await heading('Users').waitFor()
    await page.goto(`${server.url}/admin/audit`)
    await told('Signed in as another user')
    await told('Ticket 4711')
    await told('Deleted an account')
    await look('audit')
    await page.getByRole('link', { name: 'Streams', exact: true }).click()
    await button('Create a stream').click()
    await dialog().getByLabel('Name').fill('SIEM')
    await dialog().getByLabel('URL').fill('https://siem.example.org/audit')
    await dialog().getByRole('button', { name: 'Create a stream' }).click()
    await button('Done').click()
    await button('Actions for SIEM').waitFor()
    await look('audit-streams')
  })

  it('shows the numbers of the last days as charts and tables', async () => {
    const database = await server.database()
    const today = Math.floor(Date.now() / 86_400_000)
    const rows: [day: number, name: string, label: string, count: number][] = []
    for (let back = 0; back < 90; back++) {
      const wave = 60 - (back % 7) * 8
      rows.push([today - back, 'sign-up', '', wave], [today - back, 'sign-up', 'guest', back % 5])
      for (const [n, method] of ['email', 'passkey', 'google', 'magic-link', 'email-otp', 'sign-up'].entries()) {
        rows.push([today - back, 'sign-in', method, wave * 30 - n * 40])
      }
      rows.push([today - back, 'sign-in-failed', 'password', wave % 9])
      rows.push([today - back, 'active', 'day', wave * 20], [today - back, 'active', 'week', 5000 - back * 10])
      rows.push(
        [today - back, 'active', 'month', 12_000 - back * 20],
        [today - back, 'undelivered', '', back === 3 ? 7 : 0],
      )
    }
    await database
      .prepare(
        `insert into daily_counts (day, name, label, count)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(?1) where true
         on conflict do update set count = excluded.count`,
      )
      .bind(JSON.stringify(rows))
      .run()
    await page.goto(`${server.url}/admin`)
    await heading('Overview').waitFor()
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    await expect.poll(() => navigation.locator('[aria-current]').allInnerTexts()).toEqual(['Overview'])
    await page.getByRole('img', { name: /^Sign-ups: [\d,]+ from .* Highest: 64 on / }).waitFor()
    await lookAt(page, 'overview')
    await page.getByRole('button', { name: 'Show as table: Sign-ins' }).click()
    const table = page.getByRole('table', { name: 'Sign-ins' })
    // The newest day first; the methods by their size.
    await expect.poll(() => table.getByRole('row').nth(1).innerText()).toMatch(/1,800\s+1,760\s+1,720/)
    await expect.poll(() => table.getByRole('row').count()).toBe(31)
    await page.getByRole('link', { name: '7 days' }).first().click()
    await page.waitForURL(/admin\?days=7$/)
    await expect.poll(() => table.getByRole('row').count()).toBe(8)
    await lookAt(page, 'overview-table')
    await page.getByRole('button', { name: /30 days/ }).click()
    await page.getByRole('img', { name: /^Active users: / }).waitFor()
  })

  it('filters the logs by the address of the page, and exports what the filter shows', async () => {
    const exported = async () => {
      const [file] = await Promise.all([page.waitForEvent('download'), button('Export as CSV').click()])
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
    }
    await page.getByRole('link', { name: 'Security events' }).click()
    await heading('Security events').waitFor()
    await button('Filter').click()
    await field('Event').click()
    await page.getByRole('option', { name: 'Signed in', exact: true }).click()
    await page.waitForURL(/events\?kind=sign-in$/)
    await field('Person').fill('nora@example.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/user=nora%40example.com/)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await lookAt(page, 'events')
    const events = await exported()
    expect(events.name).toMatch(/^security-events-\d{4}-\d\d-\d\d\.csv$/)
    expect(events.text.trimEnd().split('\r\n')).toHaveLength(2)
    await field('From').fill('2099-01-01')
    await field('To').focus()
    await told('Nothing matches this filter.')
    await button('Clear the filter').first().click()
    await page.getByRole('row').nth(3).waitFor()
    await page.goto(`${server.url}/admin/audit?kind=ban-user&by=${root.email}`)
    await page.getByRole('link', { name: 'Nora Newman' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await lookAt(page, 'audit-filter')
    expect((await exported()).text).toMatch(/^\ufefftime,action,.*\r\n.*,ban-user,.*Nora Newman/)
    await page.goto(`${server.url}/admin/users?q=nora`)
    await told('Last sign-in')
    await page.getByRole('link', { name: 'Nora Newman' }).waitFor()
    expect((await exported()).text).toContain('Nora Newman,nora@example.com,false,,,false,"user,moderator"')
    await lookAt(page, 'users-export')
    await page.goto(`${server.url}/admin/audit?kind=export-users`)
    await told('Exported users')
    await told('nora')
  })

  it('shows German', async () => {
    await page.evaluate(() => localStorage.clear())
    const { page: german } = await openDevice(chrome.browser)
    await german.context().addCookies(await page.context().cookies())
    await german.setExtraHTTPHeaders({})
    await german.addInitScript(() => Object.defineProperty(navigator, 'languages', { value: ['de'] }))
    await german.goto(`${server.url}/admin/users`)
    await german.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
    await expectAccessible(german)
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
