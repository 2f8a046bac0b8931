import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, previousCode } from '../../worker/testing/authenticator.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'

let server: TestServer
let chrome: OpenBrowser
let page: Page
/** The application: it shows its input. */
let application: Server
let callback: string
const complaints: string[] = []

const ada = { name: 'Ada Example', email: 'ada@example.com', password: 'first long password' }
const bob = { name: 'Bob Example', email: 'bob@example.com', password: 'second long password' }
let client = { id: '', secret: '' }

beforeAll(async () => {
  application = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(`<h1>Photos</h1><p>${request.url}</p>`)
  }).listen(0)
  callback = `http://localhost:${(application.address() as AddressInfo).port}/callback`
  server = await startServer({ config: { trustedOrigins: [] } })
  chrome = await openBrowser()
  page = await newPage()
})

afterAll(async () => {
  application?.close()
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

const heading = (name: string | RegExp, on = page) => on.getByRole('heading', { name })
const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
const field = (label: string | RegExp, on = page) => on.getByLabel(label, { exact: true })
const go = (path: string, on = page) => on.goto(server.url + path)

async function signUp(person: typeof ada, on: Page) {
  await go('/sign-up', on)
  await field('Name', on).fill(person.name)
  await field('Email', on).fill(person.email)
  await on.getByLabel('Password', { exact: true }).fill(person.password)
  await button('Create account', on).click()
  await on.getByRole('link', { name: 'Continue' }).click()
  await heading('Profile', on).waitFor()
}

async function fillSignIn(person: typeof ada, on: Page) {
  await enterIdentifier(on, person.email)
  await on.getByLabel('Password', { exact: true }).fill(person.password)
  await on
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
}

const verifier = randomBytes(32).toString('base64url')

function authorizationAddress(more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: client.id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile email offline_access',
    prompt: 'consent',
    state: 'from-photos',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return `/api/auth/oauth2/authorize?${query}`
}

/** All sizes and both themes, without violations of axe. */
async function lookAt(on: Page) {
  for (const width of [360, 1280]) {
    await on.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await on.emulateMedia({ colorScheme })
      await expectAccessible(on)
      const overflow = await on.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, `${on.url()} at ${width}`).toBeLessThanOrEqual(0)
      if (process.env.SCREENSHOTS) {
        const name = new URL(on.url()).pathname.replaceAll('/', '-').slice(1)
        await on.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
      }
    }
  }
}

async function exchange(address: string) {
  const code = new URL(address).searchParams.get('code')!
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: verifier,
    client_id: client.id,
    client_secret: client.secret,
  })
  return (await fetch(`${server.url}/api/auth/oauth2/token`, { method: 'POST', body })).json() as Promise<any>
}

// One walk: each step begins where the previous one ended.
describe('a developer', () => {
  it('registers an application and sees its secret once', async () => {
    await signUp(bob, page)
    await go('/developers/clients')
    await heading('OAuth clients').waitFor()
    await lookAt(page)
    await button('Register an application').first().click()
    await button('Register').click()
    await page.getByText('Enter at least one redirect URI.').waitFor()
    await field('Name').fill('Photos')
    await field('Redirect URIs').fill('javascript:alert(1)')
    await button('Register').click()
    await page.getByText('One of the addresses is not permitted').waitFor()
    await field('Redirect URIs').fill(callback)
    await expectAccessible(page)
    await button('Register').click()
    await heading('Photos is registered.').waitFor()
    await expectAccessible(page)
    const [id, secret] = await page.getByRole('dialog').locator('code').allTextContents()
    client = { id: id!, secret: secret! }
    expect({ id, secret }).toEqual({ id: expect.stringMatching(/^\w{32}$/), secret: expect.stringMatching(/^\w{32}$/) })
    await button('I have copied it').click()
    await page.getByText(client.id).waitFor()
    await expect.poll(() => page.content()).not.toContain(client.secret)
    await lookAt(page)
  })

  it('takes a new secret, and renames the application', async () => {
    await button('Actions for Photos').click()
    await page.getByRole('menuitem', { name: 'New secret' }).or(button('New secret')).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    const codes = page.getByRole('dialog').locator('code')
    await codes.nth(1).waitFor()
    const renewed = (await codes.nth(1).textContent())!
    expect(renewed).not.toBe(client.secret)
    client.secret = renewed
    await button('I have copied it').click()
    await button('Actions for Photos').click()
    await page.getByRole('menuitem', { name: 'Edit' }).or(button('Edit')).first().click()
    await field('Name').fill('Photo Album')
    await button('Save').click()
    await page.getByText('Photo Album').first().waitFor()
  })
})

describe('a user whom the application redirects', () => {
  let person: Page

  it('signs in, is asked, and agrees', async () => {
    const other = await newPage()
    await signUp(ada, other)
    await other.context().close()
    person = await newPage()
    await go(authorizationAddress(), person)
    await heading('Sign in', person).waitFor()
    await person.getByText('to continue to Photo Album').waitFor()
    await lookAt(person)
    await fillSignIn(ada, person)
    await heading('Allow Photo Album?', person).waitFor()
    await person.getByText('read your email address').waitFor()
    await person.getByText(ada.email).waitFor()
    await lookAt(person)
    await button('Allow', person).click()
    await heading('Photos', person).waitFor()
    const address = new URL(person.url())
    expect(address.searchParams.get('state')).toBe('from-photos')
    expect(address.searchParams.get('iss')).toBe(server.url)
    const tokens = await exchange(person.url())
    expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) })
  })

  it('denies, and the application receives the error', async () => {
    await go(authorizationAddress(), person)
    await heading('Allow Photo Album?', person).waitFor()
    await button('Deny', person).click()
    await heading('Photos', person).waitFor()
    await expect.poll(() => new URL(person.url()).searchParams.get('error')).toBe('access_denied')
  })

  it('takes another account', async () => {
    await go(authorizationAddress(), person)
    await person.getByRole('link', { name: 'Use another account' }).click()
    await heading('Sign in', person).waitFor()
    await fillSignIn(bob, person)
    await heading('Allow Photo Album?', person).waitFor()
    await person.getByText(bob.email).waitFor()
    await button('Deny', person).click()
    await heading('Photos', person).waitFor()
  })

  it('sees what it may, and withdraws it', async () => {
    await go(authorizationAddress({ prompt: 'consent login' }), person)
    await fillSignIn(ada, person)
    await button('Allow', person).click()
    await heading('Photos', person).waitFor()
    const tokens = await exchange(person.url())
    await go('/account/connections', person)
    await person.getByText('Photo Album').first().waitFor()
    await lookAt(person)
    await button('Remove access', person).click()
    await person.getByRole('dialog').getByRole('button', { name: 'Remove access' }).click()
    await person.getByText('No app has access to your account.').waitFor()
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${server.url}/api/auth/oauth2/userinfo`, { headers })).status).toBe(401)
  })

  it('shows that the request has expired', async () => {
    await go('/consent?consent_code=nothing', person)
    await heading('This request is no longer open', person).waitFor()
    await expectAccessible(person)
  })

  it('is asked before a foreign page signs it out', async () => {
    await go('/api/auth/oauth2/end-session', person)
    await heading('Sign out?', person).waitFor()
    await lookAt(person)
    await person.getByRole('link', { name: 'Stay signed in' }).click()
    await heading('Profile', person).waitFor()
  })

  it('connects a device by its code', async () => {
    const device = (await (
      await fetch(`${server.url}/api/auth/oauth2/register`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: server.url,
          cookie: (await person.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
        },
        body: JSON.stringify({
          client_name: 'TV',
          grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
          response_types: [],
          token_endpoint_auth_method: 'none',
        }),
      })
    ).json()) as { client_id: string }
    const started = (await (
      await fetch(`${server.url}/api/auth/oauth2/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: device.client_id, scope: 'openid' }),
      })
    ).json()) as { user_code: string }
    await go('/device', person)
    await heading('Connect a device', person).waitFor()
    await lookAt(person)
    await field('Code', person).fill('BCDF-BCDF')
    await button('Next', person).click()
    await person.getByText('This code is incorrect or has expired.').waitFor()
    await field('Code', person).fill(started.user_code)
    await button('Next', person).click()
    await heading('Connect TV?', person).waitFor()
    // The account, the sender of the request, and a warning of requests that others have begun.
    await person.getByText('Only continue if you started this yourself').waitFor()
    await person.getByText(/^The request came from .+/).waitFor()
    await person.getByText('You are signed in as').waitFor()
    await button('Use another account', person).waitFor()
    await lookAt(person)
    await button('Connect', person).click()
    await heading('Your device is connected', person).waitFor()
  })

  it('gives the second factor on the way', async () => {
    const post = (path: string, body: object) =>
      person.evaluate<{ totpURI: string }, readonly [string, string]>(
        async ([at, text]) =>
          (
            await fetch(`/api/auth${at}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: text,
            })
          ).json(),
        [path, JSON.stringify(body)] as const,
      )
    const { totpURI } = await post('/two-factor/enable', { password: ada.password })
    await post('/two-factor/verify-totp', { code: await previousCode(totpURI) })
    const other = await newPage()
    await go(authorizationAddress(), other)
    await fillSignIn(ada, other)
    await heading(/verification|two-factor|second/i, other).waitFor()
    await other.locator('input[autocomplete="one-time-code"]').fill(await codeOf(totpURI))
    await heading('Allow Photo Album?', other).waitFor()
    await button('Allow', other).click()
    await heading('Photos', other).waitFor()
    await other.context().close()
  })

  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
})
