import { exportPKCS8, generateKeyPair } from 'jose'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { type DocumentedProvider, documentation } from '../../../testing/outside/social/documentation.ts'
import { errorAt, locationOf, walk } from '../../../testing/outside/walk.ts'
import { sample } from '../../../testing/sample.ts'
import { validatePerson } from './profile.ts'
import type { Profile } from './provider.ts'

/** Token responses and profiles that depart from the standards, from each provider. */

afterEach(() => {
  vi.restoreAllMocks()
})

let appleKey: string
beforeAll(async () => {
  appleKey = await exportPKCS8((await generateKeyPair('ES256', { extractable: true })).privateKey)
})

const ids = Object.keys(documentation) as DocumentedProvider[]
const email = 'octo@example.com'

function visit(id: DocumentedProvider, change: (answer: Profile) => Response) {
  const provider = new OAuthProvider(documentation[id]).install()
  const receive = provider.receive.bind(provider)
  provider.receive = async (request, signal) => {
    const { origin, pathname } = new URL(request.url)
    const answer = await receive(request, signal)
    return `${origin}${pathname}` === documentation[id].token.url ? change(await answer.json()) : answer
  }
  const options: Record<string, unknown> = { ...provider.options, mapProfileToUser: () => ({ email }) }
  if (id === 'apple') Object.assign(options, { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: appleKey })
  const app = new TestApp({ rateLimit: { enabled: false }, socialProviders: { [id]: options } })
  return { provider, device: app.device() }
}

const json = (value: unknown, type = 'application/json') =>
  new Response(JSON.stringify(value), { headers: { 'content-type': type } })

const listOf = ({ scope }: Profile) => (Array.isArray(scope) ? scope : String(scope ?? '').split(/[\s,]+/))

const accepted: [deviation: string, change: (answer: Profile) => Response][] = [
  // Twitch: https://github.com/sergiodxa/remix-auth-oauth2/issues/124
  ['scope as a list', (a) => json({ ...a, scope: listOf(a) })],
  ['scopes between commas', (a) => json({ ...a, scope: listOf(a).join(',') })],
  ['another token_type', (a) => json({ ...a, token_type: 'user' })],
  // LinkedIn: https://github.com/panva/openid-client/issues/826
  ['no token_type', ({ token_type: _, ...a }) => json(a)],
  ['expires_in as text', (a) => json({ ...a, expires_in: '3600' })],
  ['an unusable expires_in', (a) => json({ ...a, expires_in: 'never' })],
  ['null fields', (a) => json({ ...a, error: null, note: null, scope: null, expires_in: null })],
  ['fields in `data`', (a) => json({ message: 'success', data: a })],
  ['another content type', (a) => json(a, 'text/javascript; charset="UTF-8"')],
  ['a byte order mark', (a) => new Response(`\uFEFF${JSON.stringify(a)}`)],
  [
    'a form',
    (a) => new Response(new URLSearchParams({ ...(a as Record<string, string>), scope: listOf(a).join(' ') })),
  ],
]

describe.each(accepted)('%s', (_, change) => {
  it.each(sample(ids, 3))('%s: a sign-in and a refresh', async (id) => {
    const { device, provider } = visit(id, change)
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    if (!documentation[id].token.refresh) return
    const { status, body } = await device.post('/refresh-token', { providerId: id })
    expect({ status, refreshToken: typeof body.refreshToken }).toEqual({ status: 200, refreshToken: 'string' })
  })
})

describe.each<[string, (answer: Profile) => Response]>([
  ['an error with status 200', () => json({ error: 'bad_verification_code', error_description: 'expired' })],
  ['an error as a form', () => new Response('error=bad_verification_code&error_description=expired')],
  ['an error in `data`', () => json({ data: { error: 'invalid_grant' } })],
  ['no access token', ({ access_token: _, ...a }) => json(a)],
  ['an access token that is null', (a) => json({ ...a, access_token: null })],
])('invalid_code: %s', (_, change) => {
  it.each(sample(ids, 3))('%s', async (id) => {
    const { device, provider } = visit(id, change)
    expect(locationOf(await walk(device, provider))).toBe(errorAt('invalid_code'))
  })
})

it('a refresh without a new refresh token keeps the earlier one', async () => {
  let n = 0
  const { device, provider } = visit('google', ({ refresh_token, ...a }) =>
    json({ ...a, refresh_token: n++ === 0 ? (refresh_token ?? 'first') : null }),
  )
  await walk(device, provider)
  const { body } = await device.post('/refresh-token', { providerId: 'google' })
  expect(body.refreshToken).toBeTruthy()
})

describe('profiles', () => {
  const user = { id: '1', name: 'Octo', email, image: null, emailVerified: true }
  it.each<[string, object, object | null]>([
    ['a subject as a number', { id: 4242 }, { id: '4242' }],
    ['"true"', { emailVerified: 'true' }, { emailVerified: true }],
    ['a list of one address', { email: [email] }, { email, emailVerified: true }],
    [
      'a list of addresses, not known which one is verified',
      { email: [email, 'b@example.com'] },
      { email, emailVerified: false },
    ],
    ['an empty list', { email: [] }, { email: null }],
    ['a missing name', { name: undefined }, { name: email }],
    ['a name of null', { name: null }, { name: email }],
    ['a name that is an object', { name: { first: 'x' } }, { name: email }],
    ['a subject of null', { id: null }, null],
  ])('%s', (_, changes, expected) => {
    const person = validatePerson({ ...user, ...changes })
    if (expected === null) expect(person).toBeNull()
    else expect(person).toMatchObject(expected)
  })
})
