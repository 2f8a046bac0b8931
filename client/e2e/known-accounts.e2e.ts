import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, focusOn, inApp, type OpenBrowser, openBrowser, openDevice, shiftOf } from './browser.ts'
import { lookAt } from './look-at.ts'
import { newest } from './mailbox.ts'
import { plugIn } from './virtual-authenticator.ts'

/** The accounts that have signed in with a browser, on the sign-in of this browser. */
const names = { 'demo-google': 'Google', 'demo-github': 'GitHub' }
const password = 'a long password of mine'
const olga = { name: 'Olga Ownerowitsch', email: 'olga@example.com', password }
/** Proves the address with a code, which ends the password. */
const grace = { name: 'Grace Hopper', email: 'grace.hopper@example.com', password }
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password }

let provider: OpenIdProvider
let server: TestServer
let chrome: OpenBrowser
const complaints: string[] = []

beforeAll(async () => {
  let application = ''
  provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  server = await startServer({ config: { genericOAuth: demoProviders(provider, names) } })
  application = server.url
  chrome = await openBrowser()
  for (const person of [olga, ada, grace]) await post('/sign-up/email', person)
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await provider?.close()
})

const post = (path: string, body: object) =>
  fetch(`${server.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** A browser in which users have signed in with their password and signed out; the last one comes first. */
async function browserOf(people: { email: string; password: string }[], options: object = {}): Promise<Page> {
  const { page } = await openDevice(chrome.browser, options)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await page.goto(`${server.url}/sign-up`)
  for (const { email } of people) {
    await ask(page, '/sign-in/email', { email, password })
    await ask(page, '/sign-out')
  }
  return page
}

const account = (page: Page, name: string) => page.getByRole('button', { name: `Continue as ${name}` })
const signedIn = (page: Page) => page.waitForURL('**/account/profile')

describe('an account that has signed in with this browser', () => {
  it('takes one press and the password, and has the focus of the page', async () => {
    const page = await browserOf([ada, olga])
    await page.goto(`${server.url}/sign-in`)
    const list = page.getByRole('list', { name: 'Accounts of this browser' })
    await expect.poll(() => list.innerText()).toMatch(/Olga[\s\S]*o•••@example\.com[\s\S]*Password[\s\S]*Ada/)
    // Neither the page nor its data has the address or the name.
    expect(await page.content()).not.toMatch(/olga@|Ownerowitsch/)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Continue as Olga')
    await page.keyboard.press('Enter')
    await page.getByText(olga.email, { exact: true }).waitFor()
    await focusOn(page, '[name=password]')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await signedIn(page)
    await page.context().close()
  })

  it('takes one press with a passkey, and the browser is asked for that one', async () => {
    const page = await browserOf([ada])
    const authenticator = await plugIn(page)
    // It would answer to the suggestions of the field, before the press.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')
    await ask(page, '/sign-in/email', { email: ada.email, password })
    await page.goto(`${server.url}/account/security#passkeys`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Name your passkey' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Laptop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The name has been saved.').waitFor()
    await ask(page, '/sign-out')
    await page.goto(`${server.url}/sign-in`)
    await page.getByText('Other ways to sign in').click()
    await page.getByRole('button', { name: 'Continue with a passkey' }).click()
    await signedIn(page)
    await ask(page, '/sign-out')
    await page.addInitScript(`
      const get = navigator.credentials.get.bind(navigator.credentials)
      globalThis.allowed = []
      navigator.credentials.get = (options) => {
        allowed.push(options.publicKey.allowCredentials?.length ?? 0)
        return get(options)
      }
    `)
    await page.goto(`${server.url}/sign-in`)
    await expect.poll(() => account(page, 'Ada').innerText()).toContain('Passkey')
    // A passkey that is refused leads to the other ways of the account.
    await authenticator.setUserVerified(false)
    await account(page, 'Ada').click()
    await page.getByRole('button', { name: 'Sign in another way' }).click()
    await page.getByText(ada.email, { exact: true }).waitFor()
    await authenticator.setUserVerified(true)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await account(page, 'Ada').waitFor()
    await account(page, 'Ada').click()
    await signedIn(page)
    await expect.poll(() => page.evaluate('allowed')).toEqual([1, 1])
    await page.context().close()
  })

  it('takes one press with a provider, and works without scripts behind the other ways', async () => {
    const page = await browserOf([ada])
    const agree = async (login: string) => {
      await page.locator('input[name="login"]').fill(login)
      await page.locator('input[name="password"]').fill('any')
      await page.locator('button[type="submit"]').click()
      await page.locator('form button[type="submit"]').click()
    }
    await page.goto(`${server.url}/sign-in`)
    await page.getByText('Other ways to sign in').click()
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await agree('grace')
    await signedIn(page)
    await ask(page, '/sign-out')
    await page.goto(`${server.url}/sign-in`)
    const first = page.getByRole('list', { name: 'Accounts of this browser' }).getByRole('button').first()
    await expect.poll(() => first.innerText()).toContain('Google')
    await first.click()
    // The user is still signed in at the provider.
    await signedIn(page)
    await ask(page, '/sign-out')
    const storageState = await page.context().storageState()
    const plain = await chrome.browser.newContext({ javaScriptEnabled: false, storageState })
    const without = await plain.newPage()
    await without.goto(`${server.url}/sign-in`)
    await expect.poll(() => without.getByRole('list', { name: 'Accounts of this browser' }).isVisible()).toBe(false)
    await without.getByText('Other ways to sign in').click()
    await without.getByRole('button', { name: 'Continue with Google' }).click()
    await without.waitForURL(/account|welcome/)
    await plain.close()
    await page.context().close()
  })

  it('is sent a code by one press, after a sign-in with a code', async () => {
    const page = await browserOf([])
    await ask(page, '/email-otp/send-verification-otp', { email: grace.email, type: 'sign-in' })
    const otp = await newest(server, grace.email, 'codes')
    await ask(page, '/sign-in/email-otp', { email: grace.email, otp })
    await ask(page, '/sign-out')
    await page.goto(`${server.url}/sign-in`)
    await account(page, 'Grace').click()
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
    const code = await newest(server, grace.email, 'codes')
    await focusOn(page, '[name=code]')
    await page.keyboard.type(code)
    await signedIn(page)
    await page.context().close()
  })

  it('leaves the browser with its button, or all with "Not your device?"', async () => {
    const page = await browserOf([ada, olga])
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('button', { name: 'Remove Olga from this browser' }).click()
    await account(page, 'Olga').waitFor({ state: 'detached' })
    await page.reload()
    await account(page, 'Ada').waitFor()
    await expect.poll(() => account(page, 'Olga').count()).toBe(0)
    await page.getByRole('button', { name: /^Not your device/ }).click()
    await account(page, 'Ada').waitFor({ state: 'detached' })
    await page.reload()
    await expect.poll(() => page.getByRole('list', { name: 'Accounts of this browser' }).count()).toBe(0)
    await page.context().close()
  })

  it('is offered after a sign-out in the app, and beside the account that is signed in', async () => {
    const page = await browserOf([ada, olga])
    await ask(page, '/sign-in/email', { email: olga.email, password })
    await page.goto(`${server.url}/sign-in?add=true`)
    await account(page, 'Ada').waitFor()
    await expect.poll(() => account(page, 'Olga').count()).toBe(0)
    await page.goto(`${server.url}/sign-out`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await account(page, 'Olga').waitFor()
    await account(page, 'Ada').waitFor()
    await page.context().close()
  })

  it('is in the page of the Worker, at the same place, also with long names and markup in them', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff'
    const people = [
      { name: '<img/src=x/onerror=document.title=1>', email: 'markup@example.com', password },
      { name: 'محمد علي', email: 'm@example.com', password },
      { name: long, email: `${long.toLowerCase()}.with-many-parts@mail.subdomain.example.com`, password },
    ]
    for (const person of people) await post('/sign-up/email', person)
    const page = await browserOf(people, { viewport: { width: 360, height: 740 } })
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await arrived
      await route.continue()
    })
    const answer = await page.goto(`${server.url}/sign-in`, { waitUntil: 'commit' })
    expect(answer!.headers()['cache-control']).toBe('private, no-store')
    await page.locator('[data-prerendered] #app h1').waitFor({ state: 'attached' })
    await page.evaluate('document.fonts.ready')
    const boxes = () =>
      page.locator('main :is(h1, li button, [name=identifier], [type=submit], summary)').evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect()
          return [x, y, width, height].map(Math.round)
        }),
      )
    const before = await boxes()
    arrive()
    await inApp(page)
    await page.waitForLoadState('networkidle')
    await expect.poll(async () => (await boxes()).slice(0, before.length)).toEqual(before)
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
    await expect.poll(() => page.title()).toContain('Sign in')
    await expect.poll(() => page.getByRole('list', { name: 'Accounts of this browser' }).locator('img').count()).toBe(0)
    await lookAt(page, 'known-accounts')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
