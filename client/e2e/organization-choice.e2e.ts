import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, type OpenBrowser, openBrowser, openDevice, watchChannel } from './browser.ts'
import { lookAt } from './look-at.ts'

let server: TestServer
let chrome: OpenBrowser

const longName = 'Donaudampfschifffahrtsgesellschaft für Elektrizitätenhauptbetriebswerkbau and Partners'
const password = 'a long enough password'

beforeAll(async () => {
  ;[server, chrome] = await Promise.all([
    startServer({ config: { organization: { teams: { enabled: true } } } }),
    openBrowser(),
  ])
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

/**
 * A user with these organizations, signed in on a device. `send` sends without a page: the app reads the session, and a read from
 * before a change could store its cookie after it.
 */
async function someoneWith(name: string, ...organizations: string[]) {
  const { context, page } = await openDevice(chrome.browser)
  const send = async (path: string, data: object): Promise<{ id: string }> => {
    const headers = { origin: server.url }
    const answer = await context.request.post(`${server.url}/api/auth${path}`, { headers, data })
    expect(answer.status(), path).toBe(200)
    return await answer.json()
  }
  const email = `${name}@example.com`
  await send('/sign-up/email', { name, email, password })
  const made: { id: string }[] = []
  for (const [at, each] of organizations.entries()) {
    made.push(await send('/organization/create', { name: each, slug: `${name}-${at}` }))
  }
  return { page, email, organizations: made, send }
}

const go = (path: string, on: Page) => on.goto(server.url + path)
const told = (text: string, on: Page) => on.getByText(text).filter({ visible: true }).first().waitFor()

describe('the choice of an organization', () => {
  it('fits a narrow window with long names; a row is one button', async () => {
    const { page, send } = await someoneWith('rosa', longName, 'Acme')
    await send('/organization/set-active', { organizationId: null })
    await go('/organization/members', page)
    await told('Choose an organization.', page)
    await lookAt(page, 'choose-organization')
    // Its screens are in the navigation before one is chosen.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    const row = page.getByRole('button', { name: `Switch to ${longName}` })
    expect((await row.boundingBox())!.width).toBeGreaterThan(300)
    await row.click()
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'))
      .toBeLessThanOrEqual(0)
  })

  it('is not shown after a new sign-in to a user with one organization', async () => {
    const { page, email, send } = await someoneWith('olga', 'Only One')
    await send('/sign-out', {})
    await send('/sign-in/email', { email, password })
    await go('/organization/members', page)
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await page.getByRole('button', { name: 'Organization: Only One', exact: true }).waitFor()
    await page.getByRole('row').filter({ hasText: email }).waitFor()
    await page.context().close()
  })

  it('has the user’s teams, of which one is active', async () => {
    const { page } = await someoneWith('tina', 'Teamwork')
    await go('/organization/members', page)
    await page.getByRole('button', { name: 'Organization: Teamwork', exact: true }).click()
    await page.getByRole('group', { name: 'Your teams' }).getByRole('button', { name: 'Teamwork' }).click()
    await told('Switched to the team Teamwork.', page)
    await page.getByRole('button', { name: 'Organization: Teamwork, Teamwork' }).click()
    await lookAt(page, 'team-switch')
    await page.getByRole('button', { name: 'Whole organization' }).click()
    await page.getByRole('button', { name: 'Organization: Teamwork', exact: true }).waitFor()
  })

  it('follows the end of an organization, with the reason', async () => {
    const { page, organizations } = await someoneWith('gina', 'Stays', 'Gone')
    const connected = await watchChannel(page)
    await go('/organization/settings', page)
    await page.getByLabel('Name', { exact: true }).fill('Gone Inc')
    await connected()
    // By a colleague.
    await ask(page, '/organization/delete', { organizationId: organizations[1]!.id })
    await told('Gone no longer exists, or you are no longer in it.', page)
    await told('Choose an organization.', page)
    await lookAt(page, 'organization-gone')
    await page.getByRole('button', { name: 'Switch to Stays' }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('no longer exists').count()).toBe(0)
    await page.context().close()
  })
})
