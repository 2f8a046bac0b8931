import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { expectAccessible, focusOn, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { fromMailbox } from './mailbox.ts'

let provider: OpenIdProvider
let server: TestServer
let chrome: OpenBrowser
const complaints: string[] = []

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: ['work'] })
  const label = (en: string, de: string) => ({ en, de })
  server = await startServer({
    config: {
      // Without the scope, the provider returns no address.
      genericOAuth: demoProviders(provider, { work: 'Work' }, { scopes: ['openid', 'profile'] }),
      account: { askForEmail: true },
      user: {
        additionalFields: {
          team: { type: 'string', required: true, signUp: true, minLength: 2, label: label('Team', 'Mannschaft') },
          size: {
            type: 'string',
            required: true,
            profile: true,
            options: ['S', { value: 'M', label: label('Medium', 'Mittel') }],
            label: label('Shirt size', 'Größe'),
          },
          born: { type: 'date', profile: true, max: '2020-12-31', label: label('Birthday', 'Geburtstag') },
          tax: { type: 'string', profile: true, returned: false, minLength: 5, label: label('Tax ID', 'Steuernummer') },
          news: { type: 'boolean', signUp: true, profile: true, label: label('Send me news', 'Neuigkeiten schicken') },
        },
      },
    },
  })
  application = server.url
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await provider?.close()
})

async function open(): Promise<Page> {
  const { page } = await openDevice(chrome.browser)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
const codeTo = (address: string) =>
  fromMailbox(server, (messages) => messages.find(({ to, codes }) => to === address && codes.length > 0)?.codes[0])

/** Nothing is wider than the window, and axe finds no violations. */
async function looksRight(page: Page, themes: readonly ('light' | 'dark')[] = ['light']) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), { message: `${width}` })
        .toBe(true)
    }
    await expectAccessible(page)
  }
}

describe('fields of the product', () => {
  it('are on the sign-up, validated before the request, and missing ones are requested once', async () => {
    const page = await open()
    await page.goto(`${server.url}/sign-up`)
    await field(page, 'Name').fill('Ada')
    await field(page, 'Email').fill('ada@example.com')
    await field(page, 'Password').fill('first long password')
    await button(page, 'Create account').click()
    await page.getByText('Fill in this field.').waitFor()
    await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('team')
    await page.keyboard.type('x')
    await page.keyboard.press('Enter')
    await page.getByText('Use at least 2 characters.').waitFor()
    await looksRight(page)
    await field(page, 'Team').fill('Blue')
    await page.getByLabel('Send me news').check()
    await button(page, 'Create account').click()
    await page.waitForURL('**/check-inbox')

    await page.goto(`${server.url}/account/profile`)
    await heading(page, 'Complete your profile').waitFor()
    await expect.poll(() => field(page, 'Team').count()).toBe(0)
    await expect.poll(() => button(page, 'Skip').count()).toBe(0)
    await looksRight(page, ['light', 'dark'])
    await button(page, 'Continue').click()
    await page.getByText('Fill in this field.').waitFor()
    await field(page, 'Shirt size').selectOption({ label: 'Medium' })
    await button(page, 'Continue').click()
    await heading(page, 'Profile').waitFor()

    await expect.poll(() => field(page, 'Shirt size').inputValue()).toBe('M')
    await expect.poll(() => page.getByLabel('Send me news').isChecked()).toBe(true)
    await page.getByLabel(/^Birthday/).fill('2021-01-01')
    const save = page.locator('#details').getByRole('button', { name: 'Save' })
    await save.click()
    await page.getByText('Must be Dec 31, 2020 or earlier.').waitFor()
    await looksRight(page)
    await page.getByLabel(/^Birthday/).fill('2000-02-29')
    await page.getByLabel('Send me news').uncheck()
    await page.getByLabel('Tax ID').fill('DE-12345')
    await save.click()
    await page.getByText('Your profile has been saved.').waitFor()
    await page.reload()
    await heading(page, 'Profile').waitFor()
    await expect.poll(() => page.getByLabel(/^Birthday/).inputValue()).toBe('2000-02-29')
    await expect.poll(() => page.getByLabel('Send me news').isChecked()).toBe(false)

    // The form does not know a value that responses do not contain: it explains that and does not send it.
    await expect.poll(() => page.getByLabel('Tax ID').inputValue()).toBe('')
    await page.getByText('It stays unless you enter something else.').waitFor()
    await page.getByLabel(/^Birthday/).fill('')
    await save.click()
    await page.getByText('Your profile has been saved.').waitFor()
    const database = await server.database()
    const query = "select additional_fields from users where name = 'Ada'"
    const stored = await database.prepare(query).first<string>('additional_fields')
    expect(JSON.parse(stored!)).toEqual({ team: 'Blue', size: 'M', news: false, tax: 'DE-12345' })
  })

  it('are asked of guests too, by keyboard alone and in German, before they go on', async () => {
    const page = await open()
    await page.goto(`${server.url}/sign-in`)
    await page.getByText('Other ways to sign in').click()
    await button(page, 'Continue as a guest').click()
    await heading(page, 'Complete your profile').waitFor()
    await page.evaluate("localStorage.setItem('language', 'de')")
    await page.reload()
    await heading(page, 'Vervollständige dein Profil').waitFor()
    await field(page, 'Mannschaft').focus()
    await page.keyboard.type('Rot')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, 'Profil').waitFor()
    await expect.poll(() => field(page, 'Größe').inputValue()).toBe('S')
  })
})

describe('a user of a service that returns no address', () => {
  async function comeBy(page: Page, login: string) {
    await page.goto(`${server.url}/sign-in?callbackURL=%2Faccount%2Fsecurity`)
    await button(page, 'Continue with Work').click()
    await page.locator('input[name="login"]').fill(login)
    await page.locator('input[name="password"]').fill('any')
    await page.locator('button[type="submit"]').click()
    await page.locator('form button[type="submit"]').click()
    await heading(page, 'What’s your email address?').waitFor()
  }

  it('gives one, proves it, completes their profile, and comes to where they were going', async () => {
    const page = await open()
    await comeBy(page, 'grace')
    await page.getByText('Work did not tell us one.').waitFor()
    await looksRight(page, ['light', 'dark'])
    await field(page, 'Email').fill('grace@example.com')
    await page.keyboard.press('Enter')
    await heading(page, 'Check your inbox').waitFor()
    const code = await codeTo('grace@example.com')
    await focusOn(page, '[name=code]')
    await page.keyboard.type(code === '000000' ? '111111' : '000000')
    await page.getByText('This code is incorrect.').waitFor()
    await page.getByLabel('Code').fill(code)
    await heading(page, 'Complete your profile').waitFor()
    await field(page, 'Team').fill('Blue')
    await field(page, 'Shirt size').selectOption('S')
    await button(page, 'Continue').click()
    await heading(page, 'Security').waitFor()
    await page.context().clearCookies()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('listitem').filter({ hasText: 'Work' }).getByText('Last used').waitFor()
  })

  it('starts again where another browser or too much time is in between', async () => {
    const page = await open()
    await page.goto(`${server.url}/sign-in/address`)
    await heading(page, 'Start again').waitFor()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await heading(page, 'Sign in to Gatehouse').waitFor()
    const other = await open()
    await comeBy(other, 'hopper')
    await other.context().clearCookies()
    await field(other, 'Email').fill('hopper@example.com')
    await other.keyboard.press('Enter')
    await heading(other, 'Start again').waitFor()
  })
})

it('the browser reports no errors', () => {
  expect(complaints).toEqual([])
})
