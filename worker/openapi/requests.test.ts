import { Validator } from '@cfworker/json-schema'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Endpoint, serverPermissionOf } from '../http/endpoint.ts'
import { contractOf } from '../http/feature.ts'
import { canonicalPath } from '../kit/urls.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { administrator } from '../testing/admins.ts'
import { type GeneratedRequest, type Operation, requestsFor } from '../testing/generated-requests/requests.ts'
import { type Answer, type Device, env, TestApp } from '../testing/harness.ts'
import { callback, registerClient } from '../testing/oauth.ts'
import { company, someone } from '../testing/organizations.ts'
import { everything as allCases, sample } from '../testing/sample.ts'
import { backEnd } from '../testing/server-keys.ts'
import type { JsonSchema } from './schemas.ts'

/**
 * The tests generate requests from the OpenAPI document: valid ones, those at the limits, and hostile ones. No response
 * is an unexpected error, and the document describes every response.
 */

const everything = {
  rateLimit: { enabled: false },
  organization: { teams: { enabled: true } },
  mcp: { enabled: true },
  identityProvider: { allowDynamicClientRegistration: true },
  billing: { accessToken: 'token', webhookSecret: 'secret' },
  account: { accountLinking: { enabled: true } },
}

interface Described {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

const callers = ['a visitor', 'a user', 'an administrator', 'a back end'] as const
type Who = (typeof callers)[number]

/** The permitted caller with the fewest permissions gets every request, the other callers a few. */
const leastOf = ({ access }: Endpoint): Who =>
  serverPermissionOf({ access }) !== null
    ? 'a back end'
    : typeof access === 'object'
      ? 'an administrator'
      : /session$/.test(access)
        ? 'a user'
        : 'a visitor'

let app: TestApp
let people = 0
let hints: Record<string, unknown>

/** Valid values for the requests of a client: the client exists, but its codes and tokens do not. */
async function clientOf(device: Device): Promise<object> {
  const { client_id, client_secret } = await registerClient(device)
  return {
    client_id,
    client_secret,
    client_assertion: undefined,
    id: client_id,
    grant_type: 'authorization_code',
    response_type: 'code',
    redirect_uri: callback,
    redirect_uris: [callback],
    scope: 'openid',
    prompt: 'login',
    request_uri: undefined,
  }
}

/** Creates a new caller, because a call may have ended the session, the organization or the user. */
async function arrive(who: Who): Promise<Device> {
  if (who === 'a visitor') return app.device()
  const name = `person-${++people}`
  const { id, device } =
    who === 'an administrator'
      ? await administrator(app, { name, email: `${name}@example.com`, password: 'password1234' })
      : await someone(app, name)
  const { id: organizationId } = await company(app, `company-${people}`, { id, email: `${name}@example.com`, device })
  hints = {
    email: `${name}@example.com`,
    password: 'password1234',
    callbackURL: '/welcome',
    redirectTo: '/welcome',
    errorCallbackURL: '/wrong',
    newUserCallbackURL: '/new',
    provider: 'credential',
    userId: id,
    organizationId,
    organizationSlug: `company-${people}`,
    role: 'user',
    ...(await clientOf(device)),
  }
  return who === 'a back end' ? (await backEnd(app)).device : device
}

/** Whether the previous caller still has session, organization and role. */
async function isStillHere(who: Who): Promise<boolean> {
  if (who === 'a visitor') return true
  const role = who === 'an administrator' ? 'admin' : ''
  const query = `select 1 from users join sessions on sessions.user_id = users.id join members on members.user_id = users.id
    where users.id = ? and coalesce(users.role, '') ${role ? '=' : '<>'} 'admin' and not coalesce(users.banned, 0) and members.organization_id = ?`
  return (await env.DB.prepare(query).bind(hints.userId, hints.organizationId).first()) !== null
}

const validators = new WeakMap<JsonSchema, Validator>()

/** Whether a request matches the operation: a parameter may have changed its path. */
function isFor(operationPath: string, sent: string): boolean {
  const path = canonicalPath(new URL(sent, 'http://localhost').pathname)
  return (
    path !== null && new RegExp(`^${operationPath.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
  )
}

/** Returns why the response does not match the operation; null if it matches. */
function fault({ status, headers, body }: Answer, { responses }: Operation, { components }: Described): string | null {
  if (status === 500 && body?.code === 'INTERNAL_SERVER_ERROR') return 'unforeseen'
  const response = responses[status]
  if (!response) return 'the document has no such status'
  const type = headers.get('content-type')?.split(';')[0]
  if (!response.content) return body === '' ? null : 'the document has no body'
  const schema = type && response.content[type]?.schema
  if (!schema) return `the document has no ${type ?? 'empty answer'}`
  if (type !== 'application/json') return null
  let validator = validators.get(schema)
  if (!validator) validators.set(schema, (validator = new Validator({ ...schema, components } as never, '2020-12')))
  const { valid, errors } = validator.validate(body)
  return valid
    ? null
    : errors
        .map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
        .join('; ')
        .slice(0, 300)
}

function send(device: Device, method: string, { path, body, headers = {} }: GeneratedRequest): Promise<Answer> {
  return method === 'get'
    ? device.get(path, { headers, keep: false })
    : device.post(path, body, { headers, keep: false })
}

let sent = 0
afterAll(() => {
  expect(sent).toBeGreaterThan(0)
})

beforeEach(() => {
  app = new TestApp(everything, {}, false)
  // External services fail.
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}', { status: 502 }))
  return () => vi.restoreAllMocks()
})

const features = servedFeatures({
  mcp: { enabled: true },
  organization: { teams: { enabled: true } },
  billing: { accessToken: 'token' },
})

describe.each(
  features
    .filter((feature) => Object.keys(contractOf(feature)).length > 0)
    .map((feature) => [feature.name, feature] as const),
)('%s', (_name, feature) => {
  it('answers generated requests as the document says', async () => {
    const described: Described = (await app.device().get('/open-api/generate-schema')).body
    const wrong: string[] = []
    // The user in the requests of visitors.
    await arrive('a user')
    for (const who of callers) {
      let device = await arrive(who)
      for (const endpoint of Object.values(contractOf(feature))) {
        if ((!allCases || who === 'a back end') && who !== leastOf(endpoint)) continue
        const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
        const method = endpoint.method.toLowerCase()
        const operation = described.paths[path]?.[method]
        if (!operation) continue
        for (const request of sample(requestsFor(path, operation, hints, who === leastOf(endpoint)), 2)) {
          sent++
          let found: string | null
          try {
            const answer = await send(device, method, request)
            found = isFor(path, request.path)
              ? fault(answer, operation, described)
              : answer.status === 404
                ? null
                : 'it is for another path'
            if (found) found = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 200)}: ${found}`
            if (answer.status < 400 && endpoint.changes.length > 0 && !(await isStillHere(who)))
              device = await arrive(who)
          } catch (thrown) {
            found = String(thrown)
          }
          if (found) wrong.push(`${method} ${path} by ${who}, ${request.what}: ${found}`)
        }
      }
    }
    expect(wrong, wrong.join('\n')).toEqual([])
  })
})
