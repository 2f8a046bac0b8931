import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { type OpenBrowser, openBrowser, openDevice, shiftOf } from './browser.ts'
import { lookAt } from './look-at.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }
const longName = 'Donaudampfschifffahrtsgesellschaft für Elektrizitätenhauptbetriebswerkbau and Partners'
const people = Array.from({ length: 12 }, (_, n) => ({
  name: n === 3 ? `Maximiliane von und zu ${longName}` : `Person ${n}`,
  email: `person${n}@example.com`,
  password: 'password-of-person',
}))

const post = async (path: string, body: object, cookie = '') => {
  const answer = await fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, cookie },
    body: JSON.stringify(body),
  })
  expect(answer.status, `${path} ${await answer.clone().text()}`).toBe(200)
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0])
  return { id: ((await answer.json()) as { id: string }).id, cookie: cookies.join('; ') }
}

/** Organizations whose owner is the first user; the second one is a member of the first organization. */
async function organizations() {
  const [owner, member] = await Promise.all(people.slice(0, 2).map((one) => post('/sign-up/email', one)))
  const database = await server.database()
  const now = Date.now()
  const insertion = 'insert into users (id, name, email, created_at, updated_at) values (?1, ?2, ?3, ?4, ?4)'
  await database.batch([
    database.prepare('update users set email_verified = 1'),
    ...people.slice(2).map(({ name, email }, n) => database.prepare(insertion).bind(`person-${n}`, name, email, now)),
  ])
  const { id: organizationId } = await post('/organization/create', { name: longName, slug: 'acme' }, owner!.cookie)
  const invite = { organizationId, role: 'member' }
  const invited = await post('/organization/invite-member', { ...invite, email: people[1]!.email }, owner!.cookie)
  await post('/organization/accept-invitation', { invitationId: invited.id }, member!.cookie)
  await post('/organization/invite-member', { ...invite, email: 'someone.else@example.com' }, owner!.cookie)
  for (let n = 0; n < 4; n++) {
    await post('/organization/create', { name: `Organization ${n}`, slug: `other-${n}` }, owner!.cookie)
  }
}

beforeAll(async () => {
  ;[server, chrome] = await Promise.all([
    startServer({
      vars: { ADMIN_EMAILS: root.email },
      config: { organization: { teams: { enabled: true } }, rateLimit: { enabled: false } },
    }),
    openBrowser(),
  ])
  await organizations()
  await post('/sign-up/email', root)
  ;({ page } = await openDevice(chrome.browser))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  await page.goto(`${server.url}/goodbye`)
  await signIn(page, root)
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const signIn = (on: Page, { email, password }: { email: string; password: string }) =>
  on.evaluate(`fetch('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '${JSON.stringify({ email, password })}',
  })`)

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const told = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()

// One walk: each step begins where the previous one ended.
describe('organizations in the console', () => {
  it('lists and finds them, and the address contains the search', async () => {
    await page.goto(`${server.url}/admin/organizations`)
    await heading('Organizations').waitFor()
    await link(longName).waitFor()
    expect(await shiftOf(page)).toBeLessThan(0.02)
    await lookAt(page, 'organizations')
    await expect.poll(() => page.getByRole('row').count()).toBe(6)
    await page.keyboard.press('/')
    await page.keyboard.type('ACM')
    await page.waitForURL(/q=ACM/)
    await told('1 found')
    await page.getByRole('searchbox').fill('nothing-like-it')
    await told('No organizations match.')
    await lookAt(page, 'organizations-none')
    await page.getByRole('searchbox').fill('donau')
    await page.waitForURL(/q=donau/)
    await link(longName).click()
    await heading(longName).waitFor()
    await told('someone.else@example.com')
    await lookAt(page, 'organization')
  })

  it('changes roles, keeps the last owner, transfers the ownership and removes a member', async () => {
    const menuOf = async (name: string, item: string) => {
      await button(`Actions for ${name}`).click()
      await button(item).click()
    }
    await menuOf('Person 0', 'Change roles')
    await dialog().getByLabel('Owner').uncheck()
    await dialog().getByLabel('Admin').check()
    await lookAt(page, 'organization-roles')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await told('This is the only owner. Transfer the ownership first.')
    await page.keyboard.press('Escape')
    await button('Actions').click()
    await button('Transfer ownership').click()
    await dialog().getByRole('button', { name: 'Transfer ownership' }).click()
    await told('Choose a person.')
    await dialog().getByLabel('New owner').selectOption({ label: 'Person 1 (person1@example.com)' })
    await dialog().getByLabel('Role of Person 0 afterwards').selectOption('Member')
    await lookAt(page, 'organization-transfer')
    await dialog().getByRole('button', { name: 'Transfer ownership' }).click()
    await told('Person 1 is now the owner.')
    await page.getByRole('row', { name: /Person 1.*Owner/ }).waitFor()
    await menuOf('Person 0', 'Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await told('Person 0 has been removed.')
    await page.getByRole('row', { name: /Person 0/ }).waitFor({ state: 'detached' })
  })

  it('deletes one after its slug is typed; the audit log names all of it', async () => {
    await button('Actions').click()
    await button('Delete organization').click()
    await dialog().getByRole('button', { name: 'Delete organization' }).click()
    await told('This does not match “acme”.')
    await lookAt(page, 'organization-delete')
    await dialog().getByLabel(/^Type/).fill('acme')
    await dialog().getByRole('button', { name: 'Delete organization' }).click()
    await heading('Organizations').waitFor()
    await link(longName).waitFor({ state: 'detached' })
    await page.goto(`${server.url}/admin/audit`)
    await told('Deleted the organization')
    await told('Transferred the ownership')
    await told('Removed a member')
    await lookAt(page, 'organization-audit')
    await page.goto(`${server.url}/admin/organizations/unknown`)
    await told('There is no such organization.')
  })
})

describe('several users at once', () => {
  const act = (name: string) =>
    page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name, exact: true })
  const select = async (...names: string[]) => {
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }

  it('selects rows and the page, but never the administrator', async () => {
    await page.goto(`${server.url}/admin/users`)
    await link('Person 5').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: `Select ${root.name}` }).isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).first().check()
    await told('12 selected')
    await lookAt(page, 'bulk-bar')
    await act('Clear selection').click()
    await page.getByText('12 selected').waitFor({ state: 'detached' })
  })

  it('bans with a reason, waits as long as a limit asks for, and lists who failed and why', async () => {
    await select('Person 4', 'Person 5', 'Person 6', 'Person 7')
    await act('Ban').click()
    await dialog().getByLabel('Reason (optional)').fill('Spam')
    await dialog().getByLabel('For how long').selectOption('week')
    await lookAt(page, 'bulk-ban')
    let calls = 0
    const refusal = { code: 'YOU_ARE_NOT_ALLOWED_TO_BAN_USERS', message: 'No' }
    await page.route('**/admin/ban-user', (route) => {
      calls++
      if (calls === 2)
        return route.fulfill({ status: 429, headers: { 'x-retry-after': '2' }, json: { message: 'Slow' } })
      return calls === 3 ? route.fulfill({ status: 403, json: refusal }) : route.continue()
    })
    // The page says it for two seconds.
    const waits = told(/Continuing in [12] s/)
    await dialog().getByRole('button', { name: 'Ban', exact: true }).click()
    await waits
    await lookAt(page, 'bulk-running')
    await told('3 users banned.')
    await told('1 user failed:')
    await told('Your role does not allow you to ban this person.')
    await lookAt(page, 'bulk-outcome')
    await page.unroute('**/admin/ban-user')
    expect(calls).toBe(5)
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    // The one that failed is still selected.
    await told('1 selected')
    await page.getByText('Banned', { exact: true }).nth(2).waitFor()
    await act('Clear selection').click()
  })

  it('stops on request, sets roles, and deletes after a typed confirmation', async () => {
    await select('Person 8', 'Person 9', 'Person 10', 'Person 11')
    await act('Set role').click()
    await lookAt(page, 'bulk-roles')
    await dialog().getByLabel('admin').check()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/admin/set-role', (route) => held.then(() => route.continue()))
    await dialog().getByRole('button', { name: 'Set role' }).click()
    await told('0 of 4')
    await dialog().getByRole('button', { name: 'Stop' }).click()
    await told('Stopping …')
    release()
    await told('Stopped: 3 users left unchanged.')
    await told('Roles of 1 user set.')
    await page.keyboard.press('Escape')
    await page.unroute('**/admin/set-role')
    await select('Person 2', 'Person 7')
    await act('Delete').click()
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
    await told('This does not match “delete 2”.')
    await dialog().getByLabel(/^Type/).fill('delete 2')
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click()
    await told('2 users deleted.')
    await page.keyboard.press('Escape')
    await link('Person 2').waitFor({ state: 'detached' })
    await expect.poll(() => link('Person 7').count()).toBe(0)
  })
})

describe('the command menu', () => {
  const box = () => page.getByRole('combobox', { name: 'Search and go to' })
  // The screen behind the dialog has native lists with options.
  const results = () => page.getByRole('listbox', { name: 'Results' })
  const option = (name: string | RegExp) => results().getByRole('option', { name })

  it('finds screens, users and organizations by keyboard', async () => {
    await page.locator('[aria-keyshortcuts]').waitFor()
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await expect.poll(() => box().getAttribute('aria-expanded')).toBe('true')
    await lookAt(page, 'commands')
    await page.keyboard.type('audit')
    await results().getByRole('option', { name: 'Audit log', exact: true }).waitFor()
    // The screen first, then its actions.
    await expect.poll(() => results().getByRole('option').first().textContent()).toBe('Audit log')
    await page.keyboard.press('Enter')
    await heading('Audit log').waitFor()
    await page.keyboard.press('Control+k')
    await box().waitFor()
    await page.keyboard.type('person')
    await option(/Person 0/).waitFor()
    // At most five, and the arrows go around.
    await expect.poll(() => page.getByRole('group', { name: 'Users' }).getByRole('option').count()).toBe(5)
    await page.keyboard.press('ArrowUp')
    const selected = results().getByRole('option', { selected: true })
    const isActive = async () =>
      (await box().getAttribute('aria-activedescendant')) === (await selected.getAttribute('id'))
    await expect.poll(isActive).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await lookAt(page, 'commands-found')
    await box().fill('other-2')
    await option(/Organization 2/).waitFor()
    await page.keyboard.press('Enter')
    await heading('Organization 2').waitFor()
    await page.keyboard.press('Control+k')
    await box().fill('zzz')
    await told('Nothing found for “zzz”.')
    await page.keyboard.press('Escape')
    await box().waitFor({ state: 'detached' })
  })

  it('members find screens and their organizations, by the button on a phone', async () => {
    const { page: phone } = await openDevice(chrome.browser)
    await phone.setViewportSize({ width: 360, height: 740 })
    await phone.goto(`${server.url}/goodbye`)
    await signIn(phone, people[0]!)
    await phone.goto(`${server.url}/account/profile`)
    const search = phone.getByRole('banner').getByRole('button', { name: 'Search' })
    const size = (await search.boundingBox())!
    expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(40)
    await lookAt(phone, 'bar-of-member')
    await search.click()
    await phone.getByRole('option', { name: 'Security' }).waitFor()
    await expect.poll(() => phone.getByRole('option', { name: 'Users', exact: true }).count()).toBe(0)
    const searched: string[] = []
    phone.on('request', (request) => void (request.url().includes('/admin/') && searched.push(request.url())))
    await phone.keyboard.type('other-1')
    await phone.getByRole('option', { name: /Organization 1/ }).click()
    await phone.getByText('You are now working in Organization 1.').waitFor()
    await phone.waitForURL(/organization\/settings/)
    expect(searched).toEqual([])
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
