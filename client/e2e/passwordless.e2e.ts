import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'
import { newest as newestMessage } from './mailbox.ts'

let server: TestServer
let chrome: OpenBrowser
const complaints: string[] = []

beforeAll(async () => {
  server = await startServer({ config: { phoneNumber: { signUpOnVerification: true } } })
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

async function openPage(): Promise<Page> {
  const { page } = await openDevice(chrome.browser)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
const go = (page: Page, path: string) => page.goto(server.url + path)

/** Opens the sign-in and chooses another way. */
async function take(page: Page, way: string): Promise<void> {
  await go(page, '/sign-in')
  await openMoreWays(page)
  await page.getByRole('link', { name: way }).click()
}

/** Less frequent ways are behind a disclosure, unless one of them was used last. */
async function openMoreWays(page: Page): Promise<void> {
  const line = page.getByText('Other ways to sign in')
  await line.waitFor()
  if (!(await page.locator('details').evaluate((details) => (details as unknown as { open: boolean }).open))) {
    await line.click()
  }
}

/** Sign-ups by link, code or number have no name. */
async function skipName(page: Page): Promise<void> {
  await heading(page, 'What’s your name?')
  await click(page, 'Skip')
  await heading(page, 'Profile')
}

const newest = (recipient: string, what: 'codes' | 'links') => newestMessage(server, recipient, what)

describe('signing in without a password', () => {
  it('by a mailed link: the waiting tab continues', async () => {
    const page = await openPage()
    await go(page, '/sign-in/link')
    await heading(page, 'Sign in with a link')
    await expectAccessible(page)
    await click(page, 'Send link')
    await page.getByText('Enter your email address.').waitFor()
    await go(page, '/sign-in')
    await enterIdentifier(page, 'lin@example.com')
    await click(page, 'Email me a sign-in link')
    await heading(page, 'Check your inbox')
    await expectAccessible(page)
    const other = await page.context().newPage()
    const link = await newest('lin@example.com', 'links')
    await other.goto(link)
    await heading(other, 'What’s your name?')
    await expectAccessible(other)
    await fill(other, 'Name', 'Lin')
    await click(other, 'Continue')
    await heading(other, 'Profile')
    await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Lin')
    await heading(page, 'Profile')
    await other.goto(link)
    await heading(other, 'You are already signed in')
    await expectAccessible(other)
    await other.context().clearCookies()
    await other.goto(link)
    await heading(other, 'This link does not work')
    await expectAccessible(other)
  })

  it('by a mailed code: a wrong one is marked at the field, the right one is submitted', async () => {
    const page = await openPage()
    await go(page, '/sign-in')
    await enterIdentifier(page, 'cody@example.com')
    await lookAt(page, 'sign-in-second-step')
    await click(page, 'Email me a sign-in code')
    await heading(page, 'Enter the code')
    await expectAccessible(page)
    const code = await newest('cody@example.com', 'codes')
    await fill(page, 'Code', code === '000000' ? '111111' : '000000')
    await page.getByText('This code is incorrect.').waitFor()
    await expectAccessible(page)
    await fill(page, 'Code', `${code.slice(0, 3)} ${code.slice(3)}`)
    await skipName(page)
    await page.context().clearCookies()
    await go(page, '/sign-in')
    await enterIdentifier(page, 'cody@example.com')
    await page.getByRole('button', { name: 'Email me a sign-in code Last used' }).waitFor()
  })

  it('by a text message, then by number and a password that came by a code', async () => {
    const page = await openPage()
    await take(page, 'Text me a sign-in code')
    await fill(page, 'Phone number', '0151')
    await click(page, 'Send code')
    await page.getByText('Enter a complete number of this country').waitFor()
    await lookAt(page, 'phone')
    // Without Cloudflare, the country is that of the language.
    await page.getByLabel('Country', { exact: true }).selectOption('DE')
    await fill(page, 'Phone number', '0151 2345678')
    await page.getByLabel('Country', { exact: true }).selectOption('US')
    await fill(page, 'Phone number', '(555) 000-1111')
    await click(page, 'Send code')
    await heading(page, 'Enter the code')
    await page.getByText('+1 555 000 1111', { exact: false }).waitFor()
    await fill(page, 'Code', await newest('+15550001111', 'codes'))
    await skipName(page)
    // The number is not a name.
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('')

    await page.context().clearCookies()
    await go(page, '/forgot-password')
    await page.getByRole('link', { name: 'Use a code instead' }).click()
    await heading(page, 'Reset your password with a code')
    await expectAccessible(page)
    await fill(page, 'Email or phone number', '0015550001111')
    await click(page, 'Send code')
    await heading(page, 'Choose a new password')
    await expectAccessible(page)
    await fill(page, 'Code', await newest('+15550001111', 'codes'))
    await fill(page, 'New password', 'a long new password')
    await click(page, 'Set password')
    await heading(page, 'Sign in to Gatehouse')
    await enterIdentifier(page, '+1 555 000 1111')
    await fill(page, 'Password', 'a long new password')
    await click(page, 'Sign in')
    await heading(page, 'Profile')
  })

  it('does not disclose whether an account exists', async () => {
    const page = await openPage()
    await go(page, '/forgot-password/code')
    for (const [unknown, shown] of [
      ['unknown@example.com', 'unknown@example.com'],
      ['+19990000000', '+1 999 000 0000'],
    ] as const) {
      await fill(page, 'Email or phone number', unknown)
      await click(page, 'Send code')
      await page.getByText(`If there is an account for ${shown}, we sent a code to it.`).waitFor()
      await click(page, 'Use another address or number')
    }
  })
})

describe('a guest', () => {
  it('signs in, reads how to keep the account, and keeps it', async () => {
    const page = await openPage()
    await go(page, '/sign-in')
    await openMoreWays(page)
    await click(page, 'Continue as a guest')
    await heading(page, 'Profile')
    await page.getByText('You are signed in as a guest.').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account')
    await fill(page, 'Name', 'Gast')
    await fill(page, 'Email', 'gast@example.com')
    await fill(page, 'Password', 'a long new password')
    await click(page, 'Create account')
    await page.getByRole('link', { name: 'Continue' }).click()
    await heading(page, 'Profile')
    await expect.poll(() => page.getByText('You are signed in as a guest.').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Gast')
  })

  it('finds the sign-in open for an account of before', async () => {
    const page = await openPage()
    await go(page, '/sign-in')
    await openMoreWays(page)
    await click(page, 'Continue as a guest')
    await page.getByRole('link', { name: 'I have an account' }).click()
    await enterIdentifier(page, 'gast@example.com')
    await fill(page, 'Password', 'a long new password')
    await click(page, 'Sign in')
    await heading(page, 'Profile')
    await expect.poll(() => page.getByText('You are signed in as a guest.').count()).toBe(0)
  })
})

describe('phone and address in the account', () => {
  it('adds, changes and removes a number, and confirms the address by a code', async () => {
    const page = await openPage()
    await go(page, '/sign-up')
    await fill(page, 'Name', 'Pia')
    await fill(page, 'Email', 'pia@example.com')
    await fill(page, 'Password', 'a long new password')
    await click(page, 'Create account')
    await page.getByRole('link', { name: 'Continue' }).click()
    await heading(page, 'Profile')
    await server.clearMailbox()

    await go(page, '/account/phone')
    await page.getByText('You have not added a phone number yet.').waitFor()
    await expectAccessible(page)
    for (const [number, shown, action] of [
      ['+15550003333', '+1 555 000 3333', 'Add a number'],
      ['+15550004444', '+1 555 000 4444', 'Change number'],
    ] as const) {
      await click(page, action)
      await page.getByRole('textbox', { name: /phone number/i }).fill(number)
      await expectAccessible(page)
      await click(page, 'Send code')
      await fill(page, 'Code', await newest(number, 'codes'))
      await page.getByText(`Your phone number is now ${shown}.`).waitFor()
    }
    await page.locator('#phone').getByText('Confirmed', { exact: true }).waitFor()
    await expectAccessible(page)
    await click(page, 'Remove number')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove number' }).click()
    await page.getByText('You have not added a phone number yet.').waitFor()

    await go(page, '/account/email')
    await page.getByRole('link', { name: 'Confirm with a code instead' }).click()
    await heading(page, 'Confirm your email address')
    await expectAccessible(page)
    await click(page, 'Send code')
    await fill(page, 'Code', await newest('pia@example.com', 'codes'))
    await heading(page, 'Profile')
    await page.locator('#email').getByText('Confirmed', { exact: true }).waitFor()
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
