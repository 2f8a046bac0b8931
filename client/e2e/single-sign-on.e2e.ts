import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenIdProvider, startOpenIdProvider } from '../../worker/testing/outside/openid-provider.ts'
import { type SamlProvider, startSamlProvider } from '../../worker/testing/outside/samlify-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { ask, enterIdentifier, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'

/**
 * An administrator of a customer connects an identity provider with the set-up link alone; its users sign in and are
 * members. The identity providers are oidc-provider and samlify, and the DNS resolver answers from a map.
 */
let provider: OpenIdProvider
let samlProvider: SamlProvider
let resolver: Server
let server: TestServer
let chrome: OpenBrowser
let owner: Page
let setUpLink = ''
let member: Page
const callbacks: string[] = []
const records = new Map<string, string>()
const complaints: string[] = []

async function startResolver(): Promise<string> {
  resolver = createServer((request, response) => {
    const name = new URL(request.url!, 'http://localhost').searchParams.get('name') ?? ''
    const value = records.get(name)
    const answer = value ? { Status: 0, Answer: [{ name, type: 16, data: `"${value}"` }] } : { Status: 3 }
    response.setHeader('content-type', 'application/dns-json').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/dns-query`
}

beforeAll(async () => {
  provider = await startOpenIdProvider({
    application: () => server.url,
    providerIds: [],
    redirectUris: () => callbacks,
  })
  samlProvider = await startSamlProvider('sam@saml.example')
  const dnsResolver = await startResolver()
  server = await startServer({ config: { enterprise: { enabled: true, dnsResolver } } })
  chrome = await openBrowser()
  owner = await device()
  await owner.goto(`${server.url}/goodbye`)
  await ask(owner, '/sign-up/email', { name: 'Olga Owner', email: 'olga@owner.example', password: 'password-of-olga' })
  const { id: organizationId } = await ask(owner, '/organization/create', { name: 'Acme Example', slug: 'acme' })
  await ask(owner, '/organization/set-active', { organizationId })
  // Notices go to verified addresses.
  await (await server.database()).prepare('update users set email_verified = 1').run()
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await provider?.close()
  samlProvider?.close()
  resolver?.close()
})

async function device(): Promise<Page> {
  const { page } = await openDevice(chrome.browser)
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  return page
}

const button = (on: Page, name: string | RegExp) => on.getByRole('button', { name, exact: true })
const heading = (on: Page, name: string) => on.getByRole('heading', { name, exact: true })
const dialog = (on: Page) => on.getByRole('dialog')
const valueIn = (on: Page, label: string) =>
  on
    .locator('div', { has: on.getByText(label, { exact: true }) })
    .last()
    .locator('code')
    .innerText()

/** What the owner reads from the API. */
const read = <Answer>(path: string): Promise<Answer> =>
  owner.evaluate<Answer>(`fetch('/api/auth${path}').then((answer) => answer.json())`)

/** Our certificates of a SAML connection, in their order on its page. */
const certificates = () => owner.locator('section', { hasText: 'Our certificates' }).locator('li code').allInnerTexts()

/** The addresses of the members, in the order of the alphabet. */
async function members(): Promise<string[]> {
  const { members: list } = await read<{ members: { user: { email: string } }[] }>(
    '/organization/get-full-organization',
  )
  return list.map(({ user }) => user.email).sort()
}

/** At the identity provider: the user signs in and consents. */
async function agree(on: Page, login: string) {
  await on.locator('input[name="login"]').fill(login)
  await on.locator('input[name="password"]').fill('any')
  await on.locator('button[type="submit"]').click()
  await on.locator('form button[type="submit"]').click()
}

describe('single sign-on', () => {
  it('an owner creates a set-up link, which is shown once', async () => {
    await owner.goto(`${server.url}/organization/settings`)
    await owner.getByRole('link', { name: 'Manage single sign-on' }).click()
    await owner.getByText('There are no connections.').waitFor()
    // The link comes first, and rules wait for a domain.
    await expect.poll(() => owner.locator('h2').first().textContent()).toBe('Set-up link')
    await owner.getByText('Rules need a verified domain, because they apply to its addresses.').waitFor()
    await expect.poll(() => owner.getByLabel('Single sign-on only').isDisabled()).toBe(true)
    await lookAt(owner, 'sso-settings')
    await button(owner, 'Create a set-up link').click()
    await heading(owner, 'Your set-up link').waitFor()
    setUpLink = await dialog(owner).locator('code').innerText()
    expect(setUpLink).toContain('/sso-setup#setup_')
    await owner.keyboard.press('Escape')
    await expect.poll(() => dialog(owner).isVisible()).toBe(true)
    await lookAt(owner, 'sso-link')
    await button(owner, 'I have copied it').click()
    await owner.getByText(/^A link works until/).waitFor()
    const notice = 'Single sign-on of Acme Example has changed'
    await expect.poll(async () => (await server.mailbox())[0]?.subject).toBe(notice)
  })

  it('an administrator without an account connects the identity provider with it', async () => {
    const page = await device()
    await page.goto(setUpLink)
    await heading(page, 'Set up single sign-on for Acme Example').waitFor()
    await expect.poll(() => page.url()).toBe(`${server.url}/sso-setup`)
    await lookAt(page, 'sso-setup')
    await button(page, 'New connection').click()
    await dialog(page).getByLabel('Identity provider').selectOption('other')
    await dialog(page).getByLabel('Protocol').selectOption('oidc')
    await dialog(page).getByLabel('Name', { exact: true }).fill('Acme login')
    await button(page, 'Continue').click()
    await heading(page, 'Acme login').waitFor()
    callbacks.push(await valueIn(page, 'Redirect URI'))
    // One step at a time, and no test before there are values.
    await expect.poll(() => button(page, '3. Test').isEnabled()).toBe(false)
    await expect.poll(() => page.getByLabel('Issuer URL').count()).toBe(0)
    await expect.poll(() => page.evaluate<number>('scrollY')).toBe(0)
    await lookAt(page, 'sso-setup-provider')
    // The chosen provider stays, whatever the name of the connection is.
    await page.getByLabel('Identity provider').selectOption('okta')
    await button(page, 'Next step').click()
    await button(page, 'Previous step').click()
    await expect.poll(() => page.getByLabel('Identity provider').inputValue()).toBe('okta')
    await page.getByLabel('Identity provider').selectOption('other')
    await button(page, 'Next step').click()
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'))
      .toBe('2. Values of the identity provider')
    await page.getByLabel('Issuer URL').fill(provider.issuer)
    await page.getByLabel('Client ID', { exact: true }).fill(provider.clientId)
    await page.getByLabel('How we authenticate').selectOption('client-secret-post')
    await page.getByLabel('Client secret', { exact: true }).fill('wrong')
    await button(page, 'Save').first().click()
    await page.getByText('The values have been saved. Test them next.').waitFor()
    await button(page, 'Test the connection').waitFor()
    await expect.poll(() => page.getByLabel('Issuer URL').count()).toBe(0)
    await lookAt(page, 'sso-setup-connection')
    // A test that fails has its reason in words.
    await button(page, 'Test the connection').click()
    await agree(page, 'ada')
    await page.getByText(/^The response could not be used\. Compare the client ID/).waitFor()
    await button(page, '4. Activate').click()
    await expect.poll(() => button(page, 'Activate').isEnabled()).toBe(false)
    await button(page, /^2\. Values/).click()
    await page.getByLabel('Client secret', { exact: true }).fill(provider.clientSecret)
    await button(page, 'Save').first().click()
    await page.getByText('The values have been saved. Test them next.').waitFor()
    await button(page, 'Test the connection').click()
    await page.getByText('The last test was successful.').waitFor()
    await page.getByText(/^Received attributes: .*email/).waitFor()
    await lookAt(page, 'sso-setup-tested')
    await page.getByRole('link', { name: 'Single sign-on', exact: true }).click()
    await button(page, 'Add a domain').click()
    await dialog(page).getByLabel('Domain', { exact: true }).fill('example.com')
    await dialog(page).getByRole('button', { name: 'Add a domain' }).click()
    await page.getByText('Waiting for the record').waitFor()
    await button(page, 'Check now').click()
    await page.getByText(/^The TXT record was not found/).waitFor()
    records.set(await valueIn(page, 'Name'), await valueIn(page, 'Value'))
    await lookAt(page, 'sso-setup-domain')
    await button(page, 'Check now').click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Acme login' }).click()
    await button(page, 'Next step').click()
    await button(page, 'Activate').click()
    await page.getByText('The connection is active.').first().waitFor()
    // The link opens nothing else.
    await page.goto(`${server.url}/organization/settings/single-sign-on`)
    await page.locator('input[name="identifier"]').waitFor()
  })

  it('a user of the domain is led to the identity provider, signs in, and is a member', async () => {
    const page = await device()
    await page.goto(`${server.url}/sign-in`)
    await enterIdentifier(page, 'grace@example.com')
    await page.getByText('Your organization has single sign-on.').waitFor()
    await page.locator('input[name="password"]').waitFor()
    await lookAt(page, 'sso-sign-in')
    await button(page, 'Continue with Acme Example').click()
    await agree(page, 'grace')
    await heading(page, 'Profile').waitFor()
    member = page
    expect(await members()).toEqual(['grace@example.com', 'olga@owner.example'])
    await page.goto(`${server.url}/organization/members`)
    await page.getByText('Acme Example').first().waitFor()
    // A link to the identity provider asks before it signs in.
    const other = await device()
    const id = new URL(callbacks[0]!).pathname.split('/').at(-1)
    await other.goto(`${server.url}/sign-in/organization?connection=${id}`)
    await heading(other, 'Sign in to Acme Example?').waitFor()
    await lookAt(other, 'sso-confirm')
  })

  it('the owner makes it the only way to sign in', async () => {
    await owner.reload()
    await owner.getByText('Passed', { exact: true }).waitFor()
    await owner.getByLabel('Single sign-on only').check()
    await button(owner, 'Save the rules').click()
    await owner.getByText('Choose an owner with emergency access.').waitFor()
    await owner.getByLabel('Olga Owner (olga@owner.example)').check()
    await button(owner, 'Save the rules').click()
    await owner.getByText('The rules have been saved.').waitFor()
    await lookAt(owner, 'sso-settings-active')
    await owner.getByRole('link', { name: 'Acme login' }).click()
    await heading(owner, 'Attributes and groups').waitFor()
    await lookAt(owner, 'sso-connection')
    const page = await device()
    await page.goto(`${server.url}/sign-in`)
    await enterIdentifier(page, 'grace@example.com')
    await page.getByText('Your organization requires single sign-on.').waitFor()
    await expect.poll(() => page.locator('input[name="password"]').count()).toBe(0)
    await lookAt(page, 'sso-required')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.locator('input[name="identifier"]').waitFor()
    expect(complaints).toEqual([])
  })

  it('the directory of the identity provider removes the user, whose session ends', async () => {
    const url = await valueIn(owner, 'Base URL (SCIM)')
    await button(owner, 'Create a token').click()
    await heading(owner, 'Your new token').waitFor()
    const token = await dialog(owner).locator('code').innerText()
    await lookAt(owner, 'sso-directory-token')
    await button(owner, 'I have saved it').click()
    const scim = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
      const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json()) as { id: string; active: boolean } }
    }
    const created = await scim('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'grace@example.com',
      emails: [{ value: 'grace@example.com', primary: true }],
      active: true,
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    expect(await members()).toEqual(['grace@example.com', 'olga@owner.example'])
    const removed = await scim('PATCH', `/Users/${created.body.id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    })
    expect(removed).toMatchObject({ status: 200, body: { active: false } })
    await member.goto(`${server.url}/account/profile`)
    await member.locator('input[name="identifier"]').waitFor()
    expect(await members()).toEqual(['olga@owner.example'])
  })

  it('the audit log of the organization shows it', async () => {
    const { entries } = await read<{ entries: { action: string; actorType: string; actorVia: string | null }[] }>(
      '/organization/audit?limit=200',
    )
    const actions = entries.map(({ action }) => action).reverse()
    for (const action of ['sso.create-setup-link', 'sso.callback', 'sso.update-policy', 'sso.create-directory-token']) {
      expect(actions).toContain(action)
    }
    const connectionId = new URL(callbacks[0]!).pathname.split('/').at(-1)
    expect(entries.filter(({ action }) => action.startsWith('directory.')).reverse()).toMatchObject([
      { action: 'directory.create-user', actorType: 'directory', actorVia: connectionId },
      { action: 'directory.update-user', actorType: 'directory', actorVia: connectionId },
    ])
    expect(actions.filter((action) => action.startsWith('sso.setup.'))).toEqual([
      ...['sso.setup.create-connection', 'sso.setup.update-connection', 'sso.setup.update-connection'],
      ...['sso.setup.add-domain', 'sso.setup.verify-domain', 'sso.setup.update-connection'],
    ])
  })
})

describe('single sign-on with SAML', () => {
  it('goes on while our certificate is replaced, and a sign-out ends at the identity provider', async () => {
    const { id: organizationId } = await ask(owner, '/organization/create', { name: 'Beta', slug: 'beta' })
    await ask(owner, '/organization/set-active', { organizationId })
    const claimed = await ask<{ id: string; record: { name: string; value: string } }>(owner, '/sso/add-domain', {
      domain: 'saml.example',
    })
    records.set(claimed.record.name, claimed.record.value)
    await ask(owner, '/sso/verify-domain', { domainId: claimed.id })
    const { id } = await ask(owner, '/sso/create-connection', { name: 'Beta login', type: 'saml' })
    await owner.goto(`${server.url}/organization/settings/single-sign-on/${id}`)
    const metadataUrl = await valueIn(owner, 'Metadata URL')
    await button(owner, 'Next step').click()
    await owner.getByRole('textbox', { name: 'Address of the metadata' }).fill(samlProvider.metadataUrl)
    // Either metadata or fields.
    await expect.poll(() => owner.getByLabel('Single logout URL (HTTP-Redirect)').count()).toBe(0)
    await lookAt(owner, 'sso-saml-values')
    await button(owner, 'Save').first().click()
    await owner.getByText('The values have been saved. Test them next.').waitFor()
    await button(owner, /^2\. Values/).click()
    await owner.getByText(/\/slo$/).waitFor()
    await owner.getByLabel('Entered by hand').check()
    await expect.poll(() => owner.getByLabel('Single logout URL (HTTP-Redirect)').inputValue()).toMatch(/\/slo$/)
    await expect.poll(() => owner.getByRole('textbox', { name: 'Address of the metadata' }).count()).toBe(0)
    await owner.getByLabel(/^From the address/).check()
    await button(owner, '3. Test').click()
    await samlProvider.trust(metadataUrl)
    await button(owner, 'Test the connection').click()
    await owner.getByText('The last test was successful.').waitFor()
    await button(owner, 'Next step').click()
    await button(owner, 'Activate').click()
    await owner.getByText('The connection is active.').first().waitFor()
    await button(owner, 'Add a new certificate').click()
    await owner.getByText('Does not sign', { exact: true }).waitFor()
    const [former, next] = await certificates()
    await lookAt(owner, 'sso-saml-certificates')
    await button(owner, 'Sign with the second one').click()
    await owner.getByText('The second certificate signs from now on.').waitFor()
    await expect.poll(certificates).toEqual([next, former])
    // samlify has one certificate, the first of the metadata.
    await samlProvider.trust(metadataUrl)
    const page = await device()
    await page.goto(`${server.url}/sign-in`)
    await enterIdentifier(page, 'sam@saml.example')
    await button(page, 'Continue with Beta').click()
    await heading(page, 'Profile').waitFor()
    expect(samlProvider.received).toEqual(['sign-in', 'sign-in'])
    await button(owner, 'Remove the second one').click()
    await dialog(owner).getByRole('button', { name: 'Remove the second one' }).click()
    await expect.poll(certificates).toEqual([next])
    await page.getByRole('button', { name: 'Account: sam@saml.example' }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.locator('input[name="identifier"]').waitFor()
    expect(samlProvider.received.at(-1)).toBe('sign-out')
    await expect.poll(() => page.evaluate("fetch('/api/auth/get-session').then((answer) => answer.json())")).toBe(null)
    expect(complaints).toEqual([])
  })
})

describe('the walk-through', () => {
  it.each(['oidc', 'saml'] as const)('of %s has one solid button in each step, for each provider', async (type) => {
    const { id: organizationId } = await ask(owner, '/organization/create', { name: 'Gamma', slug: `gamma-${type}` })
    await ask(owner, '/organization/set-active', { organizationId })
    const { id: connectionId } = await ask(owner, '/sso/create-connection', { name: 'Gamma login', type })
    const open = () => owner.goto(`${server.url}/organization/settings/single-sign-on/${connectionId}`)
    const solid = () => owner.locator('main .button-primary').filter({ visible: true }).allInnerTexts()
    await open()
    const choice = owner.getByLabel('Identity provider', { exact: true })
    await choice.waitFor()
    for (const value of await choice
      .locator('option')
      .evaluateAll((all) => all.map((one) => one.getAttribute('value')))) {
      await choice.selectOption(value)
      await expect.poll(solid).toEqual(['Next step'])
    }
    await button(owner, 'Next step').click()
    await expect.poll(solid).toEqual(['Save'])
    if (type === 'saml') return
    const { issuer, clientId } = provider
    await ask(owner, '/sso/update-connection', {
      ...{ organizationId, connectionId },
      config: { type, issuer, clientId, authentication: 'private-key-jwt', scopes: [] },
    })
    await open()
    await expect.poll(solid).toEqual(['Test the connection'])
    await button(owner, /^2\. Values/).click()
    await expect.poll(solid).toEqual(['Next step'])
    await owner.getByLabel('Client ID', { exact: true }).fill('another')
    await expect.poll(solid).toEqual(['Save'])
    await owner.getByLabel('Client ID', { exact: true }).fill(clientId)
    await button(owner, 'Next step').click()
    await button(owner, '4. Activate').click()
    await expect.poll(solid).toEqual(['Previous step'])
  })
})
