import { describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { agree, authorizationRequest, codeOf, exchange, form, registerClient } from '../../../testing/oauth.ts'
import { alice, signUp } from '../../../testing/people.ts'
import { deleteRows } from '../../../testing/rows.ts'

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

  it('401: an id token, a session token and a refresh token are no access tokens', async () => {
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
