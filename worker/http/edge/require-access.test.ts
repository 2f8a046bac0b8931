import { describe, expect, it } from 'vitest'
import { enabledFeatures } from '../../features.ts'
import { mergeOptions } from '../../kit/options.ts'
import { type Config, readConfig } from '../../read-config.ts'
import { serverKey } from '../../testing/api-keys.ts'
import { config } from '../../testing/config.ts'
import { type Device, env, TestApp } from '../../testing/harness.ts'
import { alice, signUp } from '../../testing/people.ts'
import type { Access, Contract, Endpoint } from '../endpoint.ts'
import { partyCheckOf } from './require-access.ts'

const everything: Config = {
  rateLimit: { enabled: false },
  organization: { teams: { enabled: true } },
  mcp: { enabled: true },
  account: { askForEmail: true },
  // Its own path is there, and nothing is guarded.
  captcha: { provider: 'hcaptcha', siteKey: 'site', secretKey: 'secret', endpoints: ['/nowhere'] },
  // Nobody listens there.
  billing: { accessToken: 'token', server: 'http://127.0.0.1:9' },
}
const endpoints: Endpoint[] = enabledFeatures(readConfig(mergeOptions(config, everything), env).options).flatMap(
  ({ routes }) => Object.values(routes?.contract ?? {}),
)

/** Who calls, and with which code each kind of access refuses them; null where it lets them in. */
const callers: Record<
  string,
  { make(app: TestApp): Promise<Device>; refused(access: Access, unauthorized?: string): string | null }
> = {
  'a visitor': {
    make: async (app) => app.device(),
    refused: (access, unauthorized = 'UNAUTHORIZED') => (needsSession(access) ? unauthorized : null),
  },
  'a person who signed in just now': {
    make: (app) => signUp(app, alice),
    refused: (access) => (isAdminOnly(access) ? 'forbidden' : null),
  },
  'a person who signed in long ago': {
    make: async (app) => {
      const device = await signUp(app, alice)
      await env.DB.prepare('update sessions set created_at = 1, updated_at = ?').bind(Date.now()).run()
      return device
    },
    refused: (access) =>
      isAdminOnly(access) ? 'forbidden' : access === 'fresh-session' ? 'SESSION_IS_NOT_FRESH' : null,
  },
  'a guest': {
    make: async (app) => {
      const device = app.device()
      await device.post('/sign-in/anonymous')
      return device
    },
    refused: (access) => (isAdminOnly(access) ? 'forbidden' : null),
  },
  'an API key': {
    make: async (app) => {
      const { id } = (await (await signUp(app, alice)).get('/get-session')).body.user
      const device = app.device()
      device.headers = { 'x-api-key': (await serverKey(app, { userId: id }, { rateLimitEnabled: false })).key }
      return device
    },
    refused: (access) =>
      isAdminOnly(access)
        ? 'forbidden'
        : access === 'own-session' || access === 'fresh-session'
          ? 'OWN_SESSION_REQUIRED'
          : null,
  },
  'an administrator who acts as somebody': {
    make: async (app) => {
      const device = await signUp(app, alice)
      await env.DB.prepare("update sessions set impersonated_by = 'somebody'").run()
      return device
    },
    refused: (access) =>
      isAdminOnly(access)
        ? 'forbidden'
        : access === 'own-session' || access === 'fresh-session'
          ? 'OWN_SESSION_REQUIRED'
          : null,
  },
}

const isAdminOnly = (access: Access): access is Extract<Access, object> => typeof access === 'object'
const needsSession = (access: Access) => isAdminOnly(access) || /session$/.test(access as string)

/** The strict profile, but that people have a session before their address is verified. */
const strictly = { profile: 'strict', emailAndPassword: { requireEmailVerification: false } } as const

/** What http/edge/require-access.ts itself refuses with. */
const refusals = ['UNAUTHORIZED', 'INVALID_API_KEY', 'OWN_SESSION_REQUIRED', 'SESSION_IS_NOT_FRESH', 'FORBIDDEN']

describe.each(Object.entries(callers))('%s', (_who, { make, refused }) => {
  it.each([false, true])('is let in, or refused, as every endpoint says (strict: %s)', async (strict) => {
    const app = new TestApp({ ...everything, ...(strict ? strictly : {}) })
    const wrong: string[] = []
    const template = await make(app)
    for (const endpoint of endpoints) {
      if (!needsSession(endpoint.access)) continue
      const device = app.device()
      for (const [name, value] of template.jar) device.jar.set(name, value)
      device.headers = template.headers
      const path = endpoint.path.replace(/:\w+/g, 'x')
      const { status, body } = endpoint.method === 'GET' ? await device.get(path) : await device.post(path, {})
      const expected = refused(endpoint.access, endpoint.unauthorized?.code)
      const code = String(body?.code ?? '')
      const fits =
        expected === null
          ? !refusals.slice(0, 4).includes(code) || status === 200
          : expected === 'forbidden'
            ? status === 403
            : code === expected
      if (!fits) wrong.push(`${endpoint.method} ${path} (${JSON.stringify(endpoint.access)}): ${status} ${code}`)
      // A call that was let in may have ended the session, the organization or the person.
      if (status < 300 && endpoint.method === 'POST') {
        await env.DB.exec('delete from users')
        const next = await make(app)
        template.jar.clear()
        for (const [name, value] of next.jar) template.jar.set(name, value)
        template.headers = next.headers
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('what every endpoint declares', () => {
  it('is all looked at here: no contract is left out by a feature that is off', () => {
    const files = import.meta.glob<Record<string, Contract>>('../../features/**/*.contract.ts', { eager: true })
    const declared = Object.values(files)
      .flatMap((file) => Object.entries(file).filter(([name]) => name.endsWith('Contract')))
      .flatMap(([, contract]) => Object.values(contract).map(({ method, path }) => `${method} ${path}`))
    const seen = new Set(endpoints.map(({ method, path }) => `${method} ${path}`))
    expect(declared.filter((one) => !seen.has(one))).toEqual([])
  })

  it('changes of credentials, keys, consent and roles ask for a session of the person themselves', () => {
    const guarded =
      /password|email$|two-factor|passkey|api-key|unlink|link-social|[hs]-token|delete-user|remove-member|role/
    const lax = endpoints
      .filter(({ method, path, access }) => method === 'POST' && access === 'session' && guarded.test(path))
      .map(({ path }) => path)
    expect(lax).toEqual([])
  })
})

describe('a kind of access that a feature decides', () => {
  it.each(['client', 'webhook'] as const)('%s: an endpoint without the check is not mounted', (access) => {
    expect(() => partyCheckOf(access, {}, '/somewhere')).toThrow('/somewhere')
    const check = () => ({})
    expect(partyCheckOf(access, { [access]: check }, '/somewhere')).toBe(check)
  })
})

describe('a session that ended elsewhere', () => {
  it('opens nothing: only get-session may still show what its cookie holds, for as long as that lives', async () => {
    const app = new TestApp(everything)
    const device = await signUp(app, alice)
    const frozen = new Map(device.jar)
    // Ended by another isolate: this one has not heard of it.
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
