import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { plugIn } from './virtual-authenticator.ts'

let server: TestServer
let chrome: OpenBrowser

beforeAll(async () => {
  server = await startServer({ config: { passkey: { secondFactor: true } } })
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

it('after the password, the passkey is asked for first, and both sign in', async () => {
  const ada = { name: 'Ada', email: 'ada@example.com', password: 'first long password' }
  const { context, page } = await openDevice(chrome.browser)
  await page.goto(`${server.url}/goodbye`)
  await ask(page, '/sign-up/email', ada)
  // An old security key, which cannot verify its user.
  const key = await plugIn(page, { protocol: 'u2f', transport: 'usb', hasUserVerification: false })
  await page.goto(`${server.url}/account/security#passkeys`)
  await page.getByText('After your password, you are asked for one of them.').waitFor()
  await page.getByRole('button', { name: 'Add a passkey', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('My key')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Only on this key').waitFor()
  await expect.poll(() => page.locator('[data-family="security-key"]').count()).toBe(1)
  await expectAccessible(page)

  await page.goto('about:blank')
  await context.request.post(`${server.url}/api/auth/sign-out`, { headers: { origin: server.url } })
  await page.goto(`${server.url}/sign-in`)
  await enterIdentifier(page, ada.email)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
  const use = page.getByRole('button', { name: 'Use your passkey', exact: true })
  await use.waitFor()
  // A passkey alone leads to no trusted device.
  await expect.poll(() => page.getByText('Trust this device').count()).toBe(0)
  await expectAccessible(page)
  await key.setPresent(true)
  await use.click()
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await context.close()
})
