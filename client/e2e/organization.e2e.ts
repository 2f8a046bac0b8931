import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'
import { fromMailbox, newest } from './mailbox.ts'

let server: TestServer
let chrome: OpenBrowser
/** Two users, each in their own browser. */
let olivia: Page
let max: Page
const complaints: string[] = []

const people = {
  olivia: {
    name: 'Olivia Owner',
    email: 'olivia.with.a.rather.long.address@subsidiary.example.com',
    password: 'first long password',
  },
  max: { name: 'Max Member', email: 'max@example.com', password: 'other long password' },
}

beforeAll(async () => {
  const unverifiedInvitationsPerPerson = { max: 1, window: 86_400 }
  server = await startServer({ config: { organization: { teams: { enabled: true }, unverifiedInvitationsPerPerson } } })
  chrome = await openBrowser()
  const open = async () => {
    const { page } = await openDevice(chrome.browser)
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text())
    })
    return page
  }
  olivia = await open()
  max = await open()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string | RegExp, on: Page) => on.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp, on: Page) => on.getByRole('button', { name, exact: true })
const field = (label: string, on: Page) => on.getByLabel(label, { exact: true })
const go = (path: string, on: Page) => on.goto(server.url + path)
const dialog = (on: Page) => on.getByRole('dialog')
const row = (text: string, on: Page) => on.getByRole('row').filter({ hasText: text })
const told = (text: string, on: Page) => on.getByText(text).filter({ visible: true }).first().waitFor()

async function signUp({ name, email, password }: typeof people.max, on: Page) {
  await field('Name', on).fill(name)
  await field('Email', on).fill(email)
  await field('Password', on).fill(password)
  await button('Create account', on).click()
}

const mailTo = (address: string, subject: string) =>
  fromMailbox(server, (messages) => messages.find((each) => each.to === address && each.subject.includes(subject)))

async function typeToConfirm(phrase: string, action: string, on: Page) {
  await dialog(on).getByLabel(/^Type/).fill(phrase)
  await dialog(on).getByRole('button', { name: action }).click()
}

// One walk: each step begins where the previous one ended.
describe('a company', () => {
  /** Of the invitation mail. */
  let link = ''

  it('starts with a user without one', async () => {
    await go('/sign-up?callbackURL=/organization/members', olivia)
    await signUp(people.olivia, olivia)
    await olivia.getByRole('link', { name: 'Continue' }).click()
    await told('You are not in an organization yet.', olivia)
    await expectAccessible(olivia)
  })

  it('is created, with a short name from its name and a live check of it', async () => {
    await olivia.getByRole('main').getByRole('link', { name: 'New organization' }).click()
    await heading('New organization', olivia).waitFor()
    await field('Name', olivia).fill('Zoë & Söhne')
    await expect.poll(() => field('URL slug', olivia).inputValue()).toBe('zoe-sohne')
    await told('This slug is available.', olivia)
    await field('URL slug', olivia).fill('a b')
    await button('Create organization', olivia).click()
    await told('Use letters, digits, hyphens, underscores and dots only.', olivia)
    await field('URL slug', olivia).fill('zoe')
    await expectAccessible(olivia)
    await button('Create organization', olivia).click()
    await heading('Members', olivia).waitFor()
    await row(people.olivia.email, olivia).getByRole('cell', { name: 'Owner', exact: true }).waitFor()
    await button(/^Organization: Zoë/, olivia).waitFor()
    await expectAccessible(olivia)
  })

  it('a taken short name is marked during typing', async () => {
    await go('/organizations/new', olivia)
    await field('Name', olivia).fill('Zoe')
    await told('This slug is taken.', olivia)
  })

  it('requires a verified address after the invitations of a day without one', async () => {
    const invitation = { email: 'first@example.com', role: 'member' }
    const { id } = await ask<{ id: string }>(olivia, '/organization/invite-member', invitation)
    await ask(olivia, '/organization/cancel-invitation', { invitationId: id })
    await go('/organization/invitations', olivia)
    await told('There are no open invitations.', olivia)
    await button('Invite people', olivia).click()
    await field('Email addresses', olivia).fill(people.max.email)
    await button('Send invitation', olivia).click()
    await told('To invite people, confirm your own email address first.', olivia)
    await expectAccessible(olivia)
    await dialog(olivia).getByRole('link', { name: 'Confirm your email address' }).click()
    await heading('Profile', olivia).waitFor()
    await olivia.goto(await newest(server, people.olivia.email, 'links'))
  })

  it('invites by mail, once', async () => {
    await go('/organization/invitations', olivia)
    await told('There are no open invitations.', olivia)
    for (const again of [false, true]) {
      await button('Invite people', olivia).click()
      await field('Email addresses', olivia).fill(people.max.email)
      await button('Send invitation', olivia).click()
      if (again) await told('This person already has an open invitation. You can send it again.', olivia)
      else await row(people.max.email, olivia).waitFor()
    }
    await expectAccessible(olivia)
    await olivia.keyboard.press('Escape')
    await expectAccessible(olivia)
    link = (await mailTo(people.max.email, 'invites you')).links[0]!
    expect(link).toContain('/accept-invitation?id=')
  })

  it('sends again: the same invitation, in another mail', async () => {
    await server.clearMailbox()
    await button(`Actions for ${people.max.email}`, olivia).click()
    await button('Send again', olivia).click()
    await expect.poll(async () => (await mailTo(people.max.email, 'invites you')).links[0]).toBe(link)
  })

  it('the invitation is explained to those who cannot accept it', async () => {
    await olivia.goto(link)
    await heading('This invitation is for another account', olivia).waitFor()
    await told(`You are signed in as ${people.olivia.email}.`, olivia)
    await told(`${people.olivia.name} invited you to Zoë & Söhne.`, olivia)
    await button(`Switch to ${people.max.email}`, olivia).waitFor()
    await lookAt(olivia, 'invitation-other-account')
    await olivia.getByRole('link', { name: 'Go to your account' }).click()
    await heading('Profile', olivia).waitFor()
    await max.goto(link)
    await heading('Join Zoë & Söhne', max).waitFor()
    await told(`${people.olivia.name} invited you to Zoë & Söhne.`, max)
    await told(people.max.email, max)
    await expectAccessible(max)
    await go('/accept-invitation?id=nonsense', olivia)
    await heading('We could not find this invitation', olivia).waitFor()
    await go('/accept-invitation', olivia)
    await heading('We could not find this invitation', olivia).waitFor()
  })

  it('a second user signs up from the mail and accepts', async () => {
    await max.goto(link)
    await max.getByRole('link', { name: 'Create an account' }).click()
    // The address comes from the invitation and cannot be changed.
    await expect.poll(() => field('Email', max).inputValue()).toBe(people.max.email)
    await field('Name', max).fill(people.max.name)
    await field('Password', max).fill(people.max.password)
    await button('Create account', max).click()
    await max.getByRole('link', { name: 'Continue' }).click()
    await heading('Join Zoë & Söhne', max).waitFor()
    // The inviter has the same name before and after the sign-in.
    await told(`${people.olivia.name} invited you to Zoë & Söhne.`, max)
    await expectAccessible(max)
    await button('Accept', max).click()
    await heading('Members', max).waitFor()
    await row(people.max.email, max).getByRole('cell', { name: 'Member', exact: true }).waitFor()
    await mailTo(people.olivia.email, 'has joined')
    await max.goto(link)
    await heading('You are already a member', max).waitFor()
    await expectAccessible(max)
  })

  it('its recipient sees the state of an invitation', async () => {
    // A test cannot wait for two days: the server's tests cover its answer.
    await max.route('**/get-invitation*', (route) =>
      route.fulfill({ status: 400, json: { code: 'INVITATION_NOT_FOUND', message: 'gone', reason: 'expired' } }),
    )
    await max.goto(link)
    await heading('This invitation has expired', max).waitFor()
    await expectAccessible(max)
    await max.unroute('**/get-invitation*')
  })

  it('a member reads why buttons are missing, and which role has them', async () => {
    await go('/organization/members', max)
    await told('Only people with the Owner or Admin role can make changes here.', max)
    await expect.poll(() => button('Invite people', max).count()).toBe(0)
    await max.getByRole('link', { name: 'What each role can do' }).click()
    await max.waitForURL(/settings#roles$/)
    await max.getByRole('heading', { level: 2, name: 'Roles' }).waitFor()
    await max.getByRole('columnheader', { name: 'Member (yours)' }).waitFor()
    const cells = row('Invite people', max).getByRole('cell')
    await expect.poll(() => cells.allInnerTexts()).toEqual(['Invite people', 'Yes', 'Yes', 'No'])
    await expectAccessible(max)
    await go('/organization/settings', max)
    await told('Only people with the Owner or Admin role can make changes here.', max)
    await expect.poll(() => button('Delete organization', max).count()).toBe(0)
    await expect.poll(() => max.getByRole('heading', { name: 'Delete' }).count()).toBe(0)
    await expectAccessible(max)
  })

  it('gives another role in the list, by mail as well, and takes it back', async () => {
    await go('/organization/members', olivia)
    const role = field(`Role of ${people.max.name}`, olivia)
    await role.selectOption('Admin')
    await told(`The role of ${people.max.name} has been changed.`, olivia)
    await mailTo(people.max.email, 'Your role at')
    await button('Undo', olivia).click()
    await told(`${people.max.name} has the previous role again.`, olivia)
    await expect.poll(() => role.inputValue()).toBe('member')
  })

  it('gives several roles in a dialog', async () => {
    const role = field(`Role of ${people.max.name}`, olivia)
    await role.selectOption('Several roles …')
    await dialog(olivia).getByLabel('Admin').check()
    await expectAccessible(olivia)
    await dialog(olivia).getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => role.inputValue()).toContain(',')
    await role.selectOption('Admin')
    await expect.poll(() => role.inputValue()).toBe('admin')
    await go('/organization/members', max)
    await button('Invite people', max).waitFor()
    // An admin cannot change an owner.
    await expect.poll(() => button(`Actions for ${people.olivia.name}`, max).count()).toBe(0)
    await expect.poll(() => field(`Role of ${people.olivia.name}`, max).count()).toBe(0)
  })

  it('has a logo from a file of this device', async () => {
    await go('/organization/settings', olivia)
    await button('Upload a logo', olivia).waitFor()
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await olivia
      .locator('main input[type=file]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
    await told('The logo has been saved.', olivia)
    await olivia.locator('header img[src*="/organization/logo/"]').first().waitFor()
    await lookAt(olivia, 'organization-settings')
    await button('Remove logo', olivia).click()
    await button('Upload a logo', olivia).waitFor()
  })

  it('changes its name', async () => {
    await go('/organization/settings', olivia)
    await field('Name', olivia).fill('Zoë and Company')
    await button('Save', olivia).click()
    await button('Organization: Zoë and Company', olivia).waitFor()
    await told('You are the only owner.', olivia)
    await expectAccessible(olivia)
  })

  it('removes a member, whose screen shows it', async () => {
    await go('/organization/members', max)
    await row(people.olivia.email, max).waitFor()
    await go('/organization/members', olivia)
    await button(`Actions for ${people.max.name}`, olivia).click()
    await button('Remove', olivia).click()
    await dialog(olivia).getByRole('button', { name: 'Remove' }).click()
    await told(`${people.max.name} has been removed.`, olivia)
    await expect.poll(() => row(people.max.email, olivia).count()).toBe(0)
    await mailTo(people.max.email, 'no longer a member')
    await max.reload()
    await told('You are not in an organization yet.', max)
  })

  it('takes a member back, who leaves', async () => {
    await go('/organization/invitations', olivia)
    await button('Invite people', olivia).first().click()
    await field('Email addresses', olivia).fill(people.max.email)
    await button('Send invitation', olivia).click()
    await row(people.max.email, olivia).first().waitFor()
    const { links } = await mailTo(people.max.email, 'invites you to Zoë and Company')
    await max.goto(links[0]!)
    await button('Accept', max).click()
    await heading('Members', max).waitFor()
    await go('/organization/settings', max)
    await button('Leave organization', max).click()
    await typeToConfirm('wrong', 'Leave organization', max)
    await told('This does not match “zoe”.', max)
    await typeToConfirm('zoe', 'Leave organization', max)
    await told('You are not in an organization yet.', max)
  })

  it('declined invitations show their state', async () => {
    await go('/organization/invitations', olivia)
    // The mail of the accepted invitation has the same subject.
    await server.clearMailbox()
    await button('Invite people', olivia).first().click()
    await field('Email addresses', olivia).fill(people.max.email)
    await button('Send invitation', olivia).click()
    await row(people.max.email, olivia).first().waitFor()
    const { links } = await mailTo(people.max.email, 'invites you to Zoë and Company')
    await max.goto(links[0]!)
    await button('Decline', max).click()
    await heading('You have declined this invitation', max).waitFor()
  })

  it('is usable at 360 px', async () => {
    await olivia.setViewportSize({ width: 360, height: 740 })
    for (const path of ['members', 'invitations', 'teams', 'roles', 'settings']) {
      await go(`/organization/${path}`, olivia)
      await olivia.locator('h1').waitFor()
      await olivia.waitForLoadState('networkidle')
      const wide = () => olivia.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      await expect.poll(wide, { message: path }).toBeLessThanOrEqual(0)
      await expectAccessible(olivia)
    }
    await olivia.setViewportSize({ width: 1280, height: 800 })
  })

  it('is deleted', async () => {
    await go('/organization/settings', olivia)
    await button('Delete organization', olivia).click()
    await typeToConfirm('zoe', 'Delete organization', olivia)
    await told('You are not in an organization yet.', olivia)
    await button('Organization: No organization', olivia).waitFor()
  })

  it('is created for another page, and returns only to a trusted one', async () => {
    for (const callback of ['/account/profile?from=product', 'https://evil.example/']) {
      const isForeign = callback.startsWith('https:')
      const checked = isForeign ? olivia.waitForResponse('**/api/auth/check-callback**') : null
      await go(`/organizations/new?callbackURL=${encodeURIComponent(callback)}`, olivia)
      expect((await checked)?.status()).toBe(isForeign ? 403 : undefined)
      await field('Name', olivia).fill(isForeign ? 'Stay' : 'Back')
      await button('Create organization', olivia).click()
      await olivia.waitForURL(server.url + (isForeign ? '/organization/members' : callback))
    }
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
