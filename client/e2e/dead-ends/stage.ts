import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Config } from '../../../worker/configuration/read-config.ts'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../../worker/testing/server.ts'
import { enterIdentifier, type OpenBrowser, openBrowser, openDevice } from '../browser.ts'
import { newest as newestMessage } from '../mailbox.ts'

/** Another site, which the test server trusts. */
export const trusted = 'https://app.example.com'
export const password = 'a long password of mine'

export let server: TestServer
export let chrome: OpenBrowser
const complaints: string[] = []

interface Stage {
  config?: Config
  vars?: Record<string, string>
  /** Identity providers of the deployment by their ids, with their names. */
  providers?: Record<string, string>
}

/** One server and one browser for all walks of a file. */
export function openStage({ config = {}, vars = {}, providers }: Stage): void {
  let provider: OpenIdProvider | undefined
  beforeAll(async () => {
    if (providers)
      provider = await startOpenIdProvider({ application: () => server.url, providerIds: Object.keys(providers) })
    const ways = provider && providers ? { genericOAuth: demoProviders(provider, providers) } : {}
    ;[server, chrome] = await Promise.all([startServer({ config: { ...ways, ...config }, vars }), openBrowser()])
  })
  afterAll(async () => {
    await chrome?.close()
    await server?.close()
    await provider?.close()
  })
}

/** As `openStage`, with the options that most walks need. */
export const setTheStage = (more: Config = {}): void =>
  openStage({ config: { trustedOrigins: [trusted], phoneNumber: { signUpOnVerification: true }, ...more } })

const root = { name: 'Rita Root', email: 'root@example.com', password: 'password-of-root' }

/** The variables of a server with an administrator, and the page of that administrator. */
export const withAdministrator = { ADMIN_EMAILS: root.email }
export async function administrator(locale = 'en-US'): Promise<Page> {
  const { page } = await openDevice(chrome.browser, { locale })
  await go(page, '/goodbye')
  // The first call signs up.
  for (const path of ['/sign-up/email', '/sign-in/email']) await inPage(page, path, root)
  return page
}

/** The last test of a file: no script failed and nothing violated the content security policy. */
export function nothingBroke(): void {
  it('the browser reports no errors', () => {
    expect(complaints).toEqual([])
  })
}

/** A device that can also open the trusted site. */
export async function open(): Promise<Page> {
  const { context, page } = await openDevice(chrome.browser)
  await context.route(`${trusted}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>The app</h1>' }))
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

export const go = (page: Page, path: string) => page.goto(server.url + path)
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
export const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
export const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
export const inPage = (page: Page, path: string, body: object = {}) =>
  page.evaluate(
    ([url, text]) =>
      fetch(url as string, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text as string })
        .then((answer) => answer.json())
        .catch(() => null),
    [`/api/auth${path}`, JSON.stringify(body)],
  )

let people = 0

/** A page with a new signed-in user, and their address. */
export async function member(): Promise<{ page: Page; email: string }> {
  people += 1
  const page = await open()
  const email = `person${people}@example.com`
  await go(page, '/goodbye')
  await inPage(page, '/sign-up/email', { name: `Person ${people}`, email, password })
  return { page, email }
}

export async function signIn(page: Page, email: string): Promise<void> {
  await enterIdentifier(page, email)
  await fill(page, 'Password', password)
  await page.locator('form button[type="submit"]').click()
}

export const newest = (recipient: string, what: 'codes' | 'links', path?: string): Promise<string> =>
  newestMessage(server, recipient, what, path)
