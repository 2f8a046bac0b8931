import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator, plain } from '../../../testing/admins.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  claimsIn,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../../testing/oauth.ts'
import { anotherDevice, type Company, colleague, company } from '../../../testing/organizations.ts'
import { alice } from '../../../testing/people.ts'
import { insertRows, rowsOf } from '../../../testing/rows.ts'
import { makeSessionsStale } from '../../../testing/states.ts'

const configured = 'https://mail.example.com'
const settings = {
  rateLimit: { enabled: false },
  identityProvider: {
    resources: [{ identifier: configured, scopes: { 'mail:send': 'Send mail' } }],
    resourcesPerOrganization: 2,
  },
}
const files = {
  ...{ identifier: 'files', name: 'Files', scopes: { read: 'See files' } },
  ...{ accessTokenExpiresIn: null, introspectedBy: [] as string[] },
}

let app: TestApp
let acme: Company
let client: RegisteredClient
let server: RegisteredClient
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  app = new TestApp(settings)
  acme = await company(app, 'acme')
  client = await registerClient(acme.owner.device)
  server = await registerClient(acme.owner.device)
})
afterEach(() => vi.useRealTimers())

const create = (at: Company, more: object = {}, device = at.owner.device) =>
  device.post('/organization/create-resource', { ...files, organizationId: at.id, ...more })
const codeOfCreation = async (at: Company, more: object) => (await create(at, more)).body.code
const urnOf = (at: Company, name = 'files') => `urn:gatehouse:organization:${at.id}:${name}`
const requestFor = (resource: string, scope: string) =>
  authorizationRequest(client, { scope, resource, prompt: 'consent' })
const tokensOf = async (device: Device, resource: string, scope: string) =>
  (await exchange(app, client, codeOf(await agree(device, requestFor(resource, scope))))).body
const introspect = async (token: string, at = app) =>
  (await postForm(at, '/oauth2/introspect', { token }, basic(server))).body
const verifiedDomain = (at: Company, domain: string) =>
  insertRows('organization_domains', {
    ...{ id: domain, organizationId: at.id, domain, token: 't', verifiedAt: new Date() },
    ...{ checkedAt: new Date(), createdAt: new Date() },
  })

describe('a resource of an organization', () => {
  it('has names that contain the id of the organization, and only members get tokens for it', async () => {
    const { status, body } = await create(acme, { introspectedBy: [server.client_id] })
    const urn = urnOf(acme)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { identifier: urn, organizationId: acme.id, scopes: { [`${urn}:read`]: 'See files' } },
    })
    const scope = `openid offline_access ${urn}:read`
    const member = await colleague(app, acme, 'Carol')
    await authorize(member.device, requestFor(urn, scope))
    const question = (await member.device.get('/oauth2/consent')).body
    expect(question).toMatchObject({ organizations: ['ACME'], scopeWords: { [`${urn}:read`]: 'See files' } })
    const tokens = await tokensOf(member.device, urn, scope)
    expect(tokens.scope).toBe(scope)
    expect(await introspect(tokens.access_token)).toMatchObject({ active: true, aud: urn })
    const stranger = await plain(app, alice)
    const refused = await authorize(stranger.device, requestFor(urn, scope))
    expect(refused.searchParams.get('error')).toBe('access_denied')
    // The deployment's documents do not name it, and agents can have it for members only.
    const { scopes_supported } = (await stranger.device.get('/.well-known/openid-configuration')).body
    expect(scopes_supported).toContain('mail:send')
    expect(JSON.stringify(scopes_supported)).not.toContain(acme.id)
    const known = async (device: Device) => JSON.stringify((await device.get('/agents/resources')).body)
    expect([(await known(member.device)).includes(urn), (await known(stranger.device)).includes(urn)]).toEqual([
      ...[true, false],
    ])
    // The end of the membership ends access and refresh tokens.
    const removal = { memberIdOrEmail: member.member, organizationId: acme.id }
    expect((await acme.owner.device.post('/organization/remove-member', removal)).status).toBe(200)
    expect(await introspect(tokens.access_token)).toEqual({ active: false })
    expect(await app.serverApi().validateToken(urn, tokens.access_token)).toBeNull()
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await postForm(app, '/oauth2/token', form, basic(client))).body.error).toBe('invalid_grant')
  })

  it('a code of a member who leaves before its exchange gives nothing', async () => {
    const urn = (await create(acme)).body.identifier
    const member = await colleague(app, acme, 'Carol')
    const code = codeOf(await agree(member.device, requestFor(urn, `openid ${urn}:read`)))
    await member.device.post('/organization/leave', { organizationId: acme.id })
    expect((await exchange(app, client, code)).body.error).toBe('invalid_grant')
  })

  it('at an address of a verified domain, as JWTs with the claims whose scopes are granted', async () => {
    await verifiedDomain(acme, 'acme.example')
    const identifier = 'https://api.acme.example/files'
    const made = await create(acme, { identifier, tokenFormat: 'jwt', claims: ['email', 'name'] })
    expect(made.body).toMatchObject({ identifier, scopes: { [`${identifier}/read`]: 'See files' }, tokenFormat: 'jwt' })
    const { access_token } = await tokensOf(acme.owner.device, identifier, `openid email ${identifier}/read`)
    const claims = claimsIn(access_token)
    expect(claims).toMatchObject({ aud: identifier, email: acme.owner.email, scope: `openid email ${identifier}/read` })
    expect(claims).not.toHaveProperty('name')
    expect(claims).not.toHaveProperty('email_verified')
  })

  it('is changed, listed and deleted by its organization; an administrator sees and deletes it', async () => {
    const { id, identifier } = (await create(acme)).body
    const { identifier: _, ...rest } = files
    const device = acme.owner.device
    const change = { ...rest, id, organizationId: acme.id, scopes: { write: 'Change files' } }
    const changed = await device.post('/organization/update-resource', change)
    expect(changed.body).toMatchObject({ identifier, scopes: { [`${identifier}:write`]: 'Change files' } })
    const list = () => device.get('/organization/list-resources', { query: { organizationId: acme.id } })
    expect((await list()).body).toMatchObject({ limit: 2, resources: [{ id, name: 'Files' }] })
    const boss = (await administrator(app)).device
    const { resources } = (await boss.get('/admin/list-resources')).body
    expect(resources).toContainEqual(expect.objectContaining({ id, organization: { id: acme.id, name: 'ACME' } }))
    expect((await boss.post('/admin/update-resource', { ...rest, id })).body.code).toBe('RESOURCE_NOT_FOUND')
    const service = await boss.post('/admin/create-service', {
      name: 'S',
      access: { [identifier]: [`${identifier}:write`] },
    })
    expect(service.body.code).toBe('INVALID_SERVICE_ACCESS')
    expect((await boss.post('/admin/delete-resource', { id })).status).toBe(200)
    expect((await list()).body.resources).toEqual([])
    const again = (await create(acme)).body.id
    expect((await device.post('/organization/delete-resource', { id: again, organizationId: acme.id })).body).toEqual({
      success: true,
    })
    const actions = (await rowsOf('audit_records')).filter(({ subjectType }) => subjectType === 'resource')
    expect(actions.map(({ action, organizationId }) => [action, organizationId])).toEqual([
      ['create-resource', acme.id],
      ['update-resource', acme.id],
      ['delete-resource', null],
      ['create-resource', acme.id],
      ['delete-resource', acme.id],
    ])
  })

  it('ends with its organization', async () => {
    const { identifier } = (await create(acme, { introspectedBy: [server.client_id] })).body
    const device = acme.owner.device
    const tokens = await tokensOf(device, identifier, `openid offline_access ${identifier}:read`)
    expect((await device.post('/organization/delete', { organizationId: acme.id })).status).toBe(200)
    const [row] = await rowsOf('oauth_resources')
    expect(row).toMatchObject({ scopes: {}, introspectedBy: [], deletedAt: expect.any(Date) })
    expect(await rowsOf('oauth_access_tokens')).toEqual([])
    expect(await introspect(tokens.access_token)).toEqual({ active: false })
  })

  it('is not accepted without the option', async () => {
    const { identifier } = (await create(acme)).body
    const { access_token } = await tokensOf(acme.owner.device, identifier, `openid ${identifier}:read`)
    const off = { ...settings, identityProvider: { ...settings.identityProvider, resourcesPerOrganization: 0 } }
    app = new TestApp(off, undefined, false)
    expect(await app.serverApi().validateToken(identifier, access_token)).toBeNull()
    const device = await anotherDevice(app, acme.owner.id)
    const refused = await authorize(device, requestFor(identifier, 'openid'))
    expect(refused.searchParams.get('error')).toBe('invalid_target')
    expect((await create(acme, { identifier: 'more' }, device)).body.code).toBe('RESOURCE_LIMIT_REACHED')
  })
})

describe('refusals', () => {
  it('a name of the deployment or of another organization', async () => {
    const other = await company(app, 'other')
    await verifiedDomain(other, 'other.example')
    const cases: [string, string][] = [
      ['https://api.acme.example', 'RESOURCE_DOMAIN_NOT_VERIFIED'],
      ['https://api.other.example', 'RESOURCE_DOMAIN_NOT_VERIFIED'],
      [configured, 'RESOURCE_EXISTS'],
      ['https://localhost:8787/api', 'INVALID_RESOURCE_IDENTIFIER'],
      [urnOf(other), 'INVALID_RESOURCE_IDENTIFIER'],
      ['urn:example:files', 'INVALID_RESOURCE_IDENTIFIER'],
      ['Files', 'INVALID_RESOURCE_IDENTIFIER'],
      ['a/b', 'INVALID_RESOURCE_IDENTIFIER'],
    ]
    for (const [identifier, code] of cases) {
      expect([identifier, await codeOfCreation(acme, { identifier })]).toEqual([identifier, code])
    }
    // The parent of a verified domain is not verified, nor a domain with the same end.
    for (const identifier of ['https://example', 'https://another.example', 'https://notother.example']) {
      expect(await codeOfCreation(other, { identifier })).toBe('RESOURCE_DOMAIN_NOT_VERIFIED')
    }
    expect((await create(other, { identifier: 'https://other.example' })).status).toBe(200)
    const again = { identifier: 'https://other.example' }
    expect(await codeOfCreation(other, again)).toBe('RESOURCE_EXISTS')
    const boss = (await administrator(app)).device
    const taken = await boss.post('/admin/create-resource', { ...files, identifier: urnOf(acme) })
    expect(taken.body.code).toBe('INVALID_RESOURCE_IDENTIFIER')
    // A scope of the deployment becomes another one with the prefix.
    const { scopes } = (await create(acme, { scopes: { 'mail:send': 'Send mail', openid: 'Sign in' } })).body
    expect(Object.keys(scopes)).toEqual([`${urnOf(acme)}:mail:send`, `${urnOf(acme)}:openid`])
  })

  it('a member without the permission, a manager of another organization, and an old authentication', async () => {
    const { id } = (await create(acme)).body
    const member = await colleague(app, acme, 'Carol')
    const { identifier: _, ...rest } = files
    const paths: [string, object][] = [
      ['create-resource', files],
      ['update-resource', { ...rest, id }],
      ['delete-resource', { id }],
    ]
    const other = await company(app, 'other')
    for (const [path, body] of paths) {
      const asked = await member.device.post(`/organization/${path}`, { ...body, organizationId: acme.id })
      expect(asked.body.code).toBe('YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION')
      const outside = await other.owner.device.post(`/organization/${path}`, { ...body, organizationId: acme.id })
      expect(outside.body.code).toBe('USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION')
      if (path === 'create-resource') continue
      const foreign = await other.owner.device.post(`/organization/${path}`, { ...body, organizationId: other.id })
      expect(foreign.body.code).toBe('RESOURCE_NOT_FOUND')
    }
    const listed = await member.device.get('/organization/list-resources', { query: { organizationId: acme.id } })
    expect(listed.status).toBe(403)
    await makeSessionsStale()
    expect(await codeOfCreation(acme, {})).toBe('SESSION_IS_NOT_FRESH')
  })

  it('more than the organization may have; more than all organizations, which takes no place of the deployment', async () => {
    const at = new Date()
    const rows = (count: number, organizationId: string | null) =>
      Array.from({ length: count }, (_, n) => ({
        ...{ id: `${organizationId}${n}`, identifier: `https://${organizationId}${n}.example`, name: 'R', scopes: {} },
        ...{ organizationId, introspectedBy: [], createdAt: at, updatedAt: at },
      }))
    for (const identifier of ['one', 'two']) expect((await create(acme, { identifier })).status).toBe(200)
    expect(await codeOfCreation(acme, { identifier: 'three' })).toBe('RESOURCE_LIMIT_REACHED')
    await insertRows('oauth_resources', ...rows(98, 'others'))
    const other = await company(app, 'other')
    expect(await codeOfCreation(other, {})).toBe('RESOURCE_LIMIT_REACHED')
    const boss = (await administrator(app)).device
    await insertRows('oauth_resources', ...rows(199, null))
    const last = { ...files, identifier: 'https://last.example', scopes: {} }
    const { id } = (await boss.post('/admin/create-resource', last)).body
    const beyond = { ...last, identifier: 'https://beyond.example' }
    expect((await boss.post('/admin/create-resource', beyond)).body.code).toBe('RESOURCE_LIMIT_REACHED')
    expect((await boss.get('/admin/list-resources')).body.resources).toHaveLength(301)
    // A deleted one counts for a day.
    await boss.post('/admin/delete-resource', { id })
    expect((await boss.post('/admin/create-resource', beyond)).body.code).toBe('RESOURCE_LIMIT_REACHED')
    vi.setSystemTime(Date.now() + 86_401_000)
    await app.runScheduled()
    await makeSessionsStale(new Date())
    expect((await boss.post('/admin/create-resource', beyond)).status).toBe(200)
  })
})
