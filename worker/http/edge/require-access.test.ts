import { describe, expect, it } from 'vitest'
import { type Config, readConfig } from '../../configuration/read-config.ts'
import type { Caller } from '../../identity/caller.ts'
import type { User } from '../../identity/model/users.table.ts'
import type { KeyAccess } from '../../kit/key-access.ts'
import { mergeOptions } from '../../kit/options.ts'
import { serverPermissionNames } from '../../kit/server-permissions.ts'
import { days, ms } from '../../kit/time.ts'
import { servedFeatures } from '../../rpc/served-features.ts'
import { serverKey } from '../../testing/api-keys.ts'
import { everything as allEndpoints, declaredEndpoints, operationOf } from '../../testing/cases.ts'
import { config } from '../../testing/config.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import { sample } from '../../testing/sample.ts'
import { backEnd } from '../../testing/server-keys.ts'
import { deleteUsers, impersonateAs, makeSessionsStale, updateUsers } from '../../testing/states.ts'
import { toggles, without } from '../../testing/without-feature.ts'
import { type Access, type Endpoint, isForAdministrators, partyKinds, serverPermissionOf } from '../endpoint.ts'
import { contractOf } from '../feature.ts'
import { recentWithoutPassword } from '../recency.ts'
import { partyCheckOf, requireKeyAccess } from './require-access.ts'

const everything: Config = { ...allEndpoints, rateLimit: { enabled: false } }
const endpointsOf = (own: Config): Endpoint[] =>
  servedFeatures(readConfig(mergeOptions(config, own), env).options).flatMap((feature) =>
    Object.values(contractOf(feature)),
  )
const endpoints = endpointsOf(everything)

const fullAccess = { access: 'full', rateLimitEnabled: false } as const

/** The callers, with the error code for each kind of access; null if the access accepts the caller. */
interface Expected {
  make(app: TestApp): Promise<Device>
  refused(access: Access, unauthorized?: string, addsWayIn?: boolean, needsPassword?: boolean): string | null
}

const callers: Record<string, Expected> = {
  'a visitor': {
    make: async (app) => app.device(),
    refused: (access, unauthorized = 'UNAUTHORIZED') => (needsSession(access) ? unauthorized : null),
  },
  'a user who signed in just now': {
    make: (app) => signUp(app, alice),
    refused: (access) => (isAdminOnly(access) ? 'forbidden' : null),
  },
  'a user who signed in long ago': {
    make: async (app) => {
      const device = await signUp(app, alice)
      await makeSessionsStale()
      return device
    },
    refused: (access, _unauthorized, _addsWayIn, needsPassword) =>
      isAdminOnly(access)
        ? 'forbidden'
        : access === 'recent-authentication' || needsPassword
          ? 'SESSION_IS_NOT_FRESH'
          : null,
  },
  'a guest': {
    make: async (app) => {
      const device = app.device()
      await device.post('/sign-in/anonymous')
      return device
    },
    refused: (access) => (isAdminOnly(access) ? 'forbidden' : null),
  },
  // An anonymous user has no proof except the session. It may add a sign-in method and nothing else.
  'a guest who came long ago': {
    make: async (app) => {
      const device = app.device()
      await device.post('/sign-in/anonymous')
      await makeSessionsStale()
      return device
    },
    refused: (access, _unauthorized, addsWayIn, needsPassword) =>
      isAdminOnly(access)
        ? 'forbidden'
        : (access === 'recent-authentication' && !addsWayIn) || needsPassword
          ? 'SESSION_IS_NOT_FRESH'
          : null,
  },
  'an API key': {
    make: async (app) => {
      const { id } = (await (await signUp(app, alice)).get('/get-session')).body.user
      const device = app.device()
      device.headers = { 'x-api-key': (await serverKey(app, { userId: id }, fullAccess)).key }
      return device
    },
    refused: (access) =>
      isAdminOnly(access)
        ? 'forbidden'
        : access === 'own-session' || access === 'recent-authentication'
          ? 'OWN_SESSION_REQUIRED'
          : null,
  },
  'an administrator who acts as a user': {
    make: async (app) => {
      const device = await signUp(app, alice)
      await impersonateAs('another')
      return device
    },
    refused: (access) =>
      isAdminOnly(access)
        ? 'forbidden'
        : access === 'own-session' || access === 'recent-authentication'
          ? 'OWN_SESSION_REQUIRED'
          : null,
  },
}

const isAdminOnly = isForAdministrators
const needsSession = (access: Access) => isAdminOnly(access) || /session$|^recent-/.test(access as string)

/** The strict profile, but users get a session before their address is verified. */
const strictly = { profile: 'strict', emailAndPassword: { requireEmailVerification: false } } as const

/** The errors of http/edge/require-access.ts. */
const refusals = ['UNAUTHORIZED', 'INVALID_API_KEY', 'OWN_SESSION_REQUIRED', 'SESSION_IS_NOT_FRESH', 'FORBIDDEN']

/** The endpoints that do not treat a caller as they say. */
async function misjudged({ make, refused }: Expected, config: Config): Promise<string[]> {
  const app = new TestApp(config)
  const wrong: string[] = []
  const template = await make(app)
  for (const endpoint of endpointsOf(config)) {
    if (!needsSession(endpoint.access)) continue
    const device = app.device()
    for (const [name, value] of template.jar) device.jar.set(name, value)
    device.headers = template.headers
    const path = endpoint.path.replace(/:\w+/g, 'x')
    const { status, body } = endpoint.method === 'GET' ? await device.get(path) : await device.post(path, {})
    const { unauthorized, addsWayIn, recentFor } = endpoint.accessRules ?? {}
    // The body is empty: without a password these need a recent authentication.
    const needsPassword = recentFor === recentWithoutPassword
    const expected = refused(endpoint.access, unauthorized?.code, addsWayIn, needsPassword)
    const code = String(body?.code ?? '')
    const fits =
      expected === null
        ? !refusals.slice(0, 4).includes(code) || status === 200
        : expected === 'forbidden'
          ? status === 403
          : code === expected
    if (!fits) wrong.push(`${endpoint.method} ${path} (${JSON.stringify(endpoint.access)}): ${status} ${code}`)
    // An accepted call may end the session, the organization or the user.
    if (status < 300 && endpoint.method === 'POST') {
      await deleteUsers()
      const next = await make(app)
      template.jar.clear()
      for (const [name, value] of next.jar) template.jar.set(name, value)
      template.headers = next.headers
    }
  }
  return wrong
}

describe('a server key', () => {
  it.each(serverPermissionNames)('with %s alone calls its operations, and no other', async (permission) => {
    const app = new TestApp(everything)
    const server = await backEnd(app, [permission])
    const reached: string[] = []
    for (const endpoint of endpoints) {
      const needed = serverPermissionOf(endpoint)
      if (needed === null) continue
      const { status, body } = await server.device.post(endpoint.path, {})
      const isRefused = status === 403 && body?.code === 'SERVER_KEY_PERMISSION_MISSING'
      expect({ path: endpoint.path, isRefused }).toEqual({ path: endpoint.path, isRefused: needed !== permission })
      if (!isRefused) reached.push(endpoint.path)
    }
    expect(reached).not.toEqual([])
  })
})

describe.each(Object.entries(callers))('%s', (_who, expected) => {
  it('calls no operation of servers', async () => {
    const app = new TestApp(everything)
    const device = await expected.make(app)
    const operations = endpoints.filter((endpoint) => serverPermissionOf(endpoint) !== null)
    expect(operations.length).toBeGreaterThan(40)
    for (const { path } of operations) {
      const { status, body } = await device.post(path, {})
      expect({ path, status, code: body.code }).toEqual({ path, status: 401, code: 'SERVER_KEY_REQUIRED' })
    }
  })

  it.each(sample([false, true], 1))('is let in, or refused, as every endpoint says (strict: %s)', async (strict) => {
    expect(await misjudged(expected, { ...everything, ...(strict ? strictly : {}) })).toEqual([])
  })
})

describe.each(sample(toggles, 1).map((name) => [name] as const))('with %s off', (name) => {
  it.each(['a visitor', 'a user who signed in long ago', 'an administrator who acts as a user'])(
    '%s is let in, or refused, as every other endpoint says',
    async (who) => {
      expect(await misjudged(callers[who]!, without(name).config)).toEqual([])
    },
  )
})

describe('what every endpoint declares', () => {
  it('is all looked at here: no contract is left out by a feature that is off', () => {
    const seen = new Set(endpoints.map(operationOf))
    expect(declaredEndpoints.map(operationOf).filter((one) => !seen.has(one))).toEqual([])
  })

  it("changes of credentials, keys, consent and roles require the user's own session", () => {
    const guarded =
      /password|email$|two-factor|passkey|api-key|unlink|link-social|[hs]-token|delete-user|remove-member|role/
    const lax = endpoints
      .filter(({ method, path, access }) => method === 'POST' && access === 'session' && guarded.test(path))
      .map(({ path }) => path)
    expect(lax).toEqual([])
  })
})

describe('recent authentication', () => {
  /** A user whose last authentication is two days old, with the permissions of an administrator. */
  async function stale(app: TestApp, changes?: Partial<User>): Promise<Device> {
    const device = await signUp(app, alice)
    await makeSessionsStale(new Date(Date.now() - ms(days(2))))
    if (changes) await updateUsers(changes)
    return device
  }
  const codeOf = async (device: Device, path: string, body: object) => (await device.post(path, body)).body?.code
  const refused = 'SESSION_IS_NOT_FRESH'

  it.each(['compatible', 'strict'] as const)(
    '%s: is asked for where an identifier changes, and not otherwise',
    async (profile) => {
      const app = new TestApp({ ...everything, ...(profile === 'strict' ? strictly : {}) })
      const device = await stale(app, { username: 'alice', phoneNumber: '+15550001' })
      expect((await device.post('/update-user', { name: 'Alice B' })).status).toBe(200)
      expect((await device.post('/update-user', { username: 'Alice', phoneNumber: '+15550001' })).status).toBe(200)
      expect(await codeOf(device, '/update-user', { username: 'mallory' })).toBe(refused)
      expect(await codeOf(device, '/update-user', { username: null })).toBe(refused)
      expect(await codeOf(device, '/update-user', { phoneNumber: '+15550002' })).toBe(refused)
      expect(await codeOf(device, '/change-email', { newEmail: 'mallory@example.com' })).toBe(refused)
      const number = { phoneNumber: '+15550002', code: '123456' }
      expect(await codeOf(device, '/phone-number/verify', { ...number, updatePhoneNumber: true })).toBe(refused)
      expect(await codeOf(device, '/phone-number/verify', number)).not.toBe(refused)
    },
  )

  it('is asked for where a role administers an organization', async () => {
    const device = await stale(new TestApp(everything))
    const { body } = await device.post('/organization/create', { name: 'Acme', slug: 'acme' })
    const invite = (role: unknown) => ({ email: 'bob@example.com', role, organizationId: body.id })
    for (const role of ['owner', 'admin', 'member,admin', ['member', ' owner']]) {
      expect(await codeOf(device, '/organization/invite-member', invite(role))).toBe(refused)
      expect(await codeOf(device, '/organization/update-member-role', { memberId: 'x', role })).toBe(refused)
    }
    expect(await codeOf(device, '/organization/invite-member', invite('member'))).not.toBe(refused)
    expect(await codeOf(device, '/organization/delete', { organizationId: body.id })).toBe(refused)
  })

  it('is asked for where an administrator grants a role, changes an identifier, sets a password or removes a user', async () => {
    const device = await stale(new TestApp(everything), { role: 'admin' })
    const person = { email: 'bob@example.com', password: 'correct horse', name: 'Bob' }
    expect(await codeOf(device, '/admin/create-user', { ...person, role: 'admin' })).toBe(refused)
    const { body } = await device.post('/admin/create-user', { ...person, role: 'user' })
    const userId: string = body.user.id
    expect(await codeOf(device, '/admin/set-role', { userId, role: ['user', 'admin'] })).toBe(refused)
    expect((await device.post('/admin/set-role', { userId, role: 'user' })).status).toBe(200)
    expect(await codeOf(device, '/admin/update-user', { userId, data: { email: 'eve@example.com' } })).toBe(refused)
    expect((await device.post('/admin/update-user', { userId, data: { name: 'Robert' } })).status).toBe(200)
    expect(await codeOf(device, '/admin/set-user-password', { userId, newPassword: 'battery staple' })).toBe(refused)
    expect(await codeOf(device, '/admin/remove-user', { userId })).toBe(refused)
  })

  it('is the verified password where the call gives it, but not for a user with a second factor', async () => {
    const device = await stale(new TestApp(everything))
    const change = { currentPassword: alice.password, newPassword: 'battery staple' }
    expect((await device.post('/change-password', change)).status).toBe(200)
    expect((await device.post('/two-factor/enable', { password: change.newPassword })).status).toBe(200)
    await updateUsers({ twoFactorEnabled: true })
    const password = { password: change.newPassword }
    for (const path of ['enable', 'disable', 'get-totp-uri', 'generate-backup-codes']) {
      expect(await codeOf(device, `/two-factor/${path}`, password)).toBe(refused)
    }
    const again = { currentPassword: change.newPassword, newPassword: alice.password }
    expect(await codeOf(device, '/change-password', again)).toBe(refused)
  })

  it('is measured alike for a caller by bearer token, and always given where freshAge is 0', async () => {
    const app = new TestApp(everything)
    const bearer = app.device()
    const signedUp = await bearer.post('/sign-up/email', alice)
    await makeSessionsStale()
    bearer.jar.clear()
    bearer.headers = { authorization: `Bearer ${signedUp.headers.get('set-auth-token')}` }
    expect(await codeOf(bearer, '/api-key/create', {})).toBe(refused)
    await deleteUsers()
    const always = await stale(new TestApp({ ...everything, session: { freshAge: 0 } }))
    expect((await always.post('/api-key/create', {})).status).toBe(200)
  })
})

describe('a kind of access that a feature decides', () => {
  it.each(partyKinds)('%s: an endpoint without the check is not mounted', (access) => {
    expect(() => partyCheckOf({ access, path: '/somewhere' }, {})).toThrow('/somewhere')
    const check = () => ({})
    expect(partyCheckOf({ access, path: '/somewhere' }, { [access]: check })).toBe(check)
  })
})

describe('a session that ended elsewhere', () => {
  it('opens nothing: only get-session may still show what its cookie holds, for as long as that lives', async () => {
    const app = new TestApp(everything)
    const device = await signUp(app, alice)
    const frozen = new Map(device.jar)
    // Another isolate revoked the session. This isolate has not received the revocation.
    await env.DB.exec('delete from sessions')
    const open: string[] = []
    for (const endpoint of endpoints) {
      if (!needsSession(endpoint.access)) continue
      for (const [name, value] of frozen) device.jar.set(name, value)
      const path = endpoint.path.replace(/:\w+/g, 'x')
      const { status } = endpoint.method === 'GET' ? await device.get(path) : await device.post(path, {})
      if (status !== 401) open.push(`${endpoint.method} ${path}: ${status}`)
    }
    expect(open).toEqual([])
    for (const [name, value] of frozen) device.jar.set(name, value)
    expect((await device.get('/get-session')).body.user.email).toBe(alice.email)
    expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body).toBeNull()
  })
})

describe('the access level of an API key', () => {
  /** A key with this access level and without limits of its own. */
  async function keyWith(app: TestApp, access: KeyAccess): Promise<Record<string, string>> {
    const { id } = (await (await signUp(app, alice)).get('/get-session')).body.user
    const { key } = await serverKey(app, { userId: id }, { access, rateLimitEnabled: false })
    return { 'x-api-key': key, origin: '' }
  }

  const changesNothing = ({ method, changes }: Endpoint) => method === 'GET' && changes.length === 0

  it.each([
    ['full', () => true],
    ['read-only', changesNothing],
    ['verify-only', () => false],
  ] as const)('%s: is held at every endpoint of the contract', async (access, includes) => {
    const app = new TestApp(everything)
    let headers = await keyWith(app, access)
    const wrong: string[] = []
    for (const endpoint of endpoints.filter((one) => needsSession(one.access))) {
      const path = endpoint.path.replace(/:\w+/g, 'x')
      const device = app.device()
      const { status, body } =
        endpoint.method === 'GET' ? await device.get(path, { headers }) : await device.post(path, {}, { headers })
      const isRefused = body?.code === 'API_KEY_ACCESS_DENIED' && status === 403
      if (isRefused === includes(endpoint)) wrong.push(`${endpoint.method} ${path}: ${status} ${body?.code}`)
      if (status < 300 && endpoint.method === 'POST') {
        await deleteUsers()
        headers = await keyWith(app, access)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(['read-only', 'verify-only'] as const)('%s: writes nothing, at any endpoint', async (access) => {
    const app = new TestApp(everything)
    const headers = await keyWith(app, access)
    const written = async () => {
      const tables = ['users', 'accounts', 'sessions', 'api_keys', 'organizations', 'oauth_applications', 'passkeys']
      const rows = await env.DB.batch(tables.map((table) => env.DB.prepare(`select * from ${table} order by id`)))
      return rows.map(({ results }) => results.map((row) => ({ ...(row as object), last_request: 0 })))
    }
    const before = await written()
    for (const endpoint of endpoints) {
      if (!needsSession(endpoint.access) && endpoint.path !== '/checkout') continue
      const path = endpoint.path.replace(/:\w+/g, 'x')
      const body = endpoint.input?.example ?? {}
      const { status } =
        endpoint.method === 'GET'
          ? await app.device().get(path, { headers })
          : await app.device().post(path, body, { headers })
      if (endpoint.method === 'POST') expect({ path, status }).toEqual({ path, status: 403 })
    }
    expect(await written()).toEqual(before)
  })

  it('outside an endpoint only a key with full access is a caller', () => {
    const caller = (access: KeyAccess) => ({ key: { id: 'x', access, permissions: null } }) as unknown as Caller
    expect(() => requireKeyAccess(caller('full'), undefined)).not.toThrow()
    expect(() => requireKeyAccess(caller('read-only'), undefined)).toThrow()
  })
})
