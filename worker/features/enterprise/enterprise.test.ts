import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answer, type Device, outcome, TestApp } from '../../testing/harness.ts'
import { type Company, colleague, company, someone } from '../../testing/organizations.ts'
import { interceptOutside } from '../../testing/outside/intercept.ts'
import { rowsOf, storedRows } from '../../testing/rows.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const on = { rateLimit: { enabled: false }, enterprise: { enabled: true } }

/** Answers DNS over HTTPS from a map of names to values. */
function resolver(records: Map<string, string[]>) {
  const asked: string[] = []
  interceptOutside(async (request) => {
    const name = new URL(request.url).searchParams.get('name')!
    asked.push(name)
    const found = records.get(name)
    if (found?.[0] === 'SERVFAIL') return Response.json({ Status: 2 })
    if (!found) return Response.json({ Status: 3 })
    // A resolver quotes strings, and splits long ones.
    return Response.json({ Status: 0, Answer: found.map((data) => ({ name, type: 16, TTL: 60, data: `"${data}"` })) })
  })
  return asked
}

const oidc = { type: 'oidc', issuer: 'https://idp.example.org', clientId: 'client' }

const create = (device: Device, more: object = {}) =>
  device.post('/sso/create-connection', { name: 'Okta', config: oidc, clientSecret: 'hush', ...more })

describe('connections', () => {
  it('are managed by owners, have caps, keep secrets, and stay with their organization', async () => {
    const app = new TestApp({ ...on, enterprise: { enabled: true, maxConnections: 2 } })
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta')
    const admin = await colleague(app, acme, 'Adam', 'admin')
    const { device } = acme.owner
    const created = await create(device)
    expect(created).toMatchObject({
      status: 200,
      body: { organizationId: acme.id, type: 'oidc', state: 'draft', hasSecret: true, lastTest: null },
    })
    const { id } = created.body
    expect(created.body.serviceProvider.redirectUri).toBe(`http://localhost:8787/api/auth/sso/callback/${id}`)
    expect(JSON.stringify(created.body)).not.toContain('hush')
    expect(JSON.stringify(await rowsOf('connections'))).not.toContain('hush')
    // Administrators of the organization read, and do not change.
    const read = await admin.device.get('/sso/settings', { query: { organizationId: acme.id } })
    expect(read).toMatchObject({
      status: 200,
      body: { connections: [{ id }], domains: [], policy: { breakGlass: [] } },
    })
    const refused = { status: 403, code: 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON' }
    expect(outcome(await create(admin.device, { organizationId: acme.id }))).toEqual(refused)
    // Another organization does not see or change it.
    const foreign = beta.owner.device
    for (const call of [
      () => foreign.post('/sso/update-connection', { connectionId: id, name: 'Mine' }),
      () => foreign.post('/sso/delete-connection', { connectionId: id }),
      () => foreign.post('/sso/test-connection', { connectionId: id, callbackURL: '/x' }),
    ]) {
      expect(outcome(await call())).toEqual({ status: 404, code: 'SSO_CONNECTION_NOT_FOUND' })
    }
    expect((await foreign.get('/sso/settings', { query: { organizationId: acme.id } })).status).toBe(403)
    // Rules of the configuration.
    const bad = async (more: object) => (await create(device, more)).body.code
    expect(await bad({ config: { ...oidc, issuer: 'https://10.0.0.1' } })).toBe('INVALID_ISSUER')
    expect(await bad({ config: { ...oidc, issuer: 'http://idp.example.org' } })).toBe('INVALID_ISSUER')
    expect(await bad({ clientSecret: undefined })).toBe('CLIENT_SECRET_IS_REQUIRED')
    expect(await bad({ mapping: { defaultRole: 'owner' } })).toBe('ROLE_CANNOT_BE_MAPPED')
    expect(await bad({ mapping: { roles: [{ group: 'x', role: 'king' }] } })).toBe('ROLE_NOT_FOUND')
    // A secret is never sent to another issuer.
    const elsewhere = { ...oidc, issuer: 'https://other.example.org' }
    const moved = await device.post('/sso/update-connection', { connectionId: id, config: elsewhere })
    expect(moved.body.code).toBe('CLIENT_SECRET_IS_REQUIRED')
    const active = await device.post('/sso/update-connection', { connectionId: id, state: 'active' })
    expect(active.body.code).toBe('CONNECTION_IS_NOT_TESTED')
    // With a key pair there is no secret to enter, and the public key is shown.
    const keyed = await create(device, {
      clientSecret: undefined,
      config: { ...oidc, authentication: 'private-key-jwt' },
    })
    expect(keyed.body.config.publicKey).toMatchObject({ kty: 'RSA', use: 'sig' })
    expect(keyed.body.config.publicKey).not.toHaveProperty('d')
    expect(await bad({})).toBe('MAXIMUM_NUMBER_OF_CONNECTIONS_REACHED')
    expect((await device.post('/sso/delete-connection', { connectionId: id })).body).toEqual({ success: true })
    expect(await storedRows('connections', 'id')).toEqual([{ id: keyed.body.id }])
  })

  it('do not exist while the option is off', async () => {
    const app = new TestApp({ rateLimit: { enabled: false } })
    const { owner } = await company(app, 'acme')
    expect((await owner.device.get('/sso/settings')).status).toBe(404)
    expect((await owner.device.post('/sso/discover', { email: 'a@example.com' })).status).toBe(404)
  })
})

describe('domains', () => {
  const add = (at: Company, domain: string) => at.owner.device.post('/sso/add-domain', { domain })
  const verify = (at: Company, claim: Answer) => at.owner.device.post('/sso/verify-domain', { domainId: claim.body.id })

  it('belong to the organization that has the TXT record; a claim blocks no other organization', async () => {
    const records = new Map<string, string[]>()
    resolver(records)
    const app = new TestApp({ ...on, enterprise: { enabled: true, maxDomains: 2 } })
    const acme = await company(app, 'acme')
    const beta = await company(app, 'beta')
    const first = await add(acme, 'Example.COM.')
    expect(first.body).toMatchObject({
      domain: 'example.com',
      verified: false,
      record: { name: '_gatehouse.example.com' },
    })
    const second = await add(beta, 'example.com')
    expect(second.status).toBe(200)
    expect(first.body.record.value).not.toBe(second.body.record.value)
    expect((await add(acme, 'example.com')).body.code).toBe('DOMAIN_ALREADY_ADDED')
    for (const domain of ['localhost', 'a b.com', 'user@example.com', '127.0.0.1', 'example.com/x']) {
      expect((await add(acme, domain)).body.code).toBe('INVALID_DOMAIN')
    }
    expect((await verify(acme, first)).body.code).toBe('DOMAIN_RECORD_NOT_FOUND')
    // The value of the other organization proves nothing.
    records.set('_gatehouse.example.com', [second.body.record.value])
    expect((await verify(acme, first)).body.code).toBe('DOMAIN_RECORD_NOT_FOUND')
    records.set('_gatehouse.example.com', [second.body.record.value, first.body.record.value])
    const [one, other] = await Promise.all([verify(acme, first), verify(beta, second)])
    expect([one.status, other.status].sort()).toEqual([200, 400])
    expect([one, other].find(({ status }) => status === 400)!.body.code).toBe('DOMAIN_BELONGS_TO_ANOTHER_ORGANIZATION')
    // Only its own organization removes it.
    const foreign = await beta.owner.device.post('/sso/remove-domain', { domainId: first.body.id })
    expect(foreign.body.code).toBe('DOMAIN_NOT_FOUND')
    expect((await add(acme, 'b.example.com')).status).toBe(200)
    expect((await add(acme, 'c.example.com')).body.code).toBe('MAXIMUM_NUMBER_OF_DOMAINS_REACHED')
    records.set('_gatehouse.b.example.com', ['SERVFAIL'])
    const [, sub] = (await acme.owner.device.get('/sso/settings')).body.domains.sort(
      (a: { createdAt: string }, b: { createdAt: string }) => a.createdAt.localeCompare(b.createdAt),
    )
    expect((await acme.owner.device.post('/sso/verify-domain', { domainId: sub.id })).status).toBe(503)
  })

  it('are checked every day, and lost after a week without the record; claims are deleted', async () => {
    const records = new Map<string, string[]>()
    const asked = resolver(records)
    const app = new TestApp(on)
    const acme = await company(app, 'acme')
    const broken = await add(acme, 'broken.example.com')
    const claim = await add(acme, 'example.com')
    await add(acme, 'pending.example.com')
    for (const { body } of [broken, claim]) records.set(body.record.name, [body.record.value])
    expect((await verify(acme, broken)).status).toBe(200)
    expect((await verify(acme, claim)).status).toBe(200)
    const state = async () => {
      const domains = await rowsOf('organization_domains')
      return domains.map(({ domain, verifiedAt, missingSince }) => ({
        domain,
        verified: verifiedAt !== null,
        missing: missingSince !== null,
      }))
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    const start = Date.now()
    const day = async (n: number) => {
      vi.setSystemTime(start + n * 86_400_000 + 1000)
      asked.length = 0
      await app.runScheduled()
      return asked.filter((name) => name.startsWith('_gatehouse'))
    }
    expect(await day(0)).toEqual([])
    expect(await day(1)).toEqual(['_gatehouse.broken.example.com', '_gatehouse.example.com'])
    // A domain whose name servers fail delays the check of no other.
    records.set('_gatehouse.broken.example.com', ['SERVFAIL'])
    records.set('_gatehouse.example.com', ['SERVFAIL'])
    await day(2)
    expect(await state()).toContainEqual({ domain: 'example.com', verified: true, missing: false })
    records.delete('_gatehouse.example.com')
    await day(3)
    expect(await state()).toContainEqual({ domain: 'example.com', verified: true, missing: true })
    await day(8)
    const kept = { domain: 'broken.example.com', verified: true, missing: false }
    expect(await state()).toEqual([kept, { domain: 'example.com', verified: true, missing: true }])
    await day(11)
    expect(await state()).toEqual([kept, { domain: 'example.com', verified: false, missing: false }])
    // An answer ends the time without one; 30 days without any answer end the verification.
    records.set('_gatehouse.broken.example.com', [broken.body.record.value])
    await day(31)
    records.set('_gatehouse.broken.example.com', ['SERVFAIL'])
    await day(32.1)
    await day(61)
    expect(await state()).toContainEqual(kept)
    await day(62.2)
    expect(await state()).toEqual([{ ...kept, verified: false }])
    // The owners were warned once of each.
    const warnings = (await app.mailbox()).filter(({ subject }) => subject.includes('needs your attention'))
    const texts = warnings.map(
      ({ text }) =>
        /(?:TXT record|name servers|domain) .*? (?:is missing|do not answer|no longer verified)/.exec(text)![0],
    )
    // A mail has no name that a reader's program turns into a link.
    expect(texts.map((text) => text.replaceAll('. ', '.')).sort()).toEqual([
      'TXT record of the domain example.com is missing',
      'domain broken.example.com is no longer verified',
      'domain example.com is no longer verified',
      // Two times without an answer.
      'name servers of the domain broken.example.com do not answer',
      'name servers of the domain broken.example.com do not answer',
    ])
  })
})

describe('the rules for sign-ins', () => {
  it('are set by owners; single sign-on only requires a connection and a break-glass owner', async () => {
    const app = new TestApp(on)
    const acme = await company(app, 'acme')
    const max = await colleague(app, acme, 'Max')
    const other = await company(app, 'beta')
    const { device } = acme.owner
    const rules = { allowedMethods: null, requiresSecondFactor: false, joinsAutomatically: true, breakGlass: [] }
    const set = (more: object) => device.post('/sso/update-policy', { ...rules, ...more })
    expect((await set({})).body).toEqual({
      allowedMethods: null,
      secondFactorSince: null,
      joinsAutomatically: true,
      challengesUnknownDevices: false,
      breakGlass: [],
    })
    expect((await set({ allowedMethods: [], breakGlass: [acme.ownerMember] })).body.code).toBe('NO_ACTIVE_CONNECTION')
    expect((await set({ breakGlass: [max.member] })).body.code).toBe('MEMBER_NOT_FOUND')
    expect((await set({ breakGlass: [other.ownerMember] })).body.code).toBe('MEMBER_NOT_FOUND')
    expect((await set({ breakGlass: [acme.ownerMember] })).body.breakGlass).toEqual([acme.ownerMember])
    const first = await set({ requiresSecondFactor: true })
    // Setting it again does not restart the time to set up a second factor.
    expect((await set({ requiresSecondFactor: true })).body.secondFactorSince).toBe(first.body.secondFactorSince)
    // The repetition changes nothing, and has no record.
    const query = { organizationId: acme.id, action: 'sso.update-policy', limit: '2' }
    const [changed] = (await device.get('/organization/audit', { query })).body.entries
    expect(changed).toMatchObject({
      before: { requiresSecondFactor: false, breakGlass: [acme.ownerMember] },
      after: { requiresSecondFactor: true, breakGlass: [] },
    })
    const stranger = await someone(app, 'Eve')
    const refused = await stranger.device.post('/sso/update-policy', { ...rules, organizationId: acme.id })
    expect(refused.status).toBe(403)
  })
})
