import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import {
  enterIdentifier,
  expectAccessible,
  type OpenBrowser,
  openBrowser,
  openDevice,
  patience,
  shiftOf,
} from './browser.ts'
import { plugIn, type VirtualAuthenticator } from './virtual-authenticator.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
let authenticator: VirtualAuthenticator
const complaints: string[] = []

const person = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password' }

beforeAll(async () => {
  server = await startServer({ config: { passkey: { signUp: true } } })
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

/** With LOOK=folder: screenshots in both widths and both themes. */
async function lookAt(at: Page, name: string) {
  await expectAccessible(at)
  const folder = process.env.LOOK
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.setViewportSize({ width, height: 900 })
      await at.emulateMedia({ colorScheme })
      await at.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }
}

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const byPasskey = () => page.getByRole('button', { name: /^Continue with a passkey/ })
/** Behind the accounts that have signed in with the browser. */
const openOtherWays = () => page.getByText('Other ways to sign in').click()
const go = (path: string) => page.goto(server.url + path)
const passkeys = () => go('/account/security#passkeys')

async function signUp() {
  await go('/sign-up')
  await page.getByLabel('Name', { exact: true }).fill(person.name)
  await page.getByLabel('Email', { exact: true }).fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await button('Create account').click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await heading('Profile').waitFor()
}

async function signInByPassword() {
  await go('/sign-in')
  await enterIdentifier(page, person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
  await heading('Profile').waitFor()
}

/** Outside the app, which would open the sign-in with its autofill. */
const signOut = async () => {
  await page.goto('about:blank')
  await page.context().request.post(`${server.url}/api/auth/sign-out`, { headers: { origin: server.url } })
}

describe('a new user', () => {
  it('signs up with only a passkey; for an existing account the passkey is removed', async () => {
    const { context, page: theirs } = await openDevice(chrome.browser)
    const laptop = await plugIn(theirs)
    const fill = async () => {
      await theirs.goto(`${server.url}/sign-up`)
      await theirs.getByRole('button', { name: 'Use a passkey instead of a password' }).click()
      await theirs.getByLabel('Name', { exact: true }).fill('New Person')
      await theirs.getByLabel('Email', { exact: true }).fill('new@example.com')
    }
    const create = theirs.getByRole('button', { name: 'Create account with a passkey', exact: true })
    await fill()
    await expect.poll(() => theirs.getByLabel('Password', { exact: true }).count()).toBe(0)
    await lookAt(theirs, 'sign-up-passkey')
    await create.click()
    await theirs.getByRole('link', { name: 'Continue' }).click()
    await theirs.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    expect(await laptop.credentials()).toHaveLength(1)

    await theirs.evaluate(() => fetch('/api/auth/sign-out', { method: 'POST' }))
    await fill()
    await create.click()
    await theirs.getByText('An account with this email address already exists.').waitFor()
    await expectAccessible(theirs)
    await expect.poll(() => laptop.credentials()).toHaveLength(1)
    await theirs.getByRole('button', { name: 'Use a password instead' }).click()
    await theirs.getByLabel('Password', { exact: true }).waitFor()
    await context.close()
  })
})

// One walk: each step begins where the previous one ended.
describe('a user with a passkey', () => {
  it('adds one, and names it', async () => {
    authenticator = await plugIn(page)
    // Only the button counts: the authenticator ignores the suggestions of the first field.
    await authenticator.setPresent(false)
    await signUp()
    await passkeys()
    await page.getByText('You have no passkeys yet.').waitFor()
    await expectAccessible(page)
    await authenticator.setPresent(true)
    await button('Add a passkey').click()
    await page.getByRole('heading', { name: 'Name your passkey' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('My laptop')
    await button('Save').click()
    await page.getByText('The name has been saved.').waitFor()
    await page.getByText('My laptop').waitFor()
    await expectAccessible(page)
    expect(await authenticator.credentials()).toHaveLength(1)
  })

  it('cannot add the same authenticator a second time', async () => {
    await button('Add a passkey').click()
    await page.getByText('This device or password manager already has a passkey for your account.').waitFor()
    await page.getByText('Code: ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED').waitFor()
  })

  it('renames it', async () => {
    await button('Rename My laptop').click()
    await page.getByLabel('Name', { exact: true }).fill('   ')
    await button('Save').click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Old laptop')
    await button('Save').click()
    await page.getByText('Old laptop').waitFor()
  })

  it('signs in by the button, and finds it marked the next time', async () => {
    await authenticator.setPresent(false)
    await signOut()
    await go('/sign-in')
    await openOtherWays()
    await byPasskey().waitFor()
    await expectAccessible(page)
    await authenticator.setPresent(true)
    await byPasskey().click()
    await heading('Profile').waitFor()
    await authenticator.setPresent(false)
    await signOut()
    await go('/sign-in')
    await expect.poll(() => page.getByRole('button', { name: 'Continue as Ada' }).innerText()).toContain('Passkey')
    await openOtherWays()
    await page.getByRole('button', { name: 'Continue with a passkey Last used' }).waitFor()
  })

  it('signs in by autofill and opens the requested page', async () => {
    await authenticator.setPresent(true)
    await go('/sign-in?callbackURL=%2Faccount%2Fpasskeys')
    await heading('Security').waitFor()
    await page
      .getByText(/Last used/)
      .first()
      .waitFor()
  })

  it('sees that the browser finds no passkey, and can try again', async () => {
    await authenticator.setPresent(false)
    await signOut()
    await authenticator.remove()
    authenticator = await plugIn(page)
    await go('/sign-in')
    await openOtherWays()
    await byPasskey().click()
    await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor()
    // The user has stopped it: no code, no alert.
    await expect.poll(() => page.getByText('Code: AUTH_CANCELLED').count()).toBe(0)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    await expectAccessible(page)
  })

  it('sees that the passkey of a device has been deleted here', async () => {
    await signInByPassword()
    await passkeys()
    await button('Add a passkey').click()
    await page.getByLabel('Name', { exact: true }).fill('Old phone')
    await button('Save').click()
    await page.getByText('Old phone', { exact: true }).waitFor()
    await signOut()
    const [phone] = await authenticator.credentials()
    expect(phone).toBeDefined()
    await deleteOnServer('Old phone')
    await go('/sign-in')
    await page.getByText('This passkey is no longer registered here. Sign in another way.').first().waitFor()
  })

  it('deletes one and names the consequences', async () => {
    await authenticator.remove()
    await signInByPassword()
    await passkeys()
    await button('Delete Old laptop').click()
    await page.getByRole('heading', { name: 'Delete “Old laptop”?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('“Old laptop” has been deleted.').waitFor()
    await page.getByText('You have no passkeys yet.').waitFor()
  })

  it('is offered one after signing in with the password, once; "not now" is respected', async () => {
    authenticator = await plugIn(page)
    await signOut()
    await signInByPassword()
    const offer = page.getByRole('complementary', { name: 'A faster way to sign in' })
    await offer.waitFor()
    await lookAt(page, 'offer')
    await offer.getByRole('button', { name: 'Not now' }).click()
    await offer.waitFor({ state: 'detached' })
    await signOut()
    await signInByPassword()
    await heading('Profile').waitFor()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => offer.count()).toBe(0)
  })

  it('is offered one again after 30 days, and takes it', async () => {
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) {
        if (key.startsWith('passkeyOffer:')) localStorage.setItem(key, String(Date.now() - 31 * 86_400_000))
      }
    })
    await page.reload()
    const offer = page.getByRole('complementary', { name: 'A faster way to sign in' })
    await offer.waitFor()
    expect(await shiftOf(page)).toBeLessThan(0.02)
    await offer.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Tablet')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await offer.waitFor({ state: 'detached' })
    await passkeys()
    await page.getByText('Tablet').waitFor()
  })

  it('deletes it, and the password manager forgets it too', async () => {
    expect(await authenticator.credentials()).toHaveLength(1)
    await button('Delete Tablet').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('You have no passkeys yet.').waitFor()
    await expect.poll(() => authenticator.credentials()).toEqual([])
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})

describe('errors of the browser have messages', () => {
  const restart = async (passkey: object) => {
    await server.close()
    server = await startServer({ config: { passkey } })
    await page.context().close()
    page = (await openDevice(chrome.browser)).page
  }

  it('the dialog times out', async () => {
    // Chrome waits for at least ten seconds.
    await restart({ timeout: 1 })
    authenticator = await plugIn(page)
    await authenticator.setPresent(false)
    await signUp()
    await passkeys()
    await button('Add a passkey').click()
    await page
      .getByText('That took too long, and your browser stopped waiting. Try again.')
      .waitFor({ timeout: patience })
    await page.getByText('Code: CEREMONY_TIMED_OUT').waitFor()
  })

  it('the authenticator does not know who holds it', async () => {
    await restart({ authenticatorSelection: { userVerification: 'required' } })
    authenticator = await plugIn(page, { hasUserVerification: false, isUserVerified: false })
    await signUp()
    await passkeys()
    await button('Add a passkey').click()
    await page
      .getByText('No passkey was created: this was canceled, or the device cannot check that it is you.')
      .waitFor({ timeout: patience })
    await authenticator.remove()
  })

  it('the site is under another name than its passkeys', async () => {
    await restart({ rpID: 'other.localhost' })
    authenticator = await plugIn(page)
    await signUp()
    await passkeys()
    await button('Add a passkey').click()
    await page.getByText('Passkeys of this site do not work at this address.').waitFor()
    await page.getByText('Code: ERROR_INVALID_RP_ID').waitFor()
    await expectAccessible(page)
    await signOut()
    await go('/sign-in')
    await openOtherWays()
    await byPasskey().click()
    await page.getByText('Passkeys of this site do not work at this address.').waitFor()
  })
})

/** A passkey is deleted on another device. */
async function deleteOnServer(name: string) {
  const { context, page: other } = await openDevice(chrome.browser)
  await other.goto(`${server.url}/sign-in`)
  await enterIdentifier(other, person.email)
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
  await other.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await other.goto(`${server.url}/account/security#passkeys`)
  await other.getByRole('button', { name: `Delete ${name}`, exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await other.getByText(`“${name}” has been deleted.`).waitFor()
  await context.close()
}
