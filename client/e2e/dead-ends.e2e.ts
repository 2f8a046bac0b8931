import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

/** Walks to where people once were stranded, or were told what was not so. */
const trusted = 'https://app.example.com'
const password = 'a long password of mine'

let server: TestServer
let chrome: OpenBrowser
const complaints: string[] = []

beforeAll(async () => {
  server = await startServer({
    config: { trustedOrigins: [trusted], phoneNumber: { signUpOnVerification: true } },
  })
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

async function open(): Promise<Page> {
  const { context, page } = await openDevice(chrome.browser)
  await context.route(`${trusted}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>The app</h1>' }))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

const go = (page: Page, path: string) => page.goto(server.url + path)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const inPage = (page: Page, path: string, body: object = {}) =>
  page.evaluate(
    ([url, text]) =>
      fetch(url as string, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text as string })
        .then((answer) => answer.json())
        .catch(() => null),
    [`/api/auth${path}`, JSON.stringify(body)],
  )

let people = 0

/** A page on which a new person is signed in, and their address. */
async function member(): Promise<{ page: Page; email: string }> {
  people += 1
  const page = await open()
  const email = `person${people}@example.com`
  await go(page, '/goodbye')
  await inPage(page, '/sign-up/email', { name: `Person ${people}`, email, password })
  return { page, email }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name="identifier"]').fill(email)
  await fill(page, 'Password', password)
  await page.locator('form button[type="submit"]').click()
}

/** The code or link of the newest message to somebody, which is then forgotten. */
async function newest(recipient: string, what: 'codes' | 'links'): Promise<string> {
  let found: string | undefined
  await expect
    .poll(async () => {
      found = (await server.mailbox()).find(({ to }) => to === recipient)?.[what][0]
      return found
    })
    .toBeTruthy()
  await server.clearMailbox()
  return found as string
}

describe('1: a session that has ended', () => {
  it('leads every tab to the sign-in, says so, shows nothing of the person, and leads back', async () => {
    const { page, email } = await member()
    await go(page, '/account/security')
    await page.getByText('Link by email').waitFor()
    const tab = await page.context().newPage()
    await go(tab, '/account/profile')
    await tab.getByText(email).first().waitFor()
    // Ended on another device: the cookie that caches the session still says that it is there.
    const other = await open()
    await go(other, '/sign-in')
    await signIn(other, email)
    await heading(other, 'Profile')
    await inPage(other, '/revoke-other-sessions')

    await page.locator('#sessions').getByText('This device').waitFor()
    await click(page, 'Change password')
    await fill(page, 'Current password', password)
    await fill(page, 'New password', 'another long password')
    await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
    for (const each of [page, tab]) {
      await heading(each, 'Sign in to Gatehouse')
      await each.getByText('Your session has ended. Sign in again to continue.').waitFor()
      expect(await each.locator('body').innerText()).not.toContain(email)
      expect(await each.getByText('Code: UNAUTHORIZED').count()).toBe(0)
    }
    await expectAccessible(page)
    expect(new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/security')
    await signIn(page, email)
    await heading(page, 'Security')
  })
})

describe('2: people without an address', () => {
  it('are asked for one before a password and before two-factor', async () => {
    const page = await open()
    await go(page, '/sign-in/phone')
    await fill(page, 'Phone number', '+15550009999')
    await click(page, 'Send code')
    await fill(page, 'Code', await newest('+15550009999', 'codes'))
    await click(page, 'Skip')
    await heading(page, 'Profile')
    await go(page, '/account/security')
    await page.getByText('Add an email address first, then set one.').waitFor()
    await click(page, 'Set a password')
    await page.getByText('your account has no email address yet').waitFor()
    await expectAccessible(page)
    expect(await server.mailbox()).toEqual([])
    await page.getByRole('dialog').getByRole('link', { name: 'Add an email address' }).click()
    await heading(page, 'Profile')
    await page.getByText('You have not added an email address yet.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('@phone.')
  })
})

describe('4: an only owner who wants to go', () => {
  it('sees what stands in the way, with links, before the form', async () => {
    const { page } = await member()
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
    expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0)
    await expectAccessible(page)
    await click(page, 'Members of Acme')
    await heading(page, 'Members')
    // The colleague depends on nobody's staying.
    await go(colleague, '/account/delete')
    await click(colleague, 'Delete account')
    await colleague.getByRole('button', { name: 'Delete my account' }).waitFor()
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

  it('is told and taken back by the server', async () => {
    const { page, email } = await member()
    await askForChange(page, email)
    await click(page, 'Cancel the change')
    await page.getByText('The change has been cancelled.').waitFor()
    await expect.poll(() => page.getByText(pending).count()).toBe(0)
  })
})

describe('7: pages that anybody can write the address of', () => {
  it('confirm nothing, and say goodbye to nobody who is here', async () => {
    const { page } = await member()
    await go(page, '/verify-email')
    await heading(page, 'This link does not work')
    await go(page, '/verify-email?for=confirm')
    await heading(page, 'This link does not work')
    await go(page, '/goodbye?for=deletion')
    await heading(page, 'Profile')
    const nobody = await open()
    await go(nobody, '/verify-email')
    await heading(nobody, 'This link does not work')
    await go(nobody, '/goodbye')
    await heading(nobody, 'Sign in to Gatehouse')
  })

  it('refuse a crafted callback before anybody types a password', async () => {
    const page = await open()
    for (const path of ['/sign-in', '/sign-up', '/sign-in/code']) {
      for (const callback of ['https://evil.example/', 'javascript:alert(1)', '//evil.example']) {
        await go(page, `${path}?callbackURL=${encodeURIComponent(callback)}`)
        await heading(page, 'This link is not safe to follow')
        expect(await page.locator('main input').count()).toBe(0)
      }
    }
    await expectAccessible(page)
    await follow(page, 'Continue without it')
    await heading(page, 'Sign in with a code')
    expect(new URL(page.url()).search).toBe('')
  })
})

describe('8: codes', () => {
  it('after too many wrong ones, a new one goes at once', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await fill(page, 'Email', 'cody@example.com')
    await click(page, 'Send code')
    await heading(page, 'Enter the code')
    const right = await newest('cody@example.com', 'codes')
    const field = page.getByLabel('Code', { exact: true })
    for (let n = 1; n <= 4; n++) {
      await field.fill(String((Number(right) + n) % 1_000_000).padStart(6, '0'))
      await page.getByText(n < 4 ? 'This code is incorrect.' : 'Too many incorrect codes.').waitFor()
      if (n < 4) await field.fill('')
    }
    await click(page, 'Request a new code')
    await field.fill(await newest('cody@example.com', 'codes'))
    await heading(page, 'What’s your name?')
  })

  it('times are told in minutes, with another way beside', async () => {
    const page = await open()
    await go(page, '/sign-in/code')
    await fill(page, 'Email', 'cody@example.com')
    await click(page, 'Send code')
    await page.route('**/sign-in/email-otp', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '892' }, json: { message: 'Too many' } }),
    )
    await fill(page, 'Code', '123456')
    await page.getByText('Too many attempts. Try again in 15 minutes.').waitFor()
    await expectAccessible(page)
    await follow(page, 'Sign in another way')
    await heading(page, 'Sign in to Gatehouse')
    // What has been typed came along.
    expect(await page.locator('input[name="identifier"]').inputValue()).toBe('cody@example.com')
  })
})

describe('9: the way back to another site', () => {
  const query = `?callbackURL=${encodeURIComponent(`${trusted}/after`)}`
  const arrived = (page: Page) => page.waitForURL(`${trusted}/after`)

  it('stands open to whoever is signed in already', async () => {
    const { page } = await member()
    await go(page, `/sign-in${query}`)
    await heading(page, 'You are already signed in')
    await expectAccessible(page)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
    await go(page, `/sign-up${query}`)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
  })

  it('stands open after a sign-up', async () => {
    const page = await open()
    await go(page, `/sign-up${query}`)
    await page.getByText('to continue to app.example.com').waitFor()
    await fill(page, 'Name', 'Nia')
    await fill(page, 'Email', 'nia@example.com')
    await fill(page, 'Password', password)
    await click(page, 'Create account')
    await heading(page, 'Confirm your email address')
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
  })

  it('stands open after signing out', async () => {
    const { page } = await member()
    await go(page, `/sign-out${query}`)
    await click(page, 'Sign out')
    await heading(page, 'You are signed out')
    await expectAccessible(page)
    await follow(page, 'Continue to app.example.com')
    await arrived(page)
  })
})

describe('10: links that come again, and invitations', () => {
  it('a used link says that the person is signed in', async () => {
    const page = await open()
    await go(page, '/sign-in/link')
    await fill(page, 'Email', 'lin@example.com')
    await click(page, 'Send link')
    const link = await newest('lin@example.com', 'links')
    await page.goto(link)
    await click(page, 'Skip')
    await page.goto(link)
    await heading(page, 'You are already signed in')
    await follow(page, 'Continue')
    await heading(page, 'Profile')
  })

  it('an invitation says who, where, as what and for whom; the address is filled in and locked', async () => {
    const page = await open()
    // Whole walks with the server's own answer are in organization.e2e.ts.
    await page.route('**/organization/invitation-preview*', (route) =>
      route.fulfill({
        json: {
          organizationName: 'Acme',
          inviterName: 'Olivia',
          inviterEmail: 'olivia@example.com',
          email: 'max@example.com',
          role: 'admin',
          expiresAt: new Date(Date.now() + 172_000_000).toISOString(),
        },
      }),
    )
    await go(page, '/accept-invitation?id=some-id')
    await heading(page, 'Join Acme')
    await page.getByText('Olivia invited you to Acme.').waitFor()
    for (const fact of ['max@example.com', 'Admin', 'in 2 days']) await page.getByText(fact).waitFor()
    await expectAccessible(page)
    await follow(page, 'Create an account')
    const email = page.getByLabel('Email', { exact: true })
    expect(await email.inputValue()).toBe('max@example.com')
    expect(await email.getAttribute('readonly')).not.toBeNull()
    expect(new URL(page.url()).search).not.toContain('max')
  })

  it('an invitation that the server says nothing about still leads on', async () => {
    const page = await open()
    await page.route('**/organization/invitation-preview*', (route) => route.fulfill({ status: 404, json: {} }))
    await go(page, '/accept-invitation?id=some-id')
    await heading(page, 'You are invited')
    await follow(page, 'Sign in')
    await heading(page, 'Sign in to Gatehouse')
  })
})

describe('11: errors', () => {
  it('are told in the language of the person', async () => {
    const { page } = await member()
    await page.evaluate(() => localStorage.setItem('language', 'de'))
    await page.route('**/list-sessions', (route) =>
      route.fulfill({ status: 403, json: { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' } }),
    )
    await go(page, '/account/security')
    await page.getByText('Melde dich dafür noch einmal an.').waitFor()
  })
})

describe('what has been typed', () => {
  it('goes along to the other screens, and back', async () => {
    const page = await open()
    await go(page, '/sign-in')
    await page.locator('input[name="identifier"]').fill('typed@example.com')
    await follow(page, 'Forgot password?')
    const email = page.getByLabel('Email', { exact: true })
    await expect.poll(() => email.inputValue()).toBe('typed@example.com')
    await email.fill('other@example.com')
    await follow(page, 'Back to sign in')
    await expect.poll(() => page.locator('input[name="identifier"]').inputValue()).toBe('other@example.com')
    await follow(page, 'Create an account')
    await expect.poll(() => email.inputValue()).toBe('other@example.com')
  })

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
  it('goes from the identifier to the password to the button, then to what else there is', async () => {
    const page = await open()
    await go(page, '/sign-in')
    await page.locator('input[name="identifier"]').focus()
    const passed: string[] = []
    for (let n = 0; n < 5; n++) {
      await page.keyboard.press('Tab')
      passed.push(
        await page.evaluate<string>(
          `document.activeElement.name || document.activeElement.getAttribute('aria-label') || document.activeElement.innerText`,
        ),
      )
    }
    expect(passed).toEqual(['password', 'Show password', 'Sign in', 'rememberMe', 'Forgot password?'])
  })

  it('changes what is chosen in a menu, and does not leave it', async () => {
    const { page } = await member()
    await go(page, '/account/profile')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('radio', { name: 'System' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    expect(await page.evaluate<boolean>(`document.activeElement.closest('[popover]') !== null`)).toBe(true)
  })
})

it('nothing broke on the way', () => {
  expect(complaints).toEqual([])
})
