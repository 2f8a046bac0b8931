import { afterEach, expect, it, vi } from 'vitest'
import { auditRows } from '../../testing/admins.ts'
import { TestApp } from '../../testing/harness.ts'
import { company } from '../../testing/organizations.ts'
import { OrganizationIdp } from '../../testing/outside/organization-idp.ts'
import { backEnd } from '../../testing/server-keys.ts'

afterEach(() => vi.restoreAllMocks())

it('a back end manages connections, domains and rules of an organization with a server key', async () => {
  const idp = new OrganizationIdp().install()
  const app = new TestApp({ rateLimit: { enabled: false }, enterprise: { enabled: true } })
  const at = await company(app, 'acme')
  const other = await company(app, 'other')
  const server = await backEnd(app, ['single-sign-on:read', 'single-sign-on:write'])
  const call = async (name: string, input: object = {}, organizationId = at.id) => {
    const { status, body } = await server.call(name, { organizationId, ...input })
    return status === 200 ? body : body.code
  }
  const created = await call('createConnection', { name: 'IdP', config: idp.config, clientSecret: idp.clientSecret })
  expect(created).toMatchObject({ organizationId: at.id, state: 'draft', hasSecret: true })
  expect(JSON.stringify(created)).not.toContain(idp.clientSecret)
  const connectionId = created.id
  expect(await call('updateConnection', { connectionId, state: 'active' })).toBe('CONNECTION_IS_NOT_TESTED')
  // The test is a sign-in of the customer's administrator, with the set-up link.
  const { url } = await call('createSetupLink')
  const token = new URL(url).hash.slice(1)
  const browser = app.device()
  const test = await browser.post('/sso/setup/test-connection', { token, connectionId, callbackURL: '/sso-setup' })
  await browser.get(`/sso/callback/${connectionId}`, { query: idp.authorize(test.body.url) })
  expect(await call('updateConnection', { connectionId, state: 'active', name: 'Acme' })).toMatchObject({
    ...{ state: 'active', name: 'Acme' },
  })
  const domain = await call('addDomain', { domain: 'example.com' })
  const domainId = domain.id
  expect(await call('verifyDomain', { domainId })).toBe('DOMAIN_RECORD_NOT_FOUND')
  idp.records.set(domain.record.name, domain.record.value)
  expect(await call('verifyDomain', { domainId })).toMatchObject({ verified: true })
  expect(await call('updateDomain', { domainId, connectionId })).toMatchObject({ connectionId })
  const rules = { allowedMethods: [], requiresSecondFactor: false, joinsAutomatically: true }
  expect(await call('updateSignInPolicy', { ...rules, breakGlass: [] })).toBe('BREAK_GLASS_OWNER_IS_REQUIRED')
  const policy = await call('updateSignInPolicy', { ...rules, breakGlass: [at.ownerMember] })
  expect(policy).toMatchObject({ allowedMethods: [], breakGlass: [at.ownerMember] })
  expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
  expect(await call('getSingleSignOn')).toMatchObject({
    connections: [{ id: connectionId, state: 'active' }],
    domains: [{ id: domainId, verified: true }],
    policy: { allowedMethods: [] },
    setupLink: { lastUsedAt: expect.any(String) },
  })
  // Nothing of one organization can be changed through another one, or through one that does not exist.
  for (const [name, input] of [
    ['updateConnection', { connectionId, name: 'x' }],
    ['deleteConnection', { connectionId }],
    ['updateDomain', { domainId, connectionId }],
    ['removeDomain', { domainId }],
  ] as const) {
    expect(await call(name, input, other.id)).toMatch(/_NOT_FOUND$/)
  }
  for (const [name, input] of [
    ['getSingleSignOn', {}],
    ['createConnection', { name: 'x', type: 'saml' }],
    ['addDomain', { domain: 'example.org' }],
    ['updateSignInPolicy', { ...rules, allowedMethods: null, breakGlass: [] }],
    ['createSetupLink', {}],
  ] as const) {
    expect({ name, code: await call(name, input, 'none') }).toEqual({ name, code: 'ORGANIZATION_NOT_FOUND' })
  }
  expect(await call('updateSignInPolicy', { ...rules, allowedMethods: null, breakGlass: [] })).toMatchObject({
    allowedMethods: null,
  })
  expect(await call('removeDomain', { domainId })).toEqual({ success: true })
  expect(await call('deleteConnection', { connectionId })).toEqual({ success: true })
  const reader = await backEnd(app, ['single-sign-on:read'])
  expect((await reader.call('getSingleSignOn', { organizationId: at.id })).body).toMatchObject({ connections: [] })
  expect((await reader.call('addDomain', { organizationId: at.id, domain: 'x.example' })).status).toBe(403)
  const records = (await auditRows()).filter(({ actor_type }) => actor_type === 'server-key')
  expect(records.length).toBeGreaterThan(8)
  expect(new Set(records.map(({ organization_id }) => organization_id))).toEqual(new Set([at.id]))
})
