import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { administrator, auditRows, plain, root } from '../../../testing/admins.ts'
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
import { anotherDevice } from '../../../testing/organizations.ts'
import { alice } from '../../../testing/people.ts'
import { count } from '../../../testing/rows.ts'
import { makeSessionsStale } from '../../../testing/states.ts'

const configured = 'https://mail.example.com'
const api = 'https://notes.example.com/v1'
const settings = {
  rateLimit: { enabled: false },
  identityProvider: {
    resources: [{ identifier: configured, scopes: { 'mail:send': 'Send mail' } }],
    scopes: ['extra'],
  },
  mcp: { enabled: true, resource: 'https://tools.example.com/mcp' },
}
const notes = {
  identifier: `${api}/`,
  name: 'Notes',
  scopes: { 'notes:read': 'See your notes', 'notes:write': 'Change your notes' },
  accessTokenExpiresIn: 600,
  introspectedBy: [] as string[],
}

let app: TestApp
/** Another isolate on the same storage. */
let other: TestApp
let boss: Device
let bossId: string
let client: RegisteredClient
let server: RegisteredClient
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  app = new TestApp(settings)
  other = new TestApp(settings, undefined, false)
  ;({ device: boss, id: bossId } = await administrator(app))
  client = await registerClient(boss)
  server = await registerClient(boss)
})
afterEach(() => vi.useRealTimers())

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const create = (more: object = {}) =>
  boss.post('/admin/create-resource', { ...notes, introspectedBy: [server.client_id], ...more })
const listed = async () => (await boss.get('/admin/list-resources')).body.resources
const requestFor = (resource: string, scope = 'openid offline_access notes:read notes:write') =>
  authorizationRequest(client, { scope, resource, prompt: 'consent' })
const tokensFor = async (resource: string, scope?: string) =>
  (await exchange(app, client, codeOf(await agree(boss, requestFor(resource, scope))))).body
const introspect = async (token: string, by: RegisteredClient, at = app) =>
  (await postForm(at, '/oauth2/introspect', { token }, basic(by))).body
const refresh = (refresh_token: string) =>
  postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token }, basic(client))
const errorOf = async (asked: Promise<URL>) => (await asked).searchParams.get('error')

describe('a registered resource', () => {
  it('is known to consent, tokens, introspection, validateToken, agents and documents, in other isolates within 5 s', async () => {
    await other.device().get('/.well-known/openid-configuration')
    const { status, body } = await create()
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { ...notes, identifier: api, introspectedBy: [server.client_id] },
    })
    expect(await listed()).toMatchObject([
      { id: null, identifier: configured },
      { id: body.id, name: 'Notes', identifier: api, tokenFormat: 'opaque', accessTokenExpiresIn: 600 },
    ])
    expect((await authorize(boss, requestFor(api))).pathname).toBe('/consent')
    const consent = (await boss.get('/oauth2/consent')).body
    expect(consent).toMatchObject({ resource: api, scopeWords: notes.scopes })
    const tokens = await tokensFor(api)
    expect(tokens).toMatchObject({ expires_in: 600, scope: 'openid offline_access notes:read notes:write' })
    expect(await introspect(tokens.access_token, server)).toMatchObject({ active: true, aud: api, scope: tokens.scope })
    expect(await app.serverApi().validateToken(api, tokens.access_token)).toMatchObject({ audience: api })
    expect(await app.serverApi().validateToken(configured, tokens.access_token)).toBeNull()
    expect((await boss.get('/agents/resources')).body.resources).toContainEqual({ resource: api, scopes: notes.scopes })
    pass(4)
    const { scopes_supported } = (await other.device().get('/.well-known/openid-configuration')).body
    expect(scopes_supported).toEqual(expect.arrayContaining(['notes:read', 'notes:write', 'mail:send']))
    expect(await introspect(tokens.access_token, server, other)).toMatchObject({ active: true })
    expect((await auditRows()).filter(({ action }: { action: string }) => action === 'create-resource')).toHaveLength(1)
  })

  it('has JWTs that live for an hour at most, with chosen claims whose scopes are granted; an opaque one has none', async () => {
    const { body } = await create({ tokenFormat: 'jwt', claims: ['email', 'name'], accessTokenExpiresIn: null })
    expect(body).toMatchObject({ tokenFormat: 'jwt', claims: ['email', 'name'], accessTokenExpiresIn: null })
    const { access_token: token } = await tokensFor(api, 'openid email notes:read')
    expect(claimsIn(token)).toMatchObject({ aud: api, scope: 'openid email notes:read', email: root.email })
    expect(claimsIn(token)).not.toHaveProperty('name')
    expect(await introspect(token, server)).toMatchObject({ active: true, aud: api })
    expect(await app.serverApi().validateToken(api, token)).toMatchObject({ audience: api })
    const { identifier: _, ...rest } = notes
    const change = { ...rest, id: body.id, introspectedBy: [server.client_id] }
    const shorter = await boss.post('/admin/update-resource', { ...change, accessTokenExpiresIn: 60 })
    expect(shorter.body).toMatchObject({ tokenFormat: 'jwt', claims: [] })
    const next = await tokensFor(api, 'openid email notes:read')
    expect(next.expires_in).toBe(60)
    expect(claimsIn(next.access_token)).not.toHaveProperty('email')
    for (const accessTokenExpiresIn of [3601]) {
      const longer = await boss.post('/admin/update-resource', { ...change, accessTokenExpiresIn })
      const created = await create({ identifier: 'https://b.example', tokenFormat: 'jwt', accessTokenExpiresIn })
      const codes = [longer.body.code, created.body.code]
      expect(codes).toEqual(['INVALID_RESOURCE_LIFETIME', 'INVALID_RESOURCE_LIFETIME'])
    }
  })

  it('only its own clients introspect its tokens, and its scopes are in no token for another resource', async () => {
    await create()
    const tokens = await tokensFor(api)
    const stranger = await registerClient(boss)
    expect(await introspect(tokens.access_token, stranger)).toEqual({ active: false })
    const mail = await tokensFor(configured, 'openid mail:send')
    expect(await introspect(mail.access_token, server)).toEqual({ active: false })
    expect(await errorOf(authorize(boss, requestFor(configured, 'openid notes:read')))).toBe('invalid_scope')
  })

  it('a token loses a scope that the resource loses, and the clients that introspect it change', async () => {
    const { id } = (await create()).body
    const tokens = await tokensFor(api)
    const changes = {
      name: 'Notes 2',
      scopes: { 'notes:read': 'Read' },
      accessTokenExpiresIn: null,
      introspectedBy: [],
    }
    const { status, body } = await boss.post('/admin/update-resource', { id, ...changes })
    expect({ status, body }).toMatchObject({ status: 200, body: { ...changes, identifier: api } })
    expect(await introspect(tokens.access_token, server)).toEqual({ active: false })
    expect((await introspect(tokens.access_token, client)).scope).toBe('openid offline_access notes:read')
    expect((await refresh(tokens.refresh_token)).body).toMatchObject({
      scope: 'openid offline_access notes:read',
      expires_in: 3600,
    })
  })

  it('an agent can have it, and only with its scopes', async () => {
    await create()
    const agent = { name: 'Archivist', purpose: 'Reads notes' }
    const made = await boss.post('/agents/create', { ...agent, access: { [api]: ['notes:read'] } })
    expect(made).toMatchObject({ status: 200, body: { agent: { access: { [api]: ['notes:read'] } } } })
    const refused = await boss.post('/agents/create', { ...agent, access: { [api]: ['mail:send'] } })
    expect(refused.body.code).toBe('INVALID_AGENT_ACCESS')
  })
})

describe('POST /admin/delete-resource', () => {
  it('ends its tokens, refresh tokens and pending codes, and leaves those of other resources', async () => {
    const { id } = (await create()).body
    const tokens = await tokensFor(api)
    const mail = await tokensFor(configured, 'openid mail:send')
    const both = new URLSearchParams(
      authorizationRequest(client, { scope: 'openid offline_access mail:send notes:read', prompt: 'consent' }),
    )
    for (const one of [api, configured]) both.append('resource', one)
    await boss.get(`/oauth2/authorize?${both}`)
    const accepted = await boss.post('/oauth2/consent', { accept: true })
    const code = accepted.status === 200 ? codeOf(new URL(accepted.body.redirectURI)) : ''
    const several = await exchange(app, client, code, { resource: configured })
    expect(several.status).toBe(200)
    const pending = codeOf(await agree(boss, requestFor(api)))
    expect((await boss.post('/admin/delete-resource', { id })).body).toEqual({ success: true })
    expect(await count('oauth_access_tokens')).toBe(1)
    expect(await introspect(tokens.access_token, client)).toEqual({ active: false })
    expect(await app.serverApi().validateToken(api, tokens.access_token)).toBeNull()
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await refresh(several.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await exchange(app, client, pending)).body.error).toBe('invalid_target')
    expect(await errorOf(authorize(boss, requestFor(api)))).toBe('invalid_scope')
    expect((await introspect(mail.access_token, client)).active).toBe(true)
    expect(await listed()).toHaveLength(1)
    expect((await boss.post('/admin/delete-resource', { id })).body.code).toBe('RESOURCE_NOT_FOUND')
    const unchanged = { name: 'N', scopes: {}, accessTokenExpiresIn: null, introspectedBy: [] }
    expect((await boss.post('/admin/update-resource', { id, ...unchanged })).body.code).toBe('RESOURCE_NOT_FOUND')
  })

  it('a token of an isolate that did not know of the deletion is void, and the cron trigger removes it with the resource', async () => {
    const { id } = (await create()).body
    const code = codeOf(await agree(boss, requestFor(api)))
    await other.device().get('/.well-known/openid-configuration')
    await boss.post('/admin/delete-resource', { id })
    const late = await exchange(other, client, code)
    expect(late.status).toBe(200)
    expect(await introspect(late.body.access_token, client)).toEqual({ active: false })
    pass(5)
    expect(await introspect(late.body.access_token, client, other)).toEqual({ active: false })
    pass(86_400)
    await app.runScheduled()
    expect([await count('oauth_access_tokens'), await count('oauth_resources')]).toEqual([0, 0])
  })

  it('the identifier can be registered again', async () => {
    const { id } = (await create()).body
    await boss.post('/admin/delete-resource', { id })
    const again = await create()
    expect(again.status).toBe(200)
    expect(again.body.id).not.toBe(id)
    expect((await introspect((await tokensFor(api)).access_token, server)).active).toBe(true)
  })
})

describe('refusals', () => {
  it.each([
    ['a loopback address', 'http://localhost:3000'],
    ['an address without https', 'http://notes.example.com'],
    ['an address of ours', 'https://localhost:8787/api'],
    ['a fragment', 'https://notes.example.com/#a'],
    ['a user in the address', 'https://a@notes.example.com'],
    ['a text', 'notes'],
    ['another scheme', 'javascript:alert(1)'],
    ['a space', 'urn:example:a b'],
  ])('%s', async (_name, identifier) => {
    expect((await create({ identifier })).body.code).toBe('INVALID_RESOURCE_IDENTIFIER')
  })

  it('an identifier or a scope that is taken', async () => {
    const codeOfCreation = async (more: object) => (await create(more)).body.code
    const urn = 'urn:example:calendar'
    expect((await create({ identifier: urn, scopes: {} })).status).toBe(200)
    const { id } = (await create()).body
    expect(await codeOfCreation({ scopes: {} })).toBe('RESOURCE_EXISTS')
    expect(await codeOfCreation({ identifier: configured, scopes: {} })).toBe('RESOURCE_EXISTS')
    expect(await codeOfCreation({ identifier: settings.mcp.resource, scopes: {} })).toBe('RESOURCE_EXISTS')
    for (const name of ['notes:read', 'mail:send', 'openid', 'extra']) {
      expect(await codeOfCreation({ identifier: 'https://b.example.com', scopes: { [name]: 'A' } })).toBe(
        'RESOURCE_SCOPE_EXISTS',
      )
    }
    const free = (await create({ identifier: 'https://b.example.com', scopes: { b: 'B' } })).body
    const { identifier: _, ...rest } = notes
    const taken = await boss.post('/admin/update-resource', { ...rest, id: free.id })
    expect(taken.body.code).toBe('RESOURCE_SCOPE_EXISTS')
    expect((await boss.post('/admin/update-resource', { ...rest, id })).status).toBe(200)
  })

  it('a caller without the permission, and one whose authentication is old', async () => {
    const user = await plain(app, alice)
    for (const path of ['create', 'update', 'delete'].map((verb) => `/admin/${verb}-resource`)) {
      expect((await user.device.post(path, { id: 'a', ...notes })).status).toBe(403)
    }
    await makeSessionsStale()
    expect((await create()).body.code).toBe('SESSION_IS_NOT_FRESH')
  })
})

describe('the configuration', () => {
  it('has precedence over a resource that was registered earlier', async () => {
    await create()
    const scopes = { 'notes:read': 'Configured' }
    const later = new TestApp(
      { ...settings, identityProvider: { resources: [{ identifier: 'https://later.example.com', scopes }] } },
      undefined,
      false,
    )
    const { resources } = (await (await anotherDevice(later, bossId)).get('/agents/resources')).body
    expect(resources).toEqual([
      { resource: 'https://later.example.com', scopes },
      { resource: api, scopes: { 'notes:write': notes.scopes['notes:write'] } },
    ])
  })
})
