import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Device, origin, outcome, TestApp } from '../../../testing/harness.ts'
import { colleague, company } from '../../../testing/organizations.ts'
import { OrganizationIdp } from '../../../testing/outside/organization-idp.ts'
import { count, rowOf, rowsOf } from '../../../testing/rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const options = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

async function linkOf(device: Device, organizationId: string): Promise<string> {
  const { status, body } = await device.post('/sso/create-setup-link', { organizationId })
  expect(status).toBe(200)
  expect(body.url).toMatch(/^http:\/\/localhost:8787\/sso-setup#setup_[A-Za-z]{38}$/)
  return new URL(body.url).hash.slice(1)
}

describe('a set-up link', () => {
  it('connects an identity provider without an account, and does nothing else', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta')
    const admin = await colleague(app, acme, 'Adam', 'admin')
    const foreign = await idp.connect(beta, 'beta.example')
    const refused = await admin.device.post('/sso/create-setup-link', { organizationId: acme.id })
    expect(refused.body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON')
    const token = await linkOf(acme.owner.device, acme.id)
    expect(JSON.stringify(await rowsOf('setup_links'))).not.toContain(token)
    const visitor = app.device()
    const call = (path: string, body: object = {}) => visitor.post(`/sso/setup/${path}`, { token, ...body })
    expect((await call('settings')).body).toMatchObject({ organization: 'ACME', connections: [], domains: [] })
    // The identity provider needs the values of the connection before it has its own.
    const empty = await call('create-connection', { name: 'Later', type: 'saml' })
    expect(empty.body.serviceProvider.entityId).toContain(empty.body.id)
    const early = await call('test-connection', { connectionId: empty.body.id, callbackURL: '/x' })
    expect(early.body.code).toBe('CONNECTION_IS_INCOMPLETE')
    const config = { ...idp.config }
    const group = { roles: [{ group: 'x', role: 'admin' }], defaultRole: 'admin' }
    const created = await call('create-connection', {
      name: 'IdP',
      config,
      clientSecret: idp.clientSecret,
      mapping: { email: null, name: null, groups: 'groups', ...group },
    })
    // What follows from groups is not the link's decision.
    expect(created.body).toMatchObject({ state: 'draft', mapping: { email: null, name: null, groups: 'groups' } })
    const [row] = (await rowsOf('connections')).filter(({ id }) => id === created.body.id)
    expect(row!.mapping).toMatchObject({ roles: [], defaultRole: 'member' })
    const connectionId: string = created.body.id
    const lines = (await acme.owner.device.get('/organization/audit', { query: { organizationId: acme.id } })).body
    const [made] = lines.entries
    expect(made).toMatchObject({
      ...{ action: 'sso.setup.create-connection', actorType: 'visitor', actorId: null, actorVia: 'setup-link' },
      ...{ subjectType: 'connection', subjectId: connectionId, organizationId: acme.id },
      after: { name: 'IdP', state: 'draft', config: { type: 'oidc', issuer: idp.config.issuer } },
    })
    expect(JSON.stringify(lines)).not.toContain(idp.clientSecret)
    expect(JSON.stringify(lines)).not.toContain(token)
    // Other organizations, deletions and other states are out of reach.
    expect((await call('update-connection', { connectionId: foreign, name: 'Mine' })).body.code).toBe(
      'SSO_CONNECTION_NOT_FOUND',
    )
    expect((await call('test-connection', { connectionId: foreign, callbackURL: '/x' })).status).toBe(404)
    expect((await call('update-connection', { connectionId, state: 'disabled' })).status).toBe(400)
    expect((await call('update-connection', { connectionId, state: 'active' })).body.code).toBe(
      'CONNECTION_IS_NOT_TESTED',
    )
    for (const path of ['delete-connection', 'update-policy', 'remove-domain', 'create-setup-link']) {
      expect((await visitor.post(`/sso/${path}`, { token, connectionId })).status).toBeGreaterThanOrEqual(401)
    }
    // Test, domain, activation.
    const started = await call('test-connection', { connectionId, callbackURL: '/sso-setup' })
    const ended = await visitor.get(`/sso/callback/${connectionId}`, { query: idp.authorize(started.body.url) })
    expect(ended.headers.get('location')).toMatch(/\/sso-setup$/)
    const claim = await call('add-domain', { domain: 'example.com' })
    idp.records.set(claim.body.record.name, claim.body.record.value)
    expect((await call('verify-domain', { domainId: claim.body.id })).body.verified).toBe(true)
    expect((await call('update-connection', { connectionId, state: 'active' })).body).toMatchObject({
      state: 'active',
      lastTest: { error: null },
    })
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
    const ada = await rowOf('users', { email: 'ada@example.com' })
    expect(await rowOf('members', { userId: ada!.id })).toMatchObject({ organizationId: acme.id, role: 'member' })
    expect(await count('sessions', { userId: ada!.id })).toBe(1)
  })

  it('is one of an organization, expires, is revoked, counts its requests, and is notified to owners', async () => {
    const app = new TestApp({ ...options, enterprise: { enabled: true, setupLinkRequests: 3 } })
    const acme = await company(app, 'acme')
    const { device } = acme.owner
    const read = async (token: string) => outcome(await app.device().post('/sso/setup/settings', { token }))
    const gone = { status: 404, code: 'SETUP_LINK_NOT_FOUND' }
    const first = await linkOf(device, acme.id)
    const second = await linkOf(device, acme.id)
    expect(await count('setup_links')).toBe(1)
    const mails = (await app.mailbox()).filter(({ subject }) => subject.startsWith('Single sign-on of ACME'))
    expect(mails).toHaveLength(2)
    expect(mails[0]!.text).toContain('A link with which another person can set up single sign-on was created.')
    expect(await read(first)).toEqual(gone)
    expect(await read('setup_guess')).toEqual(gone)
    expect((await read(second)).status).toBe(200)
    const { setupLink } = (await device.get('/sso/settings', { query: { organizationId: acme.id } })).body
    expect(Object.keys(setupLink).sort()).toEqual(['createdAt', 'expiresAt', 'lastUsedAt'])
    await read(second)
    await read(second)
    expect(await read(second)).toEqual({ status: 403, code: 'SETUP_LINK_USED_UP' })
    const third = await linkOf(device, acme.id)
    expect((await device.post('/sso/revoke-setup-link', { organizationId: acme.id })).body).toEqual({ success: true })
    expect(await read(third)).toEqual(gone)
    const fourth = await linkOf(device, acme.id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 1000 })
    expect(await read(fourth)).toEqual(gone)
    await app.runScheduled()
    expect(await count('setup_links')).toBe(0)
  })
})

describe('a changed configuration of an active connection', () => {
  it('is a draft until it is tested and activated', async () => {
    const idp = new OrganizationIdp().install()
    const app = new TestApp(options)
    const acme = await company(app, 'acme')
    const { device } = acme.owner
    const connectionId = await idp.connect(acme, 'example.com')
    const update = (body: object) => device.post('/sso/update-connection', { connectionId, ...body })
    const wrong = await update({ config: { ...idp.config, clientId: 'another' }, clientSecret: 'other' })
    expect(wrong.body).toMatchObject({
      state: 'active',
      lastTest: null,
      config: { clientId: idp.clientId },
      draft: { clientId: 'another' },
    })
    // The tested configuration remains in use.
    expect(await idp.signIn(app.device(), 'ada@example.com')).toBe('/dash')
    expect((await update({ state: 'active' })).body.code).toBe('CONNECTION_IS_NOT_TESTED')
    const started = await device.post('/sso/test-connection', { connectionId, callbackURL: '/settings' })
    expect(new URL(started.body.url).searchParams.get('client_id')).toBe('another')
    expect((await update({ discardsDraft: true })).body).toMatchObject({
      draft: null,
      config: { clientId: idp.clientId },
    })
    // A draft that passes its test replaces the configuration.
    const scopes = ['groups']
    expect((await update({ config: { ...idp.config, scopes } })).body.draft).toMatchObject({ scopes })
    await idp.test(acme, connectionId)
    expect((await update({ state: 'active' })).body).toMatchObject({ draft: null, config: { scopes }, state: 'active' })
    const begun = await app.device().post('/sign-in/sso', { email: 'ada@example.com' })
    expect(new URL(begun.body.url).searchParams.get('scope')).toContain('groups')
    expect(begun.body.url).not.toContain(origin.replace('http', 'https'))
    // Disabled, a connection has no draft: its newest configuration waits for a test.
    await update({ config: { ...idp.config, scopes: [] } })
    const disabled = await update({ state: 'disabled' })
    expect(disabled.body).toMatchObject({ state: 'disabled', draft: null, config: { scopes: [] } })
    expect((await update({ state: 'active' })).body.code).toBe('CONNECTION_IS_NOT_TESTED')
  })
})
