import { afterEach, describe, expect, it, vi } from 'vitest'
import { hasKeyForm } from '../../kit/key-form.ts'
import { alter, rowOf, serverKey, verify } from '../../testing/api-keys.ts'
import { TestApp } from '../../testing/harness.ts'
import { colleague, company, someone } from '../../testing/organizations.ts'
import { count } from '../../testing/rows.ts'
import { banUsers, makeSessionsStale } from '../../testing/states.ts'
import { purgeExpiredKeys } from './manage.ts'

const unlimited = { rateLimit: { enabled: false } }
const withMetadata = { ...unlimited, apiKey: { enableMetadata: true } }
const days = (n: number) => n * 86_400
const refusal = (code: string, message: string) => ({ code, message })
const serverOnly = refusal(
  'THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY',
  "The property you're trying to set can only be set from the server auth instance only.",
)
const notFound = refusal('API_KEY_NOT_FOUND', 'API Key not found')

afterEach(() => vi.useRealTimers())

const signedIn = async (config: object = unlimited) => {
  const app = new TestApp(config)
  return { app, ...(await someone(app, 'Alice')) }
}

describe('POST /api-key/create', () => {
  it('200: the key, once, with the defaults of the specification', async () => {
    const { device, id } = await signedIn()
    const { status, body } = await device.post('/api-key/create', {})
    expect(status).toBe(200)
    const { key, ...shown } = body
    expect(key).toMatch(/^[a-zA-Z]{64}$/)
    expect(shown).toEqual({
      name: null,
      start: key.slice(0, 6),
      prefix: null,
      userId: id,
      refillInterval: null,
      refillAmount: null,
      lastRefillAt: null,
      enabled: true,
      rateLimitEnabled: true,
      rateLimitTimeWindow: 86_400_000,
      rateLimitMax: 10,
      requestCount: 0,
      remaining: null,
      lastRequest: null,
      expiresAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      access: 'full',
      permissions: null,
      metadata: null,
      id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    })
  })

  it('200: name, prefix, expiry and metadata; only the hash of the key is stored', async () => {
    const { device } = await signedIn(withMetadata)
    const given = { name: 'My key', prefix: 'acme_', expiresIn: days(7), metadata: { tier: 'gold' } }
    const { body } = await device.post('/api-key/create', given)
    expect(body.key).toMatch(/^acme_[a-zA-Z]{64}$/)
    expect(body).toMatchObject({
      name: 'My key',
      prefix: 'acme_',
      start: `acme_${body.key[5]}`,
      metadata: given.metadata,
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(days(7) * 1000)
    const row = (await rowOf(body.id))!
    expect(row.key_hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(JSON.stringify(row)).not.toContain(body.key)
  })

  it('200: options change prefix, length, readable start, expiry and limit', async () => {
    const { device } = await signedIn({
      ...unlimited,
      apiKey: {
        defaultPrefix: 'gh_',
        defaultKeyLength: 40,
        startingCharactersConfig: { shouldStore: false },
        keyExpiration: { defaultExpiresIn: days(3) },
        rateLimit: { enabled: false, maxRequests: 3 },
        permissions: { defaultPermissions: { files: ['read'] } },
      },
    })
    const { body } = await device.post('/api-key/create')
    expect(body.key).toMatch(/^gh_[a-zA-Z]{40}$/)
    expect(body).toMatchObject({
      start: null,
      rateLimitEnabled: false,
      rateLimitMax: 3,
      permissions: { files: ['read'] },
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(days(3) * 1000)
  })

  it.each([
    [{ prefix: 'a'.repeat(33) }, 'THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'],
    [{ name: 'a'.repeat(33) }, 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'],
    [{ name: '' }, 'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL'],
    [{ expiresIn: days(366) }, 'THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE'],
    [{ expiresIn: days(1) - 1 }, 'THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE'],
    [{ metadata: 'str' }, 'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED'],
    [{ metadata: [1] }, 'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED'],
    [{ metadata: { long: 'x'.repeat(20_000) } }, 'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED'],
    [{ prefix: 'bad prefix!' }, 'VALIDATION_ERROR'],
    [{ prefix: '' }, 'VALIDATION_ERROR'],
    [{ prefix: 7 }, 'VALIDATION_ERROR'],
    [{ name: { $gt: '' } }, 'VALIDATION_ERROR'],
    [{ expiresIn: 0 }, 'VALIDATION_ERROR'],
    [{ expiresIn: '604800' }, 'VALIDATION_ERROR'],
  ])('400: %j', async (given, code) => {
    const { device } = await signedIn(withMetadata)
    const { status, body } = await device.post('/api-key/create', given)
    expect({ status, code: body.code }).toEqual({ status: 400, code })
    expect(await count('api_keys')).toBe(0)
  })

  it('400: what the prefix may hold is said', async () => {
    const { device } = await signedIn()
    expect((await device.post('/api-key/create', { prefix: 'ä' })).body.message).toContain(
      'Invalid prefix format, must be alphanumeric and contain only underscores and hyphens.',
    )
  })

  it('400: metadata and expiry where the configuration has them off', async () => {
    const { device } = await signedIn({
      ...unlimited,
      apiKey: { keyExpiration: { disableCustomExpiresTime: true } },
    })
    expect((await device.post('/api-key/create', { metadata: {} })).body).toEqual(
      refusal('METADATA_IS_DISABLED', 'Metadata is disabled.'),
    )
    expect((await device.post('/api-key/create', { expiresIn: days(3) })).body).toEqual(
      refusal('CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED', 'Custom key expiration values are disabled.'),
    )
  })

  it.each([
    { remaining: 5 },
    { remaining: 0 },
    { refillAmount: 5, refillInterval: 1000 },
    { rateLimitEnabled: false },
    { rateLimitMax: 1_000_000 },
    { rateLimitTimeWindow: 1 },
    { permissions: { files: ['read'] } },
    { permissions: 'all' },
  ])('400: only a server sets %j', async (given) => {
    const { device } = await signedIn()
    const { status, body } = await device.post('/api-key/create', given)
    expect({ status, body }).toEqual({ status: 400, body: serverOnly })
    const made = (await device.post('/api-key/create')).body
    expect((await device.post('/api-key/update', { keyId: made.id, ...given })).body).toEqual(serverOnly)
    expect(await count('api_keys')).toBe(1)
  })

  it('null has no effect over HTTP: it removes no limit', async () => {
    const { device } = await signedIn()
    const nothing = { remaining: null, rateLimitMax: null, rateLimitTimeWindow: null, permissions: null }
    const { body } = await device.post('/api-key/create', nothing)
    expect(body).toMatchObject({ rateLimitMax: 10, rateLimitTimeWindow: 86_400_000 })
    expect((await device.post('/api-key/update', { keyId: body.id, ...nothing })).body.code).toBe('NO_VALUES_TO_UPDATE')
  })

  it('users may set the selectable permissions, and no others', async () => {
    const { device } = await signedIn({
      ...unlimited,
      apiKey: { permissions: { selectable: { files: ['read', 'write'] } } },
    })
    const { body } = await device.post('/api-key/create', { permissions: { files: ['read'] } })
    expect(body.permissions).toEqual({ files: ['read'] })
    for (const permissions of [{ files: ['delete'] }, { admin: ['all'] }, { files: ['read'], x: [] }, ['files'], []]) {
      expect((await device.post('/api-key/create', { permissions })).body).toEqual(serverOnly)
    }
    expect((await device.post('/api-key/update', { keyId: body.id, permissions: {} })).body.permissions).toEqual({})
  })

  it.each([[{}], [[]], [{ files: [] }]])(
    '%j: without selectable permissions only servers set them',
    async (permissions) => {
      const { app, device, id: userId } = await signedIn()
      const { id } = await serverKey(app, { userId }, { permissions: { files: ['read'] } })
      for (const [path, body] of [
        ['/api-key/create', { permissions }],
        ['/api-key/update', { keyId: id, permissions }],
      ] as const) {
        const answer = await device.post(path, body)
        expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status: 400, body: serverOnly })
      }
      expect({ apiKeys: await count('api_keys'), permissions: (await rowOf(id))!.permissions }).toEqual({
        apiKeys: 1,
        permissions: '{"files":["read"]}',
      })
    },
  )

  it('401: no session, and a userId in the body makes none', async () => {
    const { app, device, id } = await signedIn()
    const other = await someone(app, 'Bob')
    const refused = refusal('UNAUTHORIZED_OR_INVALID_SESSION', 'Unauthorized or invalid session')
    for (const [caller, userId] of [
      [app.device(), undefined],
      [app.device(), id],
      [other.device, id],
    ] as const) {
      const { status, body } = await caller.post('/api-key/create', { name: 'x', userId })
      expect({ status, body }).toEqual({ status: 401, body: refused })
    }
    expect(await count('api_keys')).toBe(0)
    expect((await device.post('/api-key/create', { userId: id })).body.userId).toBe(id)
  })

  it('403: neither a key nor an impersonation makes keys', async () => {
    const { app, device, id } = await signedIn()
    const { key } = await serverKey(app, { userId: id })
    const byKey = await app.device().post('/api-key/create', {}, { headers: { 'x-api-key': key, origin: '' } })
    expect(byKey).toMatchObject({ status: 403, body: { code: 'OWN_SESSION_REQUIRED' } })
    expect(await count('api_keys')).toBe(1)
    expect((await device.post('/api-key/create')).status).toBe(200)
  })
})

describe('GET /api-key/get and /api-key/list', () => {
  it('200: the own keys without the key itself, oldest first, in one round trip', async () => {
    const { device } = await signedIn()
    expect((await device.get('/api-key/list')).body).toEqual([])
    const { key, ...first } = (await device.post('/api-key/create', { name: 'first' })).body
    const { key: other, ...second } = (await device.post('/api-key/create', { name: 'second' })).body
    const listed = await device.get('/api-key/list')
    // A list omits the metadata, which may be long.
    const withoutMetadata = ({ metadata: _, ...key }: Record<string, unknown>) => key
    expect(listed.body).toEqual([first, second].map(withoutMetadata))
    expect(listed.io.d1![0]).toBe(1)
    const got = await device.get('/api-key/get', { query: { id: first.id } })
    expect({ body: got.body, d1: got.io.d1![0] }).toEqual({ body: first, d1: 1 })
  })

  it("404: unknown, and another user's; 400 without an id; 401 without a session", async () => {
    const { app, device } = await signedIn()
    const { id } = (await device.post('/api-key/create')).body
    const other = await someone(app, 'Bob')
    for (const [caller, asked] of [
      [device, 'nope'],
      [other.device, id],
    ] as const) {
      const { status, body } = await caller.get('/api-key/get', { query: { id: asked } })
      expect({ status, body }).toEqual({ status: 404, body: notFound })
    }
    expect((await other.device.get('/api-key/list')).body).toEqual([])
    expect((await device.get('/api-key/get')).body.code).toBe('VALIDATION_ERROR')
    for (const path of ['/api-key/get?id=x', '/api-key/list']) expect((await app.device().get(path)).status).toBe(401)
  })
})

describe('POST /api-key/update', () => {
  it('200: name, metadata, expiry, on and off', async () => {
    const { device } = await signedIn(withMetadata)
    const { key, ...made } = (await device.post('/api-key/create', { prefix: 'acme_' })).body
    const update = async (changes: object) =>
      (await device.post('/api-key/update', { keyId: made.id, ...changes })).body
    expect(await update({ name: 'Renamed' })).toEqual({ ...made, name: 'Renamed', updatedAt: expect.any(String) })
    expect((await update({ metadata: { tier: 'silver' } })).metadata).toEqual({ tier: 'silver' })
    expect((await update({ enabled: false })).enabled).toBe(false)
    const { expiresAt } = await update({ expiresIn: days(2) })
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(days(2) * 1000 - 10_000)
    const last = await update({ expiresIn: null, metadata: null, enabled: true })
    expect(last).toMatchObject({ name: 'Renamed', expiresAt: null, metadata: null, enabled: true })
  })

  it.each([
    [{}, 'NO_VALUES_TO_UPDATE', 'No values to update.'],
    [
      { name: 'a'.repeat(33) },
      'THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
      'The name length is either too large or too small.',
    ],
    [
      { expiresIn: days(366) },
      'THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE',
      'The expiresIn is larger than the predefined maximum value.',
    ],
    [{ metadata: 1 }, 'METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED', 'metadata must be an object or undefined'],
  ])('400: %j', async (changes, code, message) => {
    const { device } = await signedIn(withMetadata)
    const { id } = (await device.post('/api-key/create')).body
    const { status, body } = await device.post('/api-key/update', { keyId: id, ...changes })
    expect({ status, body }).toEqual({ status: 400, body: refusal(code, message) })
  })

  it("404: unknown, and another user's; 401 without a session", async () => {
    const { app, device } = await signedIn()
    const { id } = (await device.post('/api-key/create')).body
    const other = await someone(app, 'Bob')
    for (const [caller, keyId, userId] of [
      [device, 'nope', undefined],
      [other.device, id, undefined],
      [other.device, id, other.id],
    ] as const) {
      expect((await caller.post('/api-key/update', { keyId, userId, name: 'x' })).body).toEqual(notFound)
    }
    const visitor = await app.device().post('/api-key/update', { keyId: id, name: 'x' })
    expect(visitor).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED_OR_INVALID_SESSION' } })
    expect((await rowOf(id))!.name).toBeNull()
  })

  it('a server changes any property, of any key or of one user only', async () => {
    const { app, id } = await signedIn()
    const made = await serverKey(app, { userId: id })
    const { updateKey } = await import('./manage.ts')
    const { scope, settle } = app.openScope()
    scope.auditing.action = 'server.update-api-key'
    const changed = await updateKey(scope, { id: made.id, server: true }, { remaining: 3, permissions: { a: ['b'] } })
    expect(changed).toMatchObject({ remaining: 3, permissions: { a: ['b'] } })
    await expect(updateKey(scope, { id: made.id, server: true, userId: 'else' }, { name: 'x' })).rejects.toMatchObject({
      code: 'API_KEY_NOT_FOUND',
    })
    await expect(updateKey(scope, { id: made.id, server: true }, { remaining: 0 })).rejects.toMatchObject({
      code: 'THE_REMAINING_COUNT_IS_EITHER_TOO_LARGE_OR_TOO_SMALL',
    })
    await expect(updateKey(scope, { id: made.id, server: true }, { refillAmount: 5 })).rejects.toMatchObject({
      message: 'refillAmount is required when refillInterval is provided',
    })
    await expect(updateKey(scope, { id: made.id, server: true }, { refillInterval: 5 })).rejects.toMatchObject({
      message: 'refillInterval is required when refillAmount is provided',
    })
    await settle()
  })

  it.each([{ refillAmount: null }, { refillInterval: null }])(
    '%j ends the refill, and leaves no half of it',
    async (none) => {
      const { app, id: userId } = await signedIn()
      const made = await serverKey(app, { userId }, { remaining: 1, refillAmount: 5, refillInterval: 1 })
      const changed = await app.serverApi().updateApiKey({ keyId: made.id, ...none })
      expect(changed).toMatchObject({ ok: true, result: { refillAmount: null, refillInterval: null, remaining: 1 } })
      expect((await verify(app, made.key)).valid).toBe(true)
      // It has no refill, so that it remains used up.
      expect((await verify(app, made.key)).code).toBe('USAGE_EXCEEDED')
      expect(await count('api_keys')).toBe(0)
    },
  )
})

describe('POST /api-key/delete', () => {
  it('200: the key is deleted and invalid immediately', async () => {
    const { app, device } = await signedIn()
    const { id, key } = (await device.post('/api-key/create')).body
    expect((await verify(app, key)).valid).toBe(true)
    expect((await device.post('/api-key/delete', { keyId: id })).body).toEqual({ success: true })
    expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
    expect((await device.post('/api-key/delete', { keyId: id })).body).toEqual(notFound)
  })

  it("404: another user's; 400 without an id; 401 without a session; 401 for a banned user", async () => {
    const { app, device, id: owner } = await signedIn()
    const { id } = (await device.post('/api-key/create')).body
    const other = await someone(app, 'Bob')
    expect((await other.device.post('/api-key/delete', { keyId: id })).body).toEqual(notFound)
    expect((await device.post('/api-key/delete', {})).body.code).toBe('VALIDATION_ERROR')
    expect((await app.device().post('/api-key/delete', { keyId: id })).status).toBe(401)
    await banUsers({ id: owner })
    const banned = await device.post('/api-key/delete', { keyId: id })
    expect({ status: banned.status, body: banned.body }).toEqual({
      status: 401,
      body: refusal('USER_IS_BANNED', 'User is banned'),
    })
    expect(await count('api_keys')).toBe(1)
  })
})

describe('server-only properties', () => {
  it.each(['/api-key/verify', '/api-key/delete-all-expired-api-keys'])('404: %s', async (path) => {
    const { device } = await signedIn()
    expect((await device.post(path, { key: 'x' })).status).toBe(404)
    expect((await device.get(path)).status).toBe(404)
  })

  it('the feature can be switched off', async () => {
    const { device } = await signedIn({ ...unlimited, apiKey: { enabled: false } })
    expect((await device.post('/api-key/create')).status).toBe(404)
    expect((await device.get('/config')).body.features.apiKey).toBeUndefined()
  })

  it('the purge runs at most every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days(1) * 1000 })
    const { app, id } = await signedIn()
    const leftAfter = async (milliseconds: number) => {
      vi.setSystemTime(Date.now() + milliseconds)
      await alter((await serverKey(app, { userId: id })).id, { expiresAt: new Date(1) })
      const { scope, settle } = app.openScope()
      await purgeExpiredKeys(scope)
      await settle()
      return count('api_keys')
    }
    expect([await leftAfter(0), await leftAfter(9_999), await leftAfter(1)]).toEqual([0, 1, 0])
  })

  it('expired keys go when the cron trigger fires', async () => {
    const { app, id } = await signedIn()
    const { id: expired } = await serverKey(app, { userId: id })
    await serverKey(app, { userId: id })
    await alter(expired, { expiresAt: new Date(1) })
    await app.runScheduled()
    expect({ apiKeys: await count('api_keys'), row: await rowOf(expired) }).toEqual({ apiKeys: 1, row: null })
  })
})

describe('keys of an organization', () => {
  const acme = async () => {
    const app = new TestApp(unlimited)
    const at = await company(app, 'acme')
    return { app, at, admin: await colleague(app, at, 'Ada', 'admin'), member: await colleague(app, at, 'Max') }
  }

  it('are made, seen, changed and deleted by members whose role may', async () => {
    const { app, at, admin, member } = await acme()
    const made = await at.owner.device.post('/api-key/create', { name: 'deploy', organizationId: at.id })
    const { key, ...shown } = made.body
    expect(shown).toMatchObject({ userId: null, organizationId: at.id, name: 'deploy' })
    expect((await verify(app, key)).key).toMatchObject({ organizationId: at.id })
    const { device } = admin
    const listed = await device.get('/api-key/list', { query: { organizationId: at.id } })
    expect({ ids: listed.body.map(({ id }: { id: string }) => id), d1: listed.io.d1![0] }).toEqual({
      ids: [shown.id],
      d1: 1,
    })
    expect((await device.get('/api-key/get', { query: { id: shown.id } })).body.id).toBe(shown.id)
    expect((await device.post('/api-key/update', { keyId: shown.id, enabled: false })).body.enabled).toBe(false)
    expect((await device.get('/api-key/list')).body).toEqual([])

    const outsider = await someone(app, 'Eve')
    for (const foreign of [member.device, outsider.device]) {
      const refused = await foreign.post('/api-key/create', { organizationId: at.id })
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'YOU_ARE_NOT_ALLOWED_TO_MANAGE_THE_API_KEYS_OF_THIS_ORGANIZATION' },
      })
      expect((await foreign.get('/api-key/list', { query: { organizationId: at.id } })).status).toBe(403)
      expect((await foreign.get('/api-key/get', { query: { id: shown.id } })).status).toBe(404)
      expect((await foreign.post('/api-key/update', { keyId: shown.id, name: 'x' })).status).toBe(404)
      expect((await foreign.post('/api-key/delete', { keyId: shown.id })).status).toBe(404)
    }
    expect((await outsider.device.post('/api-key/create', { organizationId: 'nowhere' })).status).toBe(403)
    expect((await device.post('/api-key/delete', { keyId: shown.id })).body).toEqual({ success: true })
    expect(await count('api_keys')).toBe(0)
  })

  it('open no session, and end with the organization, not with who made them', async () => {
    const { app, at, admin } = await acme()
    const { key } = (await admin.device.post('/api-key/create', { organizationId: at.id })).body
    const session = await app.device().get('/get-session', { headers: { 'x-api-key': key } })
    expect({ status: session.status, body: session.body }).toEqual({
      status: 401,
      body: refusal('THE_USER_ID_FROM_THE_API_KEY_IS_INVALID', 'The user id from the API key is invalid.'),
    })
    await at.owner.device.post('/organization/remove-member', { memberIdOrEmail: admin.email, organizationId: at.id })
    expect((await admin.device.get('/api-key/list', { query: { organizationId: at.id } })).status).toBe(403)
    expect((await verify(app, key)).valid).toBe(true)
    await at.owner.device.post('/organization/delete', { organizationId: at.id })
    expect((await verify(app, key)).code).toBe('INVALID_API_KEY')
  })

  it('a demotion that arrives first wins over a key that is being made', async () => {
    const { at, admin } = await acme()
    const { device } = admin
    await Promise.all([
      at.owner.device.post('/organization/update-member-role', {
        memberId: admin.member,
        role: 'member',
        organizationId: at.id,
      }),
      ...Array.from({ length: 5 }, () => device.post('/api-key/create', { organizationId: at.id })),
    ])
    const made = await count('api_keys')
    expect((await device.post('/api-key/create', { organizationId: at.id })).status).toBe(403)
    expect(await count('api_keys')).toBe(made)
    // The user cannot change the key after its creation.
    const { id } = (await at.owner.device.post('/api-key/create', { organizationId: at.id })).body
    for (const answer of [
      await device.get('/api-key/get', { query: { id } }),
      await device.post('/api-key/update', { keyId: id, enabled: false }),
      await device.post('/api-key/delete', { keyId: id }),
    ]) {
      expect(answer.body).toEqual(notFound)
    }
    expect((await rowOf(id))!.enabled).toBe(1)
  })
})

describe('the form of a key', () => {
  it('a checksum finds every changed, missing and exchanged letter', async () => {
    const { device } = await signedIn()
    const { key } = (await device.post('/api-key/create', { prefix: 'acme_' })).body
    expect(hasKeyForm(key)).toBe(true)
    const wrong = [...key].map((_, at) => `${key.slice(0, at)}${key[at] === 'q' ? 'r' : 'q'}${key.slice(at + 1)}`)
    expect([...wrong, key.slice(1), key.slice(0, -1), key.slice(5), `x${key}`].filter(hasKeyForm)).toEqual([])
  })
})

describe('the access level of a key', () => {
  const permissions = { files: ['read'] }
  const levelOf = async (config: object, given: object): Promise<string> => {
    const { device } = await signedIn({ ...unlimited, apiKey: { permissions: { selectable: permissions } }, ...config })
    return (await device.post('/api-key/create', given)).body.access
  }
  // Users have a session before their address is verified.
  const strict = { profile: 'strict', emailAndPassword: { requireEmailVerification: false } }

  it.each([
    ['full without permissions', {}, {}, 'full'],
    ['full with permissions for nothing', {}, { permissions: {} }, 'full'],
    ['read-only with permissions', {}, { permissions }, 'read-only'],
    ['what its maker chooses', {}, { permissions, access: 'full' }, 'full'],
    ['verify-only in the strict profile', strict, {}, 'verify-only'],
    ['what its maker chooses, in the strict profile too', strict, { access: 'read-only' }, 'read-only'],
    ['what the configuration says', { apiKey: { defaultAccess: 'read-only' } }, {}, 'read-only'],
  ])('is %s', async (_what, config, given, access) => {
    expect(await levelOf(config, given)).toBe(access)
  })

  it('is changed by the owner and by a server; other changes keep it', async () => {
    const { app, device, id } = await signedIn()
    const { body: key } = await device.post('/api-key/create', { name: 'CI' })
    const update = async (changes: object) => (await device.post('/api-key/update', { keyId: key.id, ...changes })).body
    expect(await update({ access: 'verify-only' })).toMatchObject({ access: 'verify-only', name: 'CI' })
    expect(await update({ name: 'Build' })).toMatchObject({ access: 'verify-only', name: 'Build' })
    expect(await update({ access: 'everything' })).toMatchObject({ code: 'VALIDATION_ERROR' })
    await makeSessionsStale()
    expect(await update({ access: 'full' })).toMatchObject({ code: 'SESSION_IS_NOT_FRESH' })
    expect(await update({ name: 'CI' })).toMatchObject({ access: 'verify-only', name: 'CI' })
    const api = app.serverApi()
    expect(await api.updateApiKey({ keyId: key.id, access: 'read-only' })).toMatchObject({
      result: { access: 'read-only' },
    })
    expect(await api.createApiKey({ userId: id, permissions })).toMatchObject({ result: { access: 'read-only' } })
    expect(await api.createApiKey({ userId: id, access: 'verify-only' })).toMatchObject({
      result: { access: 'verify-only' },
    })
  })
})
