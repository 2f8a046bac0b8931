import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectAccessible } from '../browser.ts'
import {
  click,
  fill,
  follow,
  go,
  heading,
  inPage,
  member,
  newest,
  nothingBroke,
  open,
  password,
  server,
  setTheStage,
  signIn,
} from './stage.ts'

/** Situations that once left signed-in users without a way forward, or with a wrong message. */
setTheStage()

describe('1: a session that has ended', () => {
  it('redirects every tab to the sign-in with the reason, shows no user data, and leads back', async () => {
    const { page, email } = await member()
    // With the live channel they would know before the next call.
    await page.context().routeWebSocket('**/api/auth/live?*', (socket) => socket.close({ code: 1011 }))
    await go(page, '/account/security')
    await page.getByText('Link by email').waitFor()
    const tab = await page.context().newPage()
    await go(tab, '/account/profile')
    await tab.getByText(email).first().waitFor()
    // Ended on another device; the cookie that caches the session is still valid.
    const other = await open()
    await go(other, '/sign-in')
    await signIn(other, email)
    await heading(other, 'Profile')
    await inPage(other, '/revoke-other-sessions')

    await page.locator('#sessions').getByText('This device').waitFor()
    await click(page, 'Change password')
    await fill(page, 'Current password', password)
    await fill(page, 'New password', 'another long password')
    const pastTheCookie = page.waitForRequest('**/get-session?disableCookieCache=true&*')
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    await pastTheCookie
    for (const each of [page, tab]) {
      await heading(each, 'Sign in to Gatehouse')
      await each.getByText('Your session has ended. Sign in again to continue.').waitFor()
      expect(await each.locator('body').innerText()).not.toContain(email)
      await expect.poll(() => each.getByText('Code: UNAUTHORIZED').count()).toBe(0)
    }
    await expectAccessible(page)
    await expect.poll(() => new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/security')
    await signIn(page, email)
    await heading(page, 'Security')
  })
})

describe('2: users without an address', () => {
  it('are asked for one before a password and before two-factor', async () => {
    const page = await open()
    await go(page, '/sign-in/phone')
    await fill(page, 'Phone number', '+15550009999')
    await click(page, 'Send code')
    await fill(page, 'Code', await newest('+15550009999', 'codes'))
    await click(page, 'Skip')
    await heading(page, 'Profile')
    await go(page, '/account/security')
    await page.getByText('Add an email address first, so that you can come back to this account.').waitFor()
    await click(page, 'Set a password')
    await page.getByText('your account has no email address yet').waitFor()
    await expectAccessible(page)
    expect(await server.mailbox()).toEqual([])
    await page.getByRole('dialog').getByRole('link', { name: 'Add an email address' }).click()
    await heading(page, 'Profile')
    await page.getByText('You have not added an email address yet.').waitFor()
    await expect.poll(() => page.locator('body').innerText()).not.toContain('@phone.')
  })
})

describe('4: an only owner who wants to go', () => {
  it('sees what prevents the deletion, with links, before the form', async () => {
    const { page, email: ownEmail } = await member()
    // Only users with a verified address can invite.
    await page.goto(await newest(ownEmail, 'links'))
    const { page: colleague, email } = await member()
    const { id } = (await inPage(page, '/organization/create', { name: 'Acme', slug: 'acme' })) as { id: string }
    const { id: invitationId } = (await inPage(page, '/organization/invite-member', {
      email,
      role: 'member',
      organizationId: id,
    })) as { id: string }
    await inPage(colleague, '/organization/accept-invitation', { invitationId })
    await go(page, '/account/delete')
    await click(page, 'Delete account')
    await page.getByText('You are the only owner of these organizations').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0)
    await expectAccessible(page)
    await click(page, 'Members of Acme')
    await heading(page, 'Members')
    // The colleague does not depend on another member.
    await go(colleague, '/account/delete')
    await click(colleague, 'Delete account')
    await colleague.getByRole('button', { name: 'Delete my account' }).waitFor()
  })
})

describe('an invitation for another account on this device', () => {
  it('names both, and switches', async () => {
    const { page: owner, email: ownEmail } = await member()
    await owner.goto(await newest(ownEmail, 'links'))
    const { page, email: invited } = await member()
    const other = { name: 'Otto Other', email: 'otto.other@example.com', password }
    await inPage(page, '/sign-up/email', other)
    const { id: organizationId } = (await inPage(owner, '/organization/create', {
      name: 'Acme Two',
      slug: 'acme-two',
    })) as {
      id: string
    }
    await inPage(owner, '/organization/invite-member', { email: invited, role: 'member', organizationId })
    await page.goto(await newest(invited, 'links', '/accept-invitation'))
    await page.getByText(`You are signed in as ${other.email}.`).waitFor()
    await expectAccessible(page)
    await click(page, `Switch to ${invited}`)
    await page.getByRole('button', { name: /^(Accept|Join)/ }).click()
    await heading(page, 'Members')
  })
})

describe('5: a guest', () => {
  it('is asked before signing out, and can keep the account', async () => {
    const page = await open()
    await go(page, '/sign-in')
    await page.getByText('Other ways to sign in').click()
    await click(page, 'Continue as a guest')
    await heading(page, 'Profile')
    await page.getByRole('button', { name: /^Account/ }).click()
    await click(page, 'Sign out')
    await heading(page, 'Sign out of Gatehouse?')
    await page.getByText('everything in your guest account is deleted').waitFor()
    await expectAccessible(page)
    await follow(page, 'Stay signed in')
    await heading(page, 'Profile')
    await go(page, '/sign-out')
    await follow(page, 'Keep it: create an account')
    await heading(page, 'Create an account')
    await go(page, '/sign-out')
    await click(page, 'Sign out')
    await heading(page, 'Sign in to Gatehouse')
  })
})

describe('6: a change of address that waits', () => {
  const pending = 'Change to new@example.com not approved yet'

  async function askForChange(page: Page, email: string) {
    await server.clearMailbox()
    await inPage(page, '/send-verification-email', { email })
    await page.goto(await newest(email, 'links'))
    await go(page, '/account/email')
    await click(page, 'Change email')
    await fill(page, 'New email', 'new@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
    await page.getByText(pending).waitFor()
  }

  it('is shown and cancelled by the server', async () => {
    const { page, email } = await member()
    await askForChange(page, email)
    await click(page, 'Cancel the change')
    await page.getByText('The change has been canceled.').waitFor()
    await expect.poll(() => page.getByText(pending).count()).toBe(0)
  })
})

describe('11: errors', () => {
  it('are shown in the language of the user', async () => {
    const { page } = await member()
    await page.evaluate(() => localStorage.setItem('language', 'de'))
    await page.route('**/list-sessions', (route) =>
      route.fulfill({ status: 403, json: { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' } }),
    )
    await go(page, '/account/security')
    await page.getByText('Du hast nicht bestätigt, dass du es bist.').waitFor()
  })
})

describe('what has been typed', () => {
  it('is not lost without a question', async () => {
    const { page } = await member()
    await go(page, '/account/profile')
    await fill(page, 'Name', 'Somebody Else')
    await follow(page, 'Security')
    await page.getByRole('dialog', { name: 'Discard your changes?' }).waitFor()
    await expectAccessible(page)
    await click(page, 'Keep editing')
    await heading(page, 'Profile')
    await follow(page, 'Security')
    await click(page, 'Discard changes')
    await heading(page, 'Security')
    await follow(page, 'Profile')
    await fill(page, 'Name', 'Somebody Else')
    await click(page, 'Save')
    await page.getByText('Your profile has been saved.').waitFor()
    await follow(page, 'Security')
    await heading(page, 'Security')
  })
})

describe('the keyboard', () => {
  it('changes the selection in a menu without leaving it', async () => {
    const { page } = await member()
    await go(page, '/account/profile')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('radio', { name: 'System' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light')
    await expect.poll(() => page.evaluate<boolean>(`document.activeElement.closest('[popover]') !== null`)).toBe(true)
  })
})

nothingBroke()
