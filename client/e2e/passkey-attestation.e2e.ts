import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { plugIn } from './virtual-authenticator.ts'

/** The model of the authenticators of Chromium's debugger. Old security keys (U2F) have none. */
const allowed = '01020304-0506-0708-0102-030405060708'

let server: TestServer
let chrome: OpenBrowser

beforeAll(async () => {
  server = await startServer({ config: { passkey: { attestation: { allowed: [allowed] } } } })
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

it('an allowed authenticator makes a passkey; another one is refused with the reason', async () => {
  const { context, page } = await openDevice(chrome.browser)
  await page.goto(`${server.url}/goodbye`)
  await ask(page, '/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: 'first long password' })
  const old = await plugIn(page, { protocol: 'u2f', transport: 'usb', hasUserVerification: false })
  await page.goto(`${server.url}/account/security#passkeys`)
  const add = page.getByRole('button', { name: 'Add a passkey', exact: true })
  await add.click()
  await page.getByText('Passkeys of this device or password manager are not allowed here.').waitFor()
  await page.getByText('Code: AUTHENTICATOR_NOT_ALLOWED').waitFor()
  await expectAccessible(page)
  await old.remove()

  const { setPresent, ...key } = await plugIn(page, { transport: 'usb' })
  await setPresent(true)
  await add.click()
  await page.getByRole('heading', { name: 'Name your passkey' }).waitFor()
  expect(await key.credentials()).toHaveLength(1)
  await context.close()
})
