import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcome, TestApp } from '../../../testing/harness.ts'
import { colleague, company } from '../../../testing/organizations.ts'
import { count, rowsOf } from '../../../testing/rows.ts'
import { makeSessionsStale } from '../../../testing/states.ts'

afterEach(() => vi.useRealTimers())

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true }, directory: { maxTokens: 2 } }
const oidc = { type: 'oidc', issuer: 'https://idp.example.org', clientId: 'client' }

describe('directory tokens', () => {
  it('are created once by owners, rotated with an overlap, revoked, capped and deleted after their expiry', async () => {
    const app = new TestApp(on)
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta')
    const admin = await colleague(app, acme, 'Adam', 'admin')
    const { device } = acme.owner
    const connection = { name: 'Okta', config: oidc, clientSecret: 'hush' }
    const connectionId: string = (await device.post('/sso/create-connection', connection)).body.id
    const created = await device.post('/sso/create-directory-token', { connectionId, expiresIn: 86_400 })
    expect(created).toMatchObject({
      status: 200,
      body: { token: expect.stringMatching(/^gh_scim_[a-zA-Z]{48}$/), createdBy: { id: acme.owner.id } },
    })
    expect(JSON.stringify(await rowsOf('directory_tokens'))).not.toContain(created.body.token)
    const read = () => device.get('/sso/directory', { query: { connectionId } })
    expect((await read()).body).toEqual({
      url: `http://localhost:8787/api/auth/scim/v2/${connectionId}`,
      tokens: [{ ...created.body, token: undefined }].map(({ token: _, ...shown }) => shown),
      users: 0,
      groups: 0,
      access: {},
    })
    // Administrators read, owners change, with a recent authentication; another organization sees nothing.
    const asAdmin = { organizationId: acme.id, connectionId }
    expect((await admin.device.get('/sso/directory', { query: asAdmin })).status).toBe(200)
    expect((await admin.device.post('/sso/create-directory-token', asAdmin)).body.code).toBe(
      'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON',
    )
    const foreign = beta.owner.device
    const tokenId: string = created.body.id
    const unknown = { status: 404, code: 'SSO_CONNECTION_NOT_FOUND' }
    expect(outcome(await foreign.get('/sso/directory', { query: { connectionId } }))).toEqual(unknown)
    for (const path of ['create', 'rotate', 'revoke']) {
      const answer = await foreign.post(`/sso/${path}-directory-token`, { connectionId, tokenId })
      expect(outcome(answer)).toEqual(unknown)
    }
    // The old token ends after the overlap, never later than before.
    const rotated = await device.post('/sso/rotate-directory-token', { connectionId, tokenId, overlap: 3600 })
    expect(rotated.body.token).not.toBe(created.body.token)
    const [old] = (await read()).body.tokens
    expect(new Date(old.expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(3_600_000)
    await device.post('/sso/rotate-directory-token', { connectionId, tokenId, overlap: 86_400 * 7 })
    expect((await read()).body.tokens[0].expiresAt).toBe(old.expiresAt)
    const more = await device.post('/sso/create-directory-token', { connectionId })
    expect(more.body.code).toBe('MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED')
    const revoke = () => device.post('/sso/revoke-directory-token', { connectionId, tokenId: rotated.body.id })
    expect((await revoke()).body).toEqual({ success: true })
    expect((await revoke()).body.code).toBe('DIRECTORY_TOKEN_NOT_FOUND')
    await makeSessionsStale()
    const stale = await device.post('/sso/create-directory-token', { connectionId })
    expect(stale.body.code).toBe('SESSION_IS_NOT_FRESH')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
    await app.runScheduled()
    expect(await count('directory_tokens')).toBe(1)
  })
})
