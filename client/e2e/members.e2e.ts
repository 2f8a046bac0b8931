import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'
import { newest } from './mailbox.ts'

/** A list of many members: filter, order, several invitations and removals at once. */
let server: TestServer
let chrome: OpenBrowser
let page: Page

const password = 'a long enough password'
const owner = 'otto@example.com'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const told = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor()
const rows = () => page.locator('tbody tr')
const firstNames = async () =>
  (await rows().locator('td[data-lead] .font-medium:first-child').allInnerTexts()).map((name) => name.split(' ')[0])

const names = [
  'Wilhelmina Konstantinopolitanskaja-Dudelsackpfeifenmacher',
  'Max Member',
  'Ada Lovelace',
  'عبد الرحمن',
  '田中 さくら',
  'Zoë',
]
const emailOf = (at: number) =>
  at === 0 ? 'wilhelmina.konstantinopolitanskaja@subsidiary.department.example.com' : `person${at}@example.com`

beforeAll(async () => {
  ;[server, chrome] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

describe('the list of members', () => {
  it('belongs to an organization of seven', async () => {
    const device = await openDevice(chrome.browser)
    page = device.page
    await page.goto(`${server.url}/goodbye`)
    await ask(page, '/sign-up/email', { name: 'Otto Owner', email: owner, password })
    await page.goto(await newest(server, owner, 'links'))
    const organizationId = (await ask(page, '/organization/create', { name: 'Acme', slug: 'acme' })).id
    const other = (await openDevice(chrome.browser)).page
    await other.goto(`${server.url}/goodbye`)
    for (const [at, name] of names.entries()) {
      const email = emailOf(at)
      await ask(other, '/sign-up/email', { name, email, password })
      const role = at === 1 ? 'admin' : 'member'
      const { id } = await ask(page, '/organization/invite-member', { email, role, organizationId })
      await other.goto(await newest(server, email, 'links'))
      await ask(other, '/organization/accept-invitation', { invitationId: id })
    }
    await other.context().close()
  })

  it('is filtered by role and sorted by its columns', async () => {
    await page.goto(`${server.url}/organization/members`)
    await rows().first().waitFor()
    await button(/^All 7/).waitFor()
    await button(/^Admin 1/).click()
    expect(await firstNames()).toEqual(['Max'])
    await button(/^All 7/).click()
    await page.getByRole('columnheader', { name: 'Person' }).getByRole('button').click()
    expect((await firstNames()).slice(0, 3)).toEqual(['Ada', 'Max', 'Otto'])
    await page.getByRole('columnheader', { name: /^Role/ }).getByRole('button').click()
    expect((await firstNames()).slice(0, 2)).toEqual(['Otto', 'Max'])
    // Cards have a field for the order.
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByLabel('Order').selectOption({ label: 'By name, A to Z' })
    expect((await firstNames()).slice(0, 3)).toEqual(['Ada', 'Max', 'Otto'])
    await page.getByLabel('Order').selectOption({ label: 'Oldest first' })
    expect((await firstNames())[0]).toBe('Otto')
    await page.setViewportSize({ width: 1280, height: 720 })
    await lookAt(page, 'members')
  })

  it('removes several at once, and names those that could not be removed', async () => {
    await page.getByLabel('Select all 6').check()
    await told('6 selected')
    await page.getByLabel('Select Max Member').uncheck()
    await page.getByLabel(`Select ${names[0]}`).uncheck()
    await lookAt(page, 'members-selected')
    await button('Remove 4 people').click()
    await lookAt(page, 'members-remove')
    await page.route(
      '**/organization/remove-member',
      (route) => route.fulfill({ status: 400, json: { code: 'MEMBER_NOT_FOUND', message: 'Member not found' } }),
      { times: 1 },
    )
    await dialog().getByRole('button', { name: 'Remove 4 people' }).click()
    await told('1 person could not be removed.')
    await lookAt(page, 'members-not-removed')
    await dialog().getByRole('button', { name: 'Try again' }).click()
    await told('1 person has been removed.')
    await expect.poll(() => rows().count()).toBe(3)
  })

  it('invites a pasted list: invalid addresses are marked and kept, each address has its result', async () => {
    await button('Invite people').click()
    await page.getByLabel('Email addresses').fill('not-an-address, "New, Nina" <nina@example.com>\n')
    await page.getByLabel('Email addresses').pressSequentially('person1@example.com paul@example.com')
    await dialog().getByRole('button', { name: 'Send 4 invitations' }).click()
    await told('One address is not valid.')
    await told('Not a valid address')
    await lookAt(page, 'invite-invalid')
    await button('Remove not-an-address').click()
    await dialog().getByRole('button', { name: 'Send 3 invitations' }).click()
    await told('This person is already a member.')
    expect(await page.getByRole('list', { name: 'Sent' }).getByRole('listitem').allInnerTexts()).toEqual([
      'nina@example.com',
      'paul@example.com',
    ])
    await lookAt(page, 'invite-results')
    await button('Remove person1@example.com').click()
    await page.getByLabel('Role', { exact: true }).selectOption('Several roles …')
    await dialog().getByLabel('Admin').check()
    await page.getByLabel('Email addresses').fill('pia@example.com')
    await dialog().getByRole('button', { name: 'Send invitation' }).click()
    await told('We sent 3 invitations.')
    await expect.poll(() => dialog().count()).toBe(0)
  })
})
