import { describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  claimsIn,
  codeOf,
  exchange,
  form,
  recordConsent,
  registerClient,
} from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { deleteRows, rowOf } from '../../../testing/rows.ts'
import { updateUsers } from '../../../testing/states.ts'

async function tokenFor(scope: string) {
  const app = new TestApp({ rateLimit: { enabled: false } })
  const device = await signUp(app, { ...alice, name: 'Ada Augusta Lovelace' })
  await device.post('/update-user', { image: 'https://img.example.com/ada.png' })
  const client = await registerClient(device)
  const { body } = await exchange(app, client, codeOf(await agree(device, authorizationRequest(client, { scope }))))
  const userinfo = (authorization = `Bearer ${body.access_token}`) =>
    app.device().get('/oauth2/userinfo', authorization ? { headers: { authorization } } : {})
  return { app, device, client, body, userinfo }
}

describe('GET /oauth2/userinfo', () => {
  it('200: claims by scope; one round trip', async () => {
    const { userinfo, app, body } = await tokenFor('openid profile email')
    const answer = await userinfo()
    expect({ status: answer.status, d1: answer.io.d1![0] }).toEqual({ status: 200, d1: 1 })
    expect(answer.body).toEqual({
      sub: expect.any(String),
      name: 'Ada Augusta Lovelace',
      given_name: 'Ada',
      family_name: 'Augusta Lovelace',
      picture: 'https://img.example.com/ada.png',
      updated_at: expect.any(Number),
      email: alice.email,
      email_verified: false,
    })
    const posted = await app
      .device()
      .post('/oauth2/userinfo', '', { headers: { authorization: `Bearer ${body.access_token}`, origin: '' } })
    expect({ status: posted.status, body: posted.body }).toEqual({ status: 200, body: answer.body })
  })

  it('200: only the granted claims', async () => {
    expect(Object.keys((await (await tokenFor('openid')).userinfo()).body)).toEqual(['sub'])
  })

  it('403 without openid', async () => {
    const { status, body, headers } = await (await tokenFor('email')).userinfo()
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'insufficient_scope' })
    expect(headers.get('www-authenticate')).toContain('scope="openid"')
  })

  it.each([
    ['no header', '', 'invalid_request', 'authorization header not found'],
    ['another scheme', 'Basic abc', 'invalid_token', 'invalid access token'],
    ['an unknown token', 'Bearer bad', 'invalid_token', 'invalid access token'],
  ])('401: %s', async (_what, authorization, error, error_description) => {
    const { userinfo } = await tokenFor('openid')
    const { status, body, headers } = await userinfo(authorization)
    expect({ status, body }).toEqual({ status: 401, body: { error, error_description } })
    // Without a token the challenge contains no error (RFC 6750, section 3.1).
    expect(headers.get('www-authenticate')).toMatch(authorization ? /^Bearer error="/ : /^Bearer$/)
  })

  it('400: a token in the header and in the form or the query (RFC 6750, section 2)', async () => {
    const { app, body, userinfo } = await tokenFor('openid')
    const authorization = `Bearer ${body.access_token}`
    const refused = { status: 400, body: { error: 'invalid_request', error_description: 'more than one access token' } }
    const query = { access_token: body.access_token }
    const asked = await app.device().get('/oauth2/userinfo', { query, headers: { authorization } })
    expect({ status: asked.status, body: asked.body }).toEqual(refused)
    const post = (headers: Record<string, string>) =>
      app
        .device()
        .post('/oauth2/userinfo', `access_token=${body.access_token}`, { headers: { ...form, origin: '', ...headers } })
    const posted = await post({ authorization })
    expect({ status: posted.status, body: posted.body }).toEqual(refused)
    // A token in the form body alone is not accepted: section 2.2 is a SHOULD NOT.
    expect((await post({})).status).toBe(401)
    expect((await userinfo()).status).toBe(200)
  })

  it('401: an id token, a session token and a refresh token are not access tokens', async () => {
    const { userinfo, body, device } = await tokenFor('openid')
    for (const token of [body.id_token, device.cookie('session_token')!.split('.')[0]]) {
      expect((await userinfo(`Bearer ${token}`)).status).toBe(401)
    }
  })

  it('401 an hour later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { userinfo } = await tokenFor('openid')
      vi.setSystemTime(Date.now() + 3_601_000)
      const { status, body } = await userinfo()
      expect({ status, body }).toEqual({
        status: 401,
        body: { error: 'invalid_token', error_description: 'The Access Token expired' },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('401 once its client is disabled, or has gone with its developer', async () => {
    const { userinfo, device, client } = await tokenFor('openid')
    await device.post('/oauth2/update-client', { clientId: client.client_id, disabled: true })
    expect((await userinfo()).status).toBe(401)
    await device.post('/oauth2/update-client', { clientId: client.client_id, disabled: false })
    expect((await userinfo()).status).toBe(200)
    await deleteRows('oauth_applications')
    expect((await userinfo()).status).toBe(401)
  })
})

describe('claims about roles and organizations', () => {
  const claimScopes = ['roles', 'organizations', 'groups'] as const
  const everything = 'openid roles organizations groups'

  async function begin(config: object = { identityProvider: { claimScopes } }) {
    const app = new TestApp({ rateLimit: { enabled: false }, organization: { teams: { enabled: true } }, ...config })
    const device = await signUp(app, alice)
    const client = await registerClient(device)
    const tokens = async (scope: string) => {
      const code = codeOf(await agree(device, authorizationRequest(client, { scope })))
      return (await exchange(app, client, code)).body
    }
    const userinfo = async (token: string) =>
      (await app.device().get('/oauth2/userinfo', { headers: { authorization: `Bearer ${token}` } })).body
    return { app, device, client, tokens, userinfo }
  }

  it('are not offered by default, and a request for them is refused', async () => {
    const { device, client } = await begin({})
    await recordConsent(client)
    const target = await authorize(device, authorizationRequest(client, { scope: everything }))
    expect(target.searchParams.get('error_description')).toBe(
      'The following scopes are invalid: roles, organizations, groups',
    )
    const { body } = await device.get('/.well-known/openid-configuration')
    expect(body.scopes_supported).not.toContain('groups')
  })

  it('are in the id token and in userinfo, for the scopes that were granted alone', async () => {
    const { device, tokens, userinfo } = await begin()
    const { body: acme } = await device.post('/organization/create', { name: 'Acme Inc', slug: 'acme' })
    const { body: team } = await device.post('/organization/create-team', { name: 'Design', organizationId: acme.id })
    const { userId } = await rowOf('members').then((row) => row!)
    await device.post('/organization/add-team-member', { teamId: team.id, userId, organizationId: acme.id })
    await updateUsers({ role: 'user,admin' }, { email: alice.email })
    const all = await tokens(everything)
    const organization = { id: acme.id, slug: 'acme', name: 'Acme Inc', roles: ['owner'] }
    const claims = await userinfo(all.access_token)
    expect(claims.roles).toEqual(['user', 'admin'])
    expect(claims.permissions).toEqual(expect.arrayContaining(['user:ban', 'session:revoke']))
    expect(claims.organizations).toEqual([{ ...organization, teams: expect.arrayContaining(['Design']) }])
    expect(claims.groups).toEqual(expect.arrayContaining(['acme', 'acme:owner', 'acme/Design']))
    const { roles, organizations, groups } = claimsIn(all.id_token)
    expect({ roles, organizations, groups }).toEqual({
      roles: claims.roles,
      organizations: claims.organizations,
      groups: claims.groups,
    })
    const some = await userinfo((await tokens('openid groups')).access_token)
    expect(Object.keys(some).sort()).toEqual(['groups', 'sub'])
    expect(Object.keys(await userinfo((await tokens('openid')).access_token))).toEqual(['sub'])
  })

  it('follow the current state, and end with the configuration', async () => {
    const { device, tokens, userinfo } = await begin()
    const { access_token: token } = await tokens(everything)
    expect(await userinfo(token)).toMatchObject({ roles: ['user'], organizations: [], groups: [] })
    await device.post('/organization/create', { name: 'Acme Inc', slug: 'acme' })
    expect((await userinfo(token)).groups).toContain('acme:owner')
    const later = new TestApp({ rateLimit: { enabled: false } })
    const { body } = await later.device().get('/oauth2/userinfo', { headers: { authorization: `Bearer ${token}` } })
    expect(Object.keys(body)).toEqual(['sub'])
  })

  it('discovery names the scopes and claims', async () => {
    const { device } = await begin()
    const { body } = await device.get('/.well-known/openid-configuration')
    expect(body.scopes_supported).toEqual(expect.arrayContaining([...claimScopes]))
    expect(body.claims_supported).toEqual(expect.arrayContaining(['roles', 'permissions', 'organizations', 'groups']))
  })
})
