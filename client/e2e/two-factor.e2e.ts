import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, previousCode } from '../../worker/testing/authenticator.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import {
  asksBeforeClosing,
  enterIdentifier,
  expectAccessible,
  type OpenBrowser,
  openBrowser,
  openDevice,
} from './browser.ts'
import { fromMailbox } from './mailbox.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
const complaints: string[] = []

const person = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password', username: 'Ada.Ex' }

beforeAll(async () => {
  server = await startServer({ config: { brand: { support: 'mailto:help@acme.example' } } })
  chrome = await openBrowser()
  page = await newPage()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

async function newPage(): Promise<Page> {
  const { context, page: opened } = await openDevice(chrome.browser)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
  opened.on('pageerror', (error) => complaints.push(`${opened.url()}: ${error.message}`))
  opened.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return opened
}

const heading = (name: string, on = page) => on.getByRole('heading', { name, exact: true })
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
const field = (label: string | RegExp, on = page) => on.getByLabel(label, { exact: true })
// The name ends with "Last used" for the last used way.
const submit = (on: Page) => on.locator('form').getByRole('button', { name: /^Sign in/ })
const go = (path: string, on = page) => on.goto(server.url + path)

async function signIn(identifier: string, on = page) {
  await go('/sign-in', on)
  await enterIdentifier(on, identifier)
  await field('Password', on).fill(person.password)
  await submit(on).click()
}

/** Outside the app: a read of it from before could be answered, with its cookie, after the sign-out. */
const signOut = async (on = page) => {
  await on.goto('about:blank')
  await on.context().request.post(`${server.url}/api/auth/sign-out`, { headers: { origin: server.url } })
}

const isSignedIn = (on = page) => heading('Profile', on).waitFor()

async function mailedCode(): Promise<string> {
  const code = await fromMailbox(server, (messages) => messages.find(({ codes }) => codes[0])?.codes[0])
  await server.clearMailbox()
  return code
}

/** The address in the QR code, built from the key next to it. */
let totpURI = ''
let backupCodes: string[] = []

// One walk: each step begins where the previous one ended.
describe('a user with a username and a second factor', () => {
  it('chooses a username while signing up, and sees immediately why it is invalid', async () => {
    await go('/sign-up')
    await field('Name').fill(person.name)
    await field('Email').fill(person.email)
    const username = field(/^Username/)
    await username.fill('no such')
    await page.getByText('Use only letters, digits, dots and underscores.').waitFor()
    await username.fill(person.username)
    await page.getByText('Ada.Ex is available.').waitFor()
    await expectAccessible(page)
    await field('Password').fill(person.password)
    await button('Create account').click()
    await page.getByRole('link', { name: 'Continue' }).click()
    await isSignedIn()
  })

  it('sees it in the profile, and changes it', async () => {
    await expect.poll(() => field(/^Username/).inputValue()).toBe(person.username)
    await field(/^Username/).fill('ada_2')
    await page.getByText('ada_2 is available.').waitFor()
    await button('Save username').click()
    await page.getByText('Your username has been saved.').waitFor()
    await expectAccessible(page)
  })

  it('signs in with the username', async () => {
    await signOut()
    await signIn('ADA_2')
    await isSignedIn()
  })

  it('sets two-factor up: password, picture or key, code', async () => {
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByText('Two-factor authentication is off.').waitFor()
    await expectAccessible(page)
    await button('Set up').click()
    await field('Your password').fill('not my password')
    await button('Continue').click()
    await page.getByText('The password is incorrect.').waitFor()
    await field('Your password').fill(person.password)
    await button('Continue').click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await expectAccessible(page)
    const secret = ((await page.locator('p[translate=no]').textContent()) ?? '').replace(/\s/g, '')
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    totpURI = `otpauth://totp/x?secret=${secret}&digits=6&period=30`
    await field('Code from the app').fill('000000')
    await page.getByText('This code is incorrect.').waitFor()
    const code = await previousCode(totpURI)
    await field('Code from the app').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  })

  it('keeps the backup codes: copied, downloaded, printed', async () => {
    await heading('Save your backup codes').waitFor()
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Save your backup codes')
    await expectAccessible(page)
    backupCodes = await page.locator('ol li').allTextContents()
    expect(backupCodes).toHaveLength(10)
    await page.getByText('Copy', { exact: true }).click()
    await page.getByText('Copied').waitFor()
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(backupCodes.join('\n'))
    const saving = page.waitForEvent('download')
    await button('Download').click()
    const download = await saving
    expect(download.suggestedFilename()).toBe('gatehouse-backup-codes.txt')
    const chunks: Uint8Array[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk)
    const text = new TextDecoder().decode(chunks[0])
    for (const code of backupCodes) expect(text).toContain(code)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByText('Gatehouse backup codes for ada@example.com').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    // Leaving the page asks first.
    await expect.poll(() => asksBeforeClosing(page)).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator(':focus').innerText()).toBe('I saved them')
    await page.evaluate('history.back()')
    await heading('Have you saved it?').waitFor()
    await expectAccessible(page)
    await button('Stay here').click()
    await heading('Save your backup codes').waitFor()
    await button('I saved them').click()
    await page.getByText('10 unused codes left.').waitFor()
    await expect.poll(() => asksBeforeClosing(page)).toBe(false)
    await expectAccessible(page)
  })

  it('is asked for a code at the next sign-in, and trusts the device', async () => {
    await signOut()
    await signIn(person.email)
    await heading('Two-factor authentication').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/two-factor')
    await page.getByText(/Time left to sign in: [45]:\d\d/).waitFor()
    await expectAccessible(page)
    await field('Code').fill('000000')
    await page.getByText('This code is incorrect. Enter the one that the app shows now.').waitFor()
    const support = page.getByRole('link', { name: 'Contact support' })
    await expect.poll(() => support.getAttribute('href')).toBe('mailto:help@acme.example')
    await field('Trust this device for 30 days').check()
    await field('Code').fill(await codeOf(totpURI))
    await isSignedIn()
  })

  it('is not asked there again', async () => {
    await signOut()
    await signIn('ada_2')
    await isSignedIn()
  })

  it('learns that a block outlives this sign-in', async () => {
    const other = await newPage()
    await signIn(person.email, other)
    await other.route('**/two-factor/verify-totp', (route) =>
      route.fulfill({ status: 429, headers: { 'x-retry-after': '900' }, json: { code: 'TOO_MANY_REQUESTS' } }),
    )
    await field('Code', other).fill('000000')
    await other.getByText('Start again in 15 minutes, or use another way.').waitFor()
    await expect.poll(() => other.getByText('Try again in').count()).toBe(0)
    await expectAccessible(other)
    await other.context().close()
  })

  it('is asked on another device, and opens the requested page after a mailed code', async () => {
    const other = await newPage()
    await go('/account/security', other)
    await enterIdentifier(other, person.email)
    await field('Password', other).fill(person.password)
    await submit(other).click()
    await button('Get a code by email', other).click()
    await server.clearMailbox()
    await button('Send me a code', other).click()
    const right = await mailedCode()
    for (let n = 1; n <= 6; n++) {
      await field('Code', other).fill(String((Number(right) + n) % 1_000_000).padStart(6, '0'))
      await other.getByText(n < 6 ? 'This code is incorrect. Check' : 'Too many incorrect codes.').waitFor()
      await expect.poll(() => field('Code', other).inputValue()).toBe('')
    }
    await button('Request a new code', other).click()
    await field('Code', other).fill(await mailedCode())
    await heading('Security', other).waitFor()
    await other.context().close()
  })

  it('comes in with a backup code, and has one less', async () => {
    const other = await newPage()
    await signIn(person.email, other)
    await button('Use a backup code', other).click()
    await field('Backup code', other).fill('wrong-codes')
    await button('Continue', other).click()
    await other.getByText('This is not one of your unused backup codes.').waitFor()
    await field('Backup code', other).fill(backupCodes[0] ?? '')
    await button('Continue', other).click()
    await isSignedIn(other)
    await go('/account/two-factor', other)
    await other.getByText('9 unused codes left.').waitFor()
    await other.getByText('One device does not need a code.').waitFor()
    await other.context().close()
  })

  it('begins again when the sign-in has waited too long', async () => {
    const other = await newPage()
    await signIn(person.email, other)
    await heading('Two-factor authentication', other).waitFor()
    await other.context().clearCookies({ name: 'gatehouse.two_factor' })
    await other.reload()
    await heading('Sign in again', other).waitFor()
    await expectAccessible(other)
    await other.getByRole('link', { name: 'Back to sign in' }).click()
    await heading('Sign in to Gatehouse', other).waitFor()
    await other.context().close()
  })

  it('has new backup codes made, forgets the devices, and turns it off', async () => {
    await go('/account/two-factor')
    await button('Replace codes').click()
    await field('Your password').fill(person.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Replace codes' }).click()
    await heading('Save your backup codes').waitFor()
    await expectAccessible(page)
    await expect.poll(() => page.locator('ol li').first().textContent()).not.toBe(backupCodes[0])
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator(':focus').innerText()).toBe('I saved them')
    await button('I saved them').click()
    await page.getByText('10 unused codes left.').waitFor()
    await button('Forget devices').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget devices' }).click()
    await page.getByText('A code is required on every device.').waitFor()
    await button('Turn off').click()
    await field('Your password').fill(person.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off two-factor authentication' }).click()
    await button('Set up').waitFor()
    await signOut()
    await signIn(person.email)
    await isSignedIn()
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
