import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { plugIn } from './virtual-authenticator.ts'

let server: TestServer
let chrome: OpenBrowser

beforeAll(async () => {
  server = await startServer({})
  chrome = await openBrowser()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
})

describe('automatic creation, where the browser can', () => {
  /**
   * Password managers create without a question; the authenticator of the browser's debugger cannot. The page's call is
   * recorded, and answered as one with a question.
   */
  const actAsPasswordManager = `
    PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
    const create = navigator.credentials.create.bind(navigator.credentials)
    globalThis.mediations = []
    navigator.credentials.create = ({ mediation, ...options }) => {
      globalThis.mediations.push(mediation)
      return create(options)
    }`
  const eve = { name: 'Eve Example', email: 'eve@example.com', password: 'second long password' }

  it('a sign-in with a password leads to a passkey, says so, and asks for nothing; once', async () => {
    const { context, page: theirs } = await openDevice(chrome.browser)
    await context.addInitScript(actAsPasswordManager)
    const manager = await plugIn(theirs)
    // The suggestions of the first field wait.
    await manager.setPresent(false)
    await theirs.goto(`${server.url}/goodbye`)
    await theirs.evaluate(`fetch('/api/auth/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(eve))},
    })`)
    const enter = async () => {
      await theirs.goto('about:blank')
      await context.request.post(`${server.url}/api/auth/sign-out`, { headers: { origin: server.url } })
      await theirs.goto(`${server.url}/sign-in`)
      await enterIdentifier(theirs, eve.email)
      await theirs.getByLabel('Password', { exact: true }).fill(eve.password)
      await manager.setPresent(true)
      await theirs
        .locator('form')
        .getByRole('button', { name: /^Sign in/ })
        .click()
      await theirs.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    }
    await enter()
    await theirs.getByText('Your password manager now has a passkey for this account.').waitFor()
    expect(await manager.credentials()).toHaveLength(1)
    await expect.poll(() => theirs.evaluate('globalThis.mediations')).toEqual(['conditional'])
    await expect.poll(() => theirs.getByRole('complementary', { name: 'A faster way to sign in' }).count()).toBe(0)
    await expectAccessible(theirs)
    await theirs.goto(`${server.url}/account/security#passkeys`)
    await theirs
      .getByRole('button', { name: /^Delete / })
      .first()
      .waitFor()
    await context.close()
  })
})
