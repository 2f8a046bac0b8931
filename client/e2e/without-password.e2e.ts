import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeOf } from '../../worker/testing/authenticator.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { plugIn } from './virtual-authenticator.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page

const email = 'new@example.com'

beforeAll(async () => {
  server = await startServer({ config: { passkey: { signUp: true } } })
  chrome = await openBrowser()
  page = (await openDevice(chrome.browser)).page
  await plugIn(page)
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** The last authentication was two days ago. */
const passTwoDays = async () =>
  (await server.database()).prepare('update sessions set authenticated_at = authenticated_at - 172800000').run()

/** "Confirm that it is you", by the passkey. */
const confirmByPasskey = () => button('Use a passkey').click()

/** No field asks for a password that the user does not have. */
const expectNoQuestion = async () =>
  expect(await page.locator('input[autocomplete="current-password"]').count(), page.url()).toBe(0)

async function open(path: string) {
  await page.goto(server.url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

// One walk: each step begins where the previous one ended.
it('signs up with a passkey alone', async () => {
  await open('/sign-up')
  await button('Use a passkey instead of a password').click()
  await page.getByLabel('Name', { exact: true }).fill('New Member')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await button('Create account with a passkey').click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await ask(page, '/organization/create', { name: 'Acme', slug: 'acme' })
})

it('no screen and no dialog asks for a password', async () => {
  for (const path of [
    '/account/profile',
    '/account/profile#change-email',
    '/account/profile#delete-account',
    '/account/security',
    '/account/security#set-up-two-factor',
    '/organization/settings',
    '/organization/settings#delete-organization',
  ]) {
    await open('/goodbye')
    await open(path)
    if (path.includes('#')) await page.getByRole('dialog').first().waitFor()
    await expectNoQuestion()
  }
})

it('sets two-factor up, prints new backup codes and turns it off, by the passkey', async () => {
  await open('/account/security')
  await passTwoDays()
  await button('Set up').click()
  await button('Continue').click()
  await confirmByPasskey()
  const key = await page.locator('p[translate="no"]').textContent()
  await expectNoQuestion()
  await expectAccessible(page)
  const totpURI = `otpauth://totp/x?secret=${key!.replaceAll(' ', '')}&digits=6&period=30`
  await page.getByLabel('Code from the app').fill(await codeOf(totpURI))
  await button('I saved them').click()

  await passTwoDays()
  await button('Replace codes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace codes', exact: true }).click()
  await confirmByPasskey()
  await button('Print').waitFor()
  await expect.poll(() => page.getByRole('dialog').locator('ol li').count()).toBe(10)
  await button('I saved them').click()

  await passTwoDays()
  await button('Turn off').click()
  await expectNoQuestion()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Turn off two-factor authentication', exact: true })
    .click()
  await confirmByPasskey()
  await page.getByText('You sign in without a password').waitFor()
})

it('deletes an organization and the account, by the passkey', async () => {
  await open('/organization/settings')
  await passTwoDays()
  await button('Delete organization').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('acme')
  await dialog.getByRole('button', { name: 'Delete organization', exact: true }).click()
  await confirmByPasskey()
  await page.getByText('Acme has been deleted.').waitFor()

  await open('/account/profile#delete-account')
  await passTwoDays()
  await page.getByRole('dialog').getByRole('textbox').fill(email)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account', exact: true }).click()
  await confirmByPasskey()
  await page.waitForURL(/goodbye/)
})
