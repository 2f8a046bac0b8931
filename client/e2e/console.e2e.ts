import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'

/** Acts for several users and their way back, saved filters, requests by their id, and the user page in one step. */

const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }
const people = ['Ada', 'Bob', 'Cy'].map((name) => ({
  name: `${name} Person`,
  email: `${name.toLowerCase()}@example.com`,
  password: `password-of-${name}`,
}))

let server: TestServer
let chrome: OpenBrowser
let page: Page

const signUp = (body: object) =>
  fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, 'cf-ray': '0123456789abcdef-KIX' },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  server = await startServer({ vars: { ADMIN_EMAILS: root.email } })
  chrome = await openBrowser()
  ;({ page } = await openDevice(chrome.browser))
  for (const person of people) expect((await signUp(person)).status).toBe(200)
  await page.request.post(`${server.url}/api/auth/sign-up/email`, { data: root, headers: { origin: server.url } })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(...names: string[]) {
  for (const name of names) await page.getByLabel(`Select ${name}`).check()
}

describe('acts for several users', () => {
  it('a ban and its way back', async () => {
    await page.goto(`${server.url}/admin/users`)
    await choose('Ada Person', 'Bob Person')
    await page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name: 'Ban', exact: true }).click()
    await dialog().getByLabel('Reason').fill('Spam')
    await dialog().getByRole('button', { name: 'Ban', exact: true }).click()
    await dialog().getByText('2 users banned.').waitFor()
    await row('Ada Person').getByText('Banned').waitFor()
    await dialog().getByRole('button', { name: 'Undo' }).click()
    await dialog().getByText('2 users are as before.').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await expect.poll(() => row('Ada Person').getByText('Banned').count()).toBe(0)
  })

  it('the end of a ban comes back with its reason', async () => {
    await choose('Cy Person')
    await page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name: 'Ban', exact: true }).click()
    await dialog().getByLabel('Reason').fill('Chargeback')
    await dialog().getByRole('button', { name: 'Ban', exact: true }).click()
    await dialog().getByText('1 user banned.').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await row('Cy Person').getByText('Banned').waitFor()
    await choose('Cy Person')
    await button('Lift ban').click()
    await dialog().getByRole('button', { name: 'Lift ban', exact: true }).click()
    await dialog().getByText('Ban of 1 user lifted.').waitFor()
    await dialog().getByRole('button', { name: 'Undo' }).click()
    await dialog().getByText('1 user is as before.').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    const database = await server.database()
    const { results } = await database.prepare('select ban_reason from users where banned = 1').all()
    expect(results).toEqual([{ ban_reason: 'Chargeback' }])
  })

  it('a sign-out everywhere, without a way back', async () => {
    await choose('Bob Person')
    await page.getByRole('region', { name: 'Selected users' }).getByRole('button', { name: 'Sign out' }).click()
    await dialog().getByRole('button', { name: 'Sign out', exact: true }).click()
    await dialog().getByText('1 user signed out.').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    const database = await server.database()
    const { results } = await database
      .prepare("select count(*) as left from sessions join users on users.id = user_id where email = 'bob@example.com'")
      .all()
    expect(results).toEqual([{ left: 0 }])
  })
})

describe('saved filters', () => {
  it('are kept by name, open by their address, and can be removed', async () => {
    await page.goto(`${server.url}/admin/users?show=banned`)
    await button('Saved filters').click()
    await button('Save this filter').click()
    await dialog().getByLabel('Name').fill('Chargebacks')
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await button('Chargebacks').waitFor()
    await lookAt(page, 'saved-filters')
    await page.goto(`${server.url}/admin/users`)
    await button('Saved filters').click()
    await page.getByRole('link', { name: 'Chargebacks' }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('?show=banned')
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Ada Person' }).count()).toBe(0)
    await button('Chargebacks').click()
    await button('Remove the filter Chargebacks').click()
    await button('Show all').click()
    await expect.poll(() => button('Saved filters').count()).toBe(0)
    await page.goto(`${server.url}/admin/audit?kind=admin`)
    await button('Saved filters').click()
    await button('Save this filter').click()
    await dialog().getByLabel('Name').fill('Console')
    await page.keyboard.press('Enter')
    await button('Console').waitFor()
  })
})

describe('a request by its id', () => {
  it('is found from the commands, in the audit log', async () => {
    const database = await server.database()
    const { results } = await database
      .prepare(
        "select request_id as id from audit_records where action = 'admin.ban-user' or action = 'ban-user' limit 1",
      )
      .all<{ id: string }>()
    const { id } = results[0]!
    await page.goto(`${server.url}/admin/users`)
    await page.locator('[aria-keyshortcuts]').waitFor()
    await page.keyboard.press('Control+k')
    await dialog().getByRole('combobox').fill(id)
    await page.getByRole('option', { name: `Find the request ${id} in the audit log` }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(id)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await expect.poll(() => page.getByLabel('Search in all fields').inputValue()).toBe(id)
    await page.locator('main').getByText('Rita Root').filter({ visible: true }).first().waitFor()
    await expect.poll(() => page.locator('main').getByText('Cy Person').count()).toBe(0)
  })
})

describe('keys and clients', () => {
  it('are found from the commands by their ids and names, and have pages', async () => {
    const post = async (path: string, data: object) => {
      const answer = await page.request.post(`${server.url}/api/auth${path}`, { data, headers: { origin: server.url } })
      expect(answer.ok()).toBe(true)
      return answer.json()
    }
    const key = await post('/api-key/create', { name: 'Nightly report' })
    const client = await post('/oauth2/register', {
      client_name: 'Field notes',
      redirect_uris: ['https://notes.example.com/callback'],
    })
    await page.goto(`${server.url}/admin`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const found = async (text: string, name: RegExp) => {
      await page.locator('[aria-keyshortcuts]').waitFor()
      await page.keyboard.press('Control+k')
      await dialog().getByRole('combobox').fill(text)
      await page.getByRole('option', { name }).waitFor()
      if (text === 'nightly') await lookAt(page, 'console-found')
      await page.getByRole('option', { name }).click()
    }
    const main = page.locator('main')
    for (const text of [key.id, key.start, 'nightly']) {
      await found(text, /Nightly report/)
      await page.getByRole('heading', { level: 1, name: 'Nightly report' }).waitFor()
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/api-keys/${key.id}`)
      await main.getByText(key.id).waitFor()
    }
    await lookAt(page, 'console-key')
    for (const text of [client.client_id, 'field']) {
      await found(text, /Field notes/)
      await page.getByRole('heading', { level: 1, name: 'Field notes' }).waitFor()
      await main.getByText('https://notes.example.com/callback').waitFor()
    }
    await lookAt(page, 'console-client')
    await main.getByRole('link', { name: 'Rita Root' }).click()
    await page.getByRole('heading', { level: 1, name: 'Rita Root' }).waitFor()
    await page.goto(`${server.url}/admin/api-keys/${key.id}x`)
    await main.getByText('Nothing has this ID.').waitFor()
  })
})

describe('the audit log and the timeline of a user', () => {
  it.each(['/admin/audit', '/admin/users/:id'])(
    '%s shows what happens elsewhere, and a hidden page asks nothing',
    async (path) => {
      const database = await server.database()
      const { results } = await database
        .prepare("select id from users where email = 'cy@example.com'")
        .all<{ id: string }>()
      const [{ id } = { id: '' }] = results
      const act = async (path: string) => {
        const url = `${server.url}/api/auth/admin/${path}`
        expect((await page.request.post(url, { data: { userId: id }, headers: { origin: server.url } })).ok()).toBe(
          true,
        )
      }
      await act('ban-user')
      const tab = await page.context().newPage()
      await tab.clock.install()
      let asked = 0
      tab.on('request', (request) => {
        if (request.url().includes('/admin/audit?')) asked += 1
      })
      await tab.goto(server.url + path.replace(':id', id))
      await tab.getByRole('checkbox', { name: 'Show new records at once' }).waitFor()
      const rows = tab.locator('main').getByRole('row')
      const before = { asked, text: await rows.nth(1).textContent() }
      await act('unban-user')
      await tab.clock.fastForward(10_000)
      await expect.poll(() => asked).toBeGreaterThan(before.asked)
      await expect.poll(() => rows.nth(1).textContent()).not.toBe(before.text)
      await tab.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })`)
      const quiet = asked
      await act('ban-user')
      await tab.clock.fastForward(60_000)
      expect(asked).toBe(quiet)
      await tab.evaluate('delete document.hidden')
      await tab.clock.fastForward(10_000)
      await expect.poll(() => asked).toBeGreaterThan(quiet)
      await tab.close()
    },
  )
})

describe('the page of a user', () => {
  it('asks for everything at once', async () => {
    await page.goto(`${server.url}/admin/users`)
    const person = page.getByRole('link', { name: 'Ada Person' })
    await person.waitFor()
    // What the list still asks for is not counted.
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    const isCall = (url: string) => /\/api\/auth\/admin\//.test(url)
    page.on('request', (request) => {
      if (isCall(request.url())) asked.push(new URL(request.url()).pathname.replace('/api/auth/admin/', ''))
    })
    // The user is answered after everything else.
    await page.route('**/admin/get-user*', async (route) => {
      await expect.poll(() => new Set(asked).size).toBe(4)
      await route.continue()
    })
    await person.click()
    await page.getByRole('heading', { level: 1, name: 'Ada Person' }).waitFor()
    await expect
      .poll(() => asked.toSorted())
      .toEqual(['audit', 'audit', 'get-user', 'list-user-sessions', 'security-events'])
    await lookAt(page, 'console-user')
  })
})
