import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, inApp, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'
import { fromMailbox } from './mailbox.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

const person = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password' }

beforeAll(async () => {
  server = await startServer()
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  // A failing screen, or one that violates the content security policy, fails the test.
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { level: 1, name })
const signInPage = (on = page) => heading('Sign in to Gatehouse', on).waitFor()
const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true })
const field = (label: string, on = page) => on.getByLabel(label, { exact: true })
/** The first field of the sign-in. Its label depends on the accepted identifiers. */
const identifier = (on = page) => on.locator('input[name="identifier"]')
const go = (path: string, on = page) => on.goto(server.url + path)

async function signIn(email: string, password: string, on = page) {
  await go('/sign-in', on)
  await enterIdentifier(on, email)
  await field('Password', on).fill(password)
  await button(/^Sign in/, on).click()
}

/** The newest link to an address, after its mail has arrived. */
async function linkTo(address: string, path: string): Promise<string> {
  const link = await fromMailbox(server, (messages) =>
    messages
      .filter(({ to }) => to === address)
      .flatMap(({ links }) => links)
      .find((each) => each.includes(path)),
  )
  await server.clearMailbox()
  return link
}

// One walk: each step begins where the previous one ended.
describe('a user with an account', () => {
  it('comes to the sign-in from a page that needs a session', async () => {
    await go('/account/security#sessions')
    await signInPage()
    await expect.poll(() => new URL(page.url()).searchParams.get('callbackURL')).toBe('/account/security#sessions')
    await expectAccessible(page)
  })

  it('shows an error at each missing field and focuses the first one', async () => {
    await button('Continue').click()
    await page.getByText('Fill in this field.').waitFor()
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('identifier')
    await expect.poll(() => identifier().getAttribute('aria-invalid')).toBe('true')
  })

  it('signs up', async () => {
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading('Create an account').waitFor()
    await page.getByLabel('Name', { exact: true }).and(page.locator(':focus')).waitFor()
    await expect.poll(() => page.title()).toBe('Create an account · Gatehouse')
    await field('Name').fill(person.name)
    await field('Email').fill(person.email)
    await field('Password').fill('short')
    await button('Create account').click()
    await page.getByText('Use at least 8 characters.').waitFor()
    await field('Password').fill(person.password)
    await expectAccessible(page)
    await button('Create account').click()
    await heading('Confirm your email address').waitFor()
    await page.getByText(`We sent a link to ${person.email}.`).waitFor()
    // The button is disabled for a minute.
    await button(/^Send again/).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Continue' }).click()
    await heading('Security').waitFor()
    await expect.poll(() => page.locator('h2:focus').innerText()).toBe('Sessions')
  })

  it('confirms the address by the mailed link', async () => {
    await go('/account/email')
    await page.getByText('Not confirmed', { exact: true }).waitFor()
    await go('/api/auth/verify-email?token=nonsense&callbackURL=/verify-email')
    await heading('This link does not work').waitFor()
    await expect.poll(() => field('Email').inputValue()).toBe(person.email)
    await expectAccessible(page)
    await page.goto(await linkTo(person.email, '/verify-email'))
    await heading('Your email address is confirmed').waitFor()
    await expectAccessible(page)
    await go('/account/email')
    await heading('Profile').waitFor()
    await page.getByText('Confirmed', { exact: true }).waitFor()
    await expectAccessible(page)
  })

  it('changes name and picture', async () => {
    await go('/account/profile')
    await heading('Profile').waitFor()
    await field('Name').fill('Ada L. Example')
    await button('Save').click()
    await page.getByText('Your profile has been saved.').waitFor()
    await expectAccessible(page)
    await page.reload()
    await expect.poll(() => field('Name').inputValue()).toBe('Ada L. Example')
  })

  it('keeps what was typed when the session ends, once and for the same user', async () => {
    // By the live channel the page would know before the button is pressed.
    let isClosed = true
    await page.routeWebSocket('**/api/auth/live?*', async (socket) => {
      if (isClosed) await socket.close({ code: 1011 })
      else socket.connectToServer()
    })
    await page.reload()
    await expect.poll(() => field('Name').inputValue()).toBe('Ada L. Example')
    await field('Name').fill('Ada Typed')
    await page.evaluate(() => fetch('/api/auth/sign-out', { method: 'POST' }))
    await button('Save').click()
    await signInPage()
    await page.getByText('Your session has ended.').waitFor()
    isClosed = false
    await enterIdentifier(page, person.email)
    await field('Password').fill(person.password)
    await button(/^Sign in/).click()
    await page.getByText('We kept what you typed').waitFor()
    await expect.poll(() => field('Name').inputValue()).toBe('Ada Typed')
    await expectAccessible(page)
    await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Ada Typed')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect.poll(() => field('Name').inputValue()).toBe('Ada L. Example')
    await expect.poll(() => page.getByText('We kept what you typed').count()).toBe(0)
  })

  it('signs out, and gets the same message for a wrong password and an unknown user', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await button('Sign out').click()
    await signInPage()
    await expect.poll(() => page.getByText('Your session has ended.').count()).toBe(0)
    await signIn(person.email, 'not the password')
    await page.getByRole('alert').waitFor()
    const wrong = await page.getByRole('alert').innerText()
    await button('Change').click()
    await enterIdentifier(page, 'unknown@example.com')
    await field('Password').fill('not the password')
    await button(/^Sign in/).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByRole('alert').innerText()).toBe(wrong)
    await expectAccessible(page)
  })

  it('signs in and returns to the requested page', async () => {
    await go('/sign-in?callbackURL=%2Faccount%2Fsecurity')
    await enterIdentifier(page, person.email)
    await field('Password').fill(person.password)
    await button('Show password').click()
    await expect.poll(() => field('Password').getAttribute('type')).toBe('text')
    await button(/^Sign in/).click()
    await heading('Security').waitFor()
  })

  it('sees a second device and ends its session', async () => {
    const second = await openDevice(chrome.browser, { userAgent: firefox })
    await signIn(person.email, person.password, second.page)
    await heading('Profile', second.page).waitFor()

    await go('/account/security')
    await page.locator('#sessions').getByText('Firefox 140 on Linux').waitFor()
    const row = await page.locator('#sessions li', { hasText: 'Firefox 140 on Linux' }).innerText()
    // The test server locates every request in Austin.
    expect(row).toContain('Austin, United States')
    expect(row).toContain('with a password')
    await expectAccessible(page)
    await button('Sign out Firefox 140 on Linux').click()
    await page.getByText('The session has been ended.').waitFor()
    await page.getByText('You are not signed in anywhere else.').waitFor()

    await second.page.reload()
    await signInPage(second.page)
    await second.context.close()
  })

  it('ends all others in one step; equal devices are one row', async () => {
    const second = await openDevice(chrome.browser, { userAgent: firefox })
    await signIn(person.email, person.password, second.page)
    await heading('Profile', second.page).waitFor()
    const third = await openDevice(chrome.browser, { userAgent: firefox })
    await signIn(person.email, person.password, third.page)
    await heading('Profile', third.page).waitFor()
    await third.context.close()
    await page.reload()
    await page.locator('#sessions').getByText('2 sessions', { exact: true }).waitFor()
    await button('Sign out 2 sessions of Firefox 140 on Linux').waitFor()
    await lookAt(page, 'sessions')
    await button('Sign out all others').click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByText('You are not signed in anywhere else.').waitFor()
    await second.page.reload()
    await signInPage(second.page)
    await second.context.close()
  })

  it('changes the password', async () => {
    await go('/account/password')
    await button('Change password').click()
    const dialog = page.getByRole('dialog')
    await field('Current password').fill('not the password')
    await field('New password').fill('second long password')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password is incorrect.').waitFor()
    await expectAccessible(page)
    await field('Current password').fill(person.password)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password has been changed.').waitFor()
    person.password = 'second long password'
    await page.reload()
    await heading('Security').waitFor()
  })

  it('changes the address: approved at the old one, confirmed at the new one', async () => {
    await go('/account/email')
    await button('Change email').click()
    await field('New email').fill('ada.new@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
    await page.getByText('Change to ada.new@example.com not approved yet').waitFor()
    await expectAccessible(page)
    await page.goto(await linkTo(person.email, '/verify-email'))
    await heading('Your email address').waitFor()
    await page.getByText('It is ada.new@example.com.').waitFor()
    await expectAccessible(page)
    person.email = 'ada.new@example.com'
    await page.goto(await linkTo(person.email, '/verify-email'))
    await heading(/Your email address/).waitFor()
    await go('/account/email')
    await page.getByText('Confirmed', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('not approved yet').count()).toBe(0)
    // A link that has expired has changed nothing.
    await go('/verify-email?for=change&error=token_expired')
    await heading('This link does not work').waitFor()
    await page.getByRole('link', { name: 'Your email address' }).click()
    await page.getByText('Confirmed', { exact: true }).waitFor()
  })

  it('sees how it can sign in', async () => {
    await go('/account/accounts')
    await heading('Security').waitFor()
    const ways = page.locator('#accounts')
    await ways.getByText('Password', { exact: true }).waitFor()
    await ways.getByText('Link by email').waitFor()
    await expectAccessible(page)
  })

  it('shows that the connection is lost, and continues when it is back', async () => {
    await page.route('**/list-accounts', (route) => route.abort())
    await page.reload()
    await page.getByText('The server cannot be reached.').waitFor()
    await button('Try again').waitFor()
    await expectAccessible(page)
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.unroute('**/list-accounts')
    // The code of this page has not been loaded.
    await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
    await heading('No connection').waitFor()
    await lookAt(page, 'offline-navigation')
    await expect.poll(() => button('Reload').count()).toBe(0)
    await page.context().setOffline(false)
    await heading('API keys').waitFor()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.locator(':popover-open').getByRole('link', { name: 'Security' }).click()
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    await page.locator('#accounts').getByText('Password', { exact: true }).waitFor()
  })

  it('shows German on request and stores the choice', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByLabel('Language').selectOption('de')
    await heading('Sicherheit').waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    await page.reload()
    await heading('Sicherheit').waitFor()
    await page.getByRole('button', { name: /^Konto/ }).click()
    await page.getByLabel('Sprache').selectOption('en')
    await heading('Security').waitFor()
  })

  it('shows the chosen theme before anything else', async () => {
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.reload({ waitUntil: 'commit' })
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await inApp(page)
    await heading('Security').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('radio', { name: 'System' }).check({ force: true })
  })

  it('forgets the password and chooses another by the mailed link, which works once', async () => {
    const other = await openDevice(chrome.browser, { userAgent: firefox })
    await go('/forgot-password', other.page)
    await field('Email', other.page).fill(person.email)
    await expectAccessible(other.page)
    await button('Send link', other.page).click()
    await heading('Check your inbox', other.page).waitFor()
    await expectAccessible(other.page)
    const link = await linkTo(person.email, '/reset-password')
    await other.page.goto(link)
    await heading('Choose a new password', other.page).waitFor()
    await expectAccessible(other.page)
    await field('New password', other.page).fill('third long password')
    await button('Save password', other.page).click()
    await signInPage(other.page)
    person.password = 'third long password'

    await other.page.goto(link)
    await heading('This link is no longer valid', other.page).waitFor()
    await expectAccessible(other.page)
    await other.context.close()
  })

  it('is signed out by the reset, and signs in with the new password', async () => {
    await go('/account/delete')
    await signInPage()
    await enterIdentifier(page, person.email)
    await field('Password').fill(person.password)
    await button(/^Sign in/).click()
    await heading('Profile').waitFor()
    await expect.poll(() => page.locator('h2:focus').innerText()).toBe('Delete account')
  })

  it('deletes the account after typing its name', async () => {
    await button('Delete account').click()
    await field('Your password').fill(person.password)
    await button('Delete my account').click()
    await page.getByText(`This does not match “${person.email}”.`).waitFor()
    await expectAccessible(page)
    await field(`Type “${person.email}” to confirm`).fill(person.email)
    await button('Delete my account').click()
    await heading('Your account has been deleted').waitFor()
    await expectAccessible(page)
    await signIn(person.email, person.password)
    await page.getByText('The email or password is incorrect.').waitFor()
  })
})

describe('the other signed-out screens', () => {
  it('show the error and one next step', async () => {
    await go('/error?error=please_restart_the_process')
    await page.getByText('This took too long').waitFor()
    await page.getByText('Code: please_restart_the_process').waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).waitFor()
    await expectAccessible(page)
  })

  it('do not repeat the text of a crafted link, and show no code without one', async () => {
    for (const query of ['?error=%3Cb%3ECall%20+1%20555%20now%3C%2Fb%3E', '?error=Unknown', '']) {
      await go(`/error${query}`)
      await page.getByText('Something went wrong. Start again. If it keeps happening, contact support.').waitFor()
      await page.getByRole('link', { name: 'Back to sign in' }).waitFor()
      await expect.poll(() => page.getByText(/^Code/).count()).toBe(0)
    }
  })

  it('show that a page does not exist', async () => {
    await go('/nowhere')
    await heading('This page does not exist').waitFor()
    await expectAccessible(page)
  })
})

it('the browser reports no errors', () => {
  expect(complaints).toEqual([])
})
