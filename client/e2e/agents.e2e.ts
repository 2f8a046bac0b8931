import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  demoProviders,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../../worker/testing/outside/openid-provider.ts'
import { startServer, type TestServer } from '../../worker/testing/server.ts'
import { enterIdentifier, expectAccessible, type OpenBrowser, openBrowser, openDevice } from './browser.ts'
import { lookAt } from './look-at.ts'

let provider: OpenIdProvider
let server: TestServer
let chrome: OpenBrowser
let page: Page

const alice = { name: 'Alice Archer', email: 'alice@example.com', password: 'password-of-alice' }
const shop = 'https://shop.example.com'
const resource = { identifier: shop, scopes: { read: 'See your orders', order: 'Order for you' } }
const longName = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const far = {
  identifier: 'https://archive.of-a-very-long-department-name.example.com/a/long/path/to/the/service',
  scopes: { 'archive:read': 'See every document in the archive of your department, with its earlier versions' },
  tokenFormat: 'jwt' as const,
}
const ciTokens = { issuer: 'https://token.actions.githubusercontent.com', claims: { repository: 'acme/shop' } }
const payment = {
  ...{ type: 'payment', resource: shop, scope: 'order' },
  fields: { amount: { kind: 'number' as const, max: 500 }, to: { kind: 'text' as const } },
  sentence: { en: 'pay at most {amount} EUR to {to}' },
}

beforeAll(async () => {
  let application = ''
  const names = { 'demo-google': 'Google' }
  provider = await startOpenIdProvider({ application: () => application, providerIds: Object.keys(names) })
  server = await startServer({
    vars: { ADMIN_EMAILS: alice.email },
    config: {
      accessIdentity: { team: 'acme', audience: 'a'.repeat(64) },
      genericOAuth: demoProviders(provider, names),
      account: { accountLinking: { allowDifferentEmails: true } },
      identityProvider: {
        resources: [resource, far],
        resourcesPerOrganization: 1,
        services: [
          { clientId: 'invoice-job', clientSecret: 'at least 32 characters of a secret', access: { [shop]: ['read'] } },
          {
            clientId: 'ci',
            name: longName,
            workloads: [ciTokens],
            access: { [far.identifier]: ['archive:read'] },
            requireDPoP: true,
          },
        ],
        agentProviders: { 'demo-google': {} },
        authorizationDetailTypes: [payment],
      },
    },
  })
  application = server.url
  chrome = await openBrowser()
  ;({ page } = await openDevice(chrome.browser))
  await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify(alice),
  })
})

afterAll(async () => {
  await chrome?.close()
  await server?.close()
  await provider?.close()
})

it('a user creates an agent, sees its secret once, pauses, resumes and revokes it', async () => {
  const dialog = page.getByRole('dialog')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto(`${server.url}/sign-in?callbackURL=/account/agents`)
  await page.getByRole('button', { name: 'Continue with Cloudflare Access' }).waitFor()
  await lookAt(page, 'sign-in-access')
  await enterIdentifier(page, alice.email)
  await page.getByLabel('Password', { exact: true }).fill(alice.password)
  await page
    .locator('form')
    .getByRole('button', { name: /^Sign in/ })
    .click()
  await page.getByText('No agents yet.').waitFor()
  await expectAccessible(page)
  await button('Create an agent').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Buyer')
  await dialog.getByLabel(/^What is it for/).fill('Orders office supplies')
  await dialog.getByRole('button', { name: 'Create an agent' }).click()
  await page.getByText('Choose at least one permission.').waitFor()
  await dialog.getByLabel(/^See your orders/).check()
  await dialog.getByLabel(/^Address for notifications/).fill('http://agent.example.com')
  await dialog.getByRole('button', { name: 'Create an agent' }).click()
  await dialog.getByText('Notifications of an agent need a public https address without a fragment.').waitFor()
  await dialog.getByLabel(/^Address for notifications/).fill('https://agent.example.com/answered')
  await lookAt(page, 'agent-form')
  await dialog.getByRole('button', { name: 'Create an agent' }).click()
  await page.getByText('Copy the secret now. It is not shown again.').waitFor()
  await expectAccessible(page)
  await lookAt(page, 'agent-secret')
  await button('Done').click()
  await page.getByText('Orders office supplies').waitFor()
  await expectAccessible(page)
  await lookAt(page, 'agents')
  await button('Pause').click()
  await page.getByText('Buyer is paused.').waitFor()
  await button('Resume').click()
  await page.getByText('Buyer is active again.').waitFor()
  await button('Activity').click()
  await dialog.getByText('Resumed').waitFor()
  await expectAccessible(page)
  await lookAt(page, 'agent-activity')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  // The user links an account, lets the agent use it, and ends that.
  await page.goto(`${server.url}/account/accounts`)
  await page.getByRole('button', { name: 'Link Google' }).click()
  await page.locator('input[name="login"]').fill('alice')
  await page.locator('input[name="password"]').fill('any')
  await page.locator('button[type="submit"]').click()
  await page.locator('form button[type="submit"]').click()
  await page.getByRole('button', { name: 'Unlink Google' }).waitFor()
  await page.goto(`${server.url}/account/agents`)
  await page.getByText('No agent may use your accounts elsewhere.').waitFor()
  await button('Allow an account').click()
  await dialog.getByText('Read your email address').waitFor()
  await lookAt(page, 'agent-provider-form')
  await dialog.getByRole('button', { name: 'Allow an account' }).click()
  await page.getByText('Buyer may use Google.').waitFor()
  await lookAt(page, 'agent-providers')
  await button('End the access of Buyer to Google?').click()
  await dialog.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('No agent may use your accounts elsewhere.').waitFor()
  await button('Revoke').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked', { exact: true }).waitFor()
  await expect.poll(() => button('Pause').count()).toBe(0)
})

it('a request of an agent arrives in the open app, shows what it is for, and is approved', async () => {
  const body = { name: 'Payer', purpose: 'Pays for paper', access: { [shop]: ['order'] } }
  const made = await page.evaluate(async (given) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/api/auth/agents/create', { method: 'POST', headers, body: JSON.stringify(given) })
    return (await answer.json()) as { agent: { clientId: string; userId: string }; clientSecret: string }
  }, body)
  const ask = () =>
    fetch(`${server.url}/api/auth/oauth2/bc-authorize`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${made.agent.clientId}:${made.clientSecret}`)}` },
      body: new URLSearchParams({
        ...{ scope: 'openid order', resource: shop, login_hint: made.agent.userId, binding_message: 'Order 4711' },
        authorization_details: JSON.stringify([{ type: 'payment', amount: 50, to: 'Paper Ltd' }]),
      }),
    })
  expect((await ask()).status).toBe(200)
  await page.getByText('Payer asks for your approval.').waitFor()
  await lookAt(page, 'approval-banner')
  await page.getByRole('link', { name: 'See the request' }).click()
  await page.getByText(/pay at most 50 EUR to/).waitFor()
  await expect.poll(() => page.getByText(/pay at most 50 EUR to/).getAttribute('dir')).toBe('auto')
  await page.getByText(/“Order 4711”/).waitFor()
  await lookAt(page, 'approvals')
  // Until the list is read again, the answered request has no button that works.
  let readList = () => {}
  const held = new Promise<void>((resolve) => {
    readList = resolve
  })
  await page.route('**/approvals/list', (route) => held.then(() => route.continue()))
  const answers: string[] = []
  page.on('request', (request) => {
    if (/\/approvals\/(approve|deny)$/.test(request.url())) answers.push(request.url())
  })
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Approved. Payer continues.').waitFor()
  for (const name of ['Approve', 'Deny']) await page.getByRole('button', { name, exact: true }).press('Enter')
  readList()
  await page.getByRole('button', { name: 'Deny', exact: true }).waitFor({ state: 'hidden' })
  expect(answers).toHaveLength(1)
  await page.unroute('**/approvals/list')
  expect((await ask()).status).toBe(200)
  // A message of the page may lie over the button.
  await page.getByRole('button', { name: 'Deny', exact: true }).press('Enter')
  await page.getByText('Denied. Payer receives nothing.').waitFor()
  await lookAt(page, 'approvals-answered')
})

/** Sends a request of the signed-in user. */
const post = <T>(path: string, body: object) =>
  page.evaluate(
    async ([to, given]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/api/auth${to}`, { method: 'POST', headers, body: given as string })
      if (!answer.ok) throw new Error(await answer.text())
      return await answer.json()
    },
    [path, JSON.stringify(body)],
  ) as Promise<T>

it('owners manage the agents of their organization, members allow them, administrators see all and revoke one', async () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const { id } = await post<{ id: string }>('/organization/create', { name: longName, slug: 'acme' })
  await post('/organization/set-active', { organizationId: id })
  await page.goto(`${server.url}/organization/agents`)
  await page.getByText('No agents yet.').waitFor()
  await button('Create an agent').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Archivist')
  await dialog.getByLabel(/^What is it for/).fill('Files the documents of the day')
  await dialog.getByLabel(/^See every document/).check()
  await dialog.getByRole('button', { name: 'Create an agent' }).click()
  await button('Done').click()
  await page.getByText('Files the documents of the day').waitFor()
  await lookAt(page, 'organization-agents')
  await page.goto(`${server.url}/account/agents`)
  await page.getByRole('heading', { name: 'Agents of your organizations' }).waitFor()
  await button('Allow').click()
  await page.getByText('Archivist may act for you.').waitFor()
  await lookAt(page, 'shared-agents')
  const database = await server.database()
  await database.prepare("update users set role = 'admin', email_verified = 1").run()
  for (const language of ['de', 'ar', 'en']) {
    await page.evaluate(`localStorage.setItem('language', '${language}')`)
    for (const [path, shown] of [
      ['/admin/agents', 'Archivist'],
      ['/admin/resources', 'invoice-job'],
    ] as const) {
      await page.goto(server.url + path)
      await page.getByText(shown, { exact: true }).first().waitFor()
      await lookAt(page, `${path.slice(7)}-${language}`)
    }
  }
  await page.goto(`${server.url}/admin/agents`)
  await page.getByRole('searchbox').fill('no agent has this name')
  await page.getByText('No agent matches.').waitFor()
  await page.getByRole('searchbox').fill(longName.slice(0, 20).toLowerCase())
  await page.getByText('Buyer').waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: 'Archivist' })
  await row.getByRole('button', { name: 'Activity' }).click()
  await dialog.getByText('Created', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row.getByRole('button', { name: 'Revoke', exact: true }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Archivist is revoked.').waitFor()
})

it('administrators register, change and delete a resource', async () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await page.goto(`${server.url}/admin/resources`)
  await button('Add a resource').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Notes')
  await dialog.getByLabel('Identifier').fill('http://notes.example.com')
  await dialog.getByLabel(/^Permissions/).fill('notes:read See your notes\nnotes:write')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await dialog.getByText('Add a sentence to this line: notes:write').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel(/^Permissions/).fill('notes:read See your notes')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await dialog.getByText('Enter an https:// address of another host, or a URN.').waitFor()
  await lookAt(page, 'create-resource')
  await dialog.getByLabel('Identifier').fill('https://notes.example.com')
  await dialog.getByLabel('Tokens', { exact: true }).selectOption('jwt')
  await dialog.getByLabel('email', { exact: true }).check()
  await lookAt(page, 'create-resource-jwt')
  await dialog.getByLabel('Lifetime of tokens').selectOption('10 minutes')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await page.getByText('Notes is saved.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'https://notes.example.com' })
  await row.getByText('See your notes').waitFor()
  await lookAt(page, 'registered-resource')
  await button('Actions for Notes').click()
  await button('Change').click()
  await expect.poll(() => dialog.getByLabel(/^Permissions/).inputValue()).toBe('notes:read See your notes')
  await expect.poll(() => dialog.getByLabel('email', { exact: true }).isChecked()).toBe(true)
  await dialog.getByLabel(/^Permissions/).fill('notes:read Read your notes')
  await button('Save').click()
  await row.getByText('Read your notes').waitFor()
  await button('Actions for Notes').click()
  await button('Delete').click()
  await dialog.getByText('All tokens for this resource end immediately.').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Notes is deleted.').waitFor()
  await row.waitFor({ state: 'detached' })
})

it('administrators register a service, see its secret once, replace it, pause and delete the service', async () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const act = async (name: string) => {
    await button('Actions for Importer').click()
    await button(name).click()
  }
  await page.goto(`${server.url}/admin/resources`)
  await button('Add a service').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Importer')
  await dialog.getByRole('button', { name: 'Add a service' }).click()
  await dialog.getByText('Choose at least one permission.').waitFor()
  await dialog.getByLabel(/^See your orders/).check()
  await lookAt(page, 'create-service')
  await dialog.getByRole('button', { name: 'Add a service' }).click()
  await dialog.getByText('Copy the secret now. It is not shown again.').waitFor()
  await lookAt(page, 'service-secret')
  await button('Done').click()
  await act('New secret')
  await lookAt(page, 'rotate-secret')
  await dialog.getByRole('button', { name: 'New secret' }).click()
  await button('Done').click()
  const row = page.getByRole('row').filter({ hasText: 'Importer' })
  await row.getByText(/^Earlier secret ends/).waitFor()
  await act('Pause')
  await row.getByText('Paused', { exact: true }).waitFor()
  await lookAt(page, 'services')
  await act('Resume')
  await row.getByText('Paused', { exact: true }).waitFor({ state: 'detached' })
  await act('Change')
  await dialog.getByLabel(/^Order for you/).check()
  await button('Save').click()
  await row.getByText('read, order').waitFor()
  await act('Delete')
  await dialog.getByText(/^The service gets no more tokens/).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
})

it('owners register, change and delete a resource of their organization', async () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await page.goto(`${server.url}/organization/resources`)
  await page.getByText('There are no resources yet.').waitFor()
  await button('Add a resource').click()
  await dialog.getByLabel('Name', { exact: true }).fill('Files')
  await dialog.getByLabel('Identifier').fill('https://files.example.com')
  await dialog.getByLabel(/^Permissions/).fill('read See your files')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await dialog.getByText('Your organization has not verified the domain of this address.').waitFor()
  await lookAt(page, 'create-organization-resource')
  await dialog.getByLabel('Identifier').fill('files')
  await dialog.getByRole('button', { name: 'Add a resource' }).click()
  await page.getByText('Files is saved.').waitFor()
  // The maximum of this deployment is one.
  await button('Add a resource').waitFor({ state: 'detached' })
  const row = page.getByRole('row').filter({ hasText: ':files' })
  await row.getByText('See your files').waitFor()
  await lookAt(page, 'organization-resources')
  await button('Actions for Files').click()
  await button('Change').click()
  await expect.poll(() => dialog.getByLabel(/^Permissions/).inputValue()).toBe('read See your files')
  await dialog.getByLabel(/^Permissions/).fill('write Change your files')
  await button('Save').click()
  await row.getByText(/:files:write$/).waitFor()
  await page.goto(`${server.url}/admin/resources`)
  await page.getByText(`Of the organization ${longName}`).waitFor()
  await lookAt(page, 'resources-with-organization')
  await button('Actions for Files').click()
  await expect.poll(() => button('Change').count()).toBe(0)
  await button('Delete').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Files is deleted.').waitFor()
})
