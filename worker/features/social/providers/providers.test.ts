import { exportPKCS8, generateKeyPair } from 'jose'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Device, origin, TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import { type DocumentedProvider, documentation } from '../../../testing/outside/social/documentation.ts'
import type { Trouble } from '../../../testing/outside/trouble.ts'
import { comeBack, errorAt, errorPage, locationOf, startAt, walk } from '../../../testing/outside/walk.ts'
import { sample } from '../../../testing/sample.ts'

/**
 * Each of the eighteen providers, from the button to the session, against a fake that follows the provider's
 * documentation.
 */

afterEach(() => {
  vi.restoreAllMocks()
})

/** The user of the profiles in testing/outside/social. */
const people: Record<DocumentedProvider, { name: string; image: string | null; emailVerified: boolean }> = {
  apple: { name: 'Ap Ple', image: null, emailVerified: true },
  discord: {
    name: 'Nelly',
    image: 'https://cdn.discordapp.com/avatars/4242/8342729096ea3675442027381ff50dfe.png',
    emailVerified: true,
  },
  facebook: { name: 'Fay Book', image: 'https://platform.example.com/f.jpg', emailVerified: false },
  github: { name: 'Octo Cat', image: 'https://avatars.example.com/u/4242', emailVerified: true },
  microsoft: { name: 'Mia Crosoft', image: 'data:image/jpeg;base64,/9j/4A==', emailVerified: true },
  google: { name: 'Gina Oogle', image: 'https://lh3.example.com/g.png', emailVerified: true },
  spotify: { name: 'Spo Tify', image: 'https://i.example.com/s.jpg', emailVerified: false },
  twitch: { name: 'Twi_tch', image: 'https://static.example.com/t.png', emailVerified: true },
  twitter: { name: 'X Dev', image: 'https://pbs.example.com/x.jpg', emailVerified: true },
  dropbox: { name: 'Franz Ferdinand', image: 'https://dl-web.example.com/d.png', emailVerified: true },
  kick: { name: 'Kicker', image: 'https://kick.example.com/k.webp', emailVerified: false },
  linkedin: { name: 'Lin Ked', image: 'https://media.example.com/l.jpg', emailVerified: true },
  gitlab: { name: 'Git Lab', image: 'https://gitlab.example.com/g.png', emailVerified: true },
  tiktok: { name: 'Tik Tok', image: 'https://p16.example.com/t.jpeg', emailVerified: false },
  reddit: { name: 'red_dit', image: 'https://styles.example.com/r.png', emailVerified: false },
  roblox: { name: 'Rob Lox', image: 'https://tr.example.com/r.png', emailVerified: false },
  vk: { name: 'Ivan Ivanov', image: 'https://pp.example.com/v.png', emailVerified: false },
  zoom: { name: 'Zo Om', image: 'https://zoom.example.com/z.png', emailVerified: true },
}

const code = { response_type: 'code' }
const pkce = { code_challenge_method: 'S256' }

/** The constant parameters of each authorization, without client, callback, state and random values. */
const asked: Record<DocumentedProvider, Record<string, string>> = {
  apple: { response_type: 'code id_token', scope: 'email name', response_mode: 'form_post' },
  discord: { ...code, scope: 'identify email', prompt: 'none' },
  facebook: { ...code, scope: 'email public_profile' },
  github: { ...code, scope: 'read:user user:email' },
  microsoft: { ...code, ...pkce, scope: 'openid profile email User.Read offline_access' },
  google: { ...code, ...pkce, scope: 'email profile openid' },
  spotify: { ...code, ...pkce, scope: 'user-read-email' },
  twitch: {
    ...code,
    scope: 'user:read:email openid',
    claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null,"picture":null}}',
  },
  twitter: { ...code, ...pkce, scope: 'users.read tweet.read offline.access users.email' },
  dropbox: { ...code, ...pkce, scope: 'account_info.read' },
  kick: { ...code, ...pkce, scope: 'user:read' },
  linkedin: { ...code, scope: 'profile email openid' },
  gitlab: { ...code, ...pkce, scope: 'read_user' },
  tiktok: { ...code, scope: 'user.info.profile' },
  reddit: { ...code, scope: 'identity' },
  roblox: { ...code, scope: 'openid profile', prompt: 'select_account consent' },
  vk: { ...code, ...pkce, scope: 'email phone' },
  zoom: { ...code, ...pkce },
}

/** Options of the flow that request more than the protocol's defaults. */
const unasked = (id: DocumentedProvider) =>
  ['accessType', 'duration', 'lang_id', 'scheme'].filter((name) => name in (documentation[id].options ?? {}))

/** They return no addresses; mapProfileToUser adds one. */
const addressless = new Set<DocumentedProvider>(['tiktok', 'reddit', 'roblox'])

/** The user is read from an id token, which is part of the exchange. */
const byIdToken = new Set<DocumentedProvider>(['apple', 'microsoft', 'google', 'twitch'])

const troubles: Trouble[] = ['answers 500', 'answers garbage', 'answers nothing']

/** An id token that is invalid or has no subject fails the exchange. */
const whenUnknown = (id: DocumentedProvider) => (byIdToken.has(id) ? 'invalid_code' : 'unable_to_get_user_info')

const ids = Object.keys(people) as DocumentedProvider[]
const anAddress = 'octo@example.com'
let appleKey: string

beforeAll(async () => {
  appleKey = await exportPKCS8((await generateKeyPair('ES256', { extractable: true })).privateKey)
})

/** A browser of an application with one provider, and that provider. */
function visit(id: DocumentedProvider, more: Record<string, unknown> = {}) {
  const provider = new OAuthProvider(documentation[id]).install()
  const options: Record<string, unknown> = { ...provider.options, ...more }
  if (id === 'apple') Object.assign(options, { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey: appleKey })
  const app = new TestApp({ socialProviders: { [id]: options } })
  return { app, provider, device: app.device() }
}

/** The same with an address that mapProfileToUser adds. */
const visitWithAddress = (id: DocumentedProvider) =>
  visit(id, addressless.has(id) ? { mapProfileToUser: () => ({ email: anAddress }) } : {})

/** The URL of the button. */
async function addressFor(device: Device, provider: string): Promise<string> {
  const answer = await device.post('/sign-in/social', { provider, callbackURL: '/dash' })
  expect(answer.body).toEqual({ url: expect.any(String), redirect: true })
  return answer.body.url
}

async function expectNoUser(device: Device): Promise<void> {
  expect((await device.get('/get-session')).body).toBeNull()
}

describe.each(sample(ids, 6))('%s', (id) => {
  const { authorization, token, clientId, clientSecret } = documentation[id]

  it('asks as the protocol does, and keeps the secret to itself', async () => {
    const { device } = visit(id, Object.fromEntries(unasked(id).map((name) => [name, undefined])))
    const url = new URL(await addressFor(device, id))
    expect(`${url.origin}${url.pathname}`).toBe(authorization.url)
    const { state, code_challenge, nonce, ...constant } = Object.fromEntries(url.searchParams)
    expect(constant).toEqual({
      ...asked[id],
      [authorization.clientIdName ?? 'client_id']: clientId,
      redirect_uri: `${origin}/api/auth/callback/${id}`,
    })
    expect(state).toHaveLength(32)
    expect(code_challenge !== undefined).toBe('code_challenge_method' in constant)
    expect(nonce !== undefined).toBe(byIdToken.has(id))
    if (clientSecret) expect(url.href).not.toContain(clientSecret)
  })

  it('signs in a new user, and the same user the next time', async () => {
    const { app, device, provider } = visitWithAddress(id)
    expect(locationOf(await walk(device, provider))).toBe('/dash')
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ email: anAddress, ...people[id] })
    const [account] = (await device.get('/list-accounts')).body
    expect(account).toMatchObject({ provider: id, accountId: '4242' })

    provider.person.email = 'moved@example.com'
    const another = app.device()
    expect(locationOf(await walk(another, provider))).toBe('/dash')
    expect((await another.get('/get-session')).body.user.id).toBe(user.id)
  })

  it('returns the error when the user refuses', async () => {
    const { device, provider } = visitWithAddress(id)
    const refused = provider.authorize(await addressFor(device, id), 'refuses')
    const [target] = locationOf(await comeBack(device, refused))!.split('&')
    expect(target).toBe(errorPage(refused.parameters.error!))
    await expectNoUser(device)
  })

  it('email_not_found: a profile without an address', async () => {
    const { device, provider } = visit(id)
    delete provider.person.email
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    await expectNoUser(device)
  })

  it('a profile without an id', async () => {
    const { device, provider } = visitWithAddress(id)
    delete provider.person.id
    expect(locationOf(await walk(device, provider))).toBe(errorAt(whenUnknown(id)))
    await expectNoUser(device)
  })

  it('invalid_code: an expired code', async () => {
    const { device, provider } = visitWithAddress(id)
    const callback = await startAt(device, provider)
    provider.expireCodes()
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('invalid_code'))
    await expectNoUser(device)
  })

  it('invalid_code: a code that was used before', async () => {
    const { device, provider } = visitWithAddress(id)
    const first = await startAt(device, provider)
    expect(locationOf(await comeBack(device, first))).toBe('/dash')
    const second = await startAt(device, provider)
    second.parameters.code = first.parameters.code!
    expect(locationOf(await comeBack(device, second))).toBe(errorAt('invalid_code'))
  })

  it.each(troubles)('temporarily_unavailable: the token endpoint %s', async (trouble) => {
    const { device, provider } = visitWithAddress(id)
    const callback = await startAt(device, provider)
    provider.fail('token', trouble)
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('temporarily_unavailable'))
    await expectNoUser(device)
  })

  it.each(troubles)('whatever else it is asked, it %s', async (trouble) => {
    const { device, provider } = visitWithAddress(id)
    const callback = await startAt(device, provider)
    provider.fail('api', trouble)
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('temporarily_unavailable'))
    await expectNoUser(device)
  })

  it('returns access tokens, and new ones where the provider refreshes', async () => {
    const { device, provider } = visitWithAddress(id)
    await walk(device, provider)
    const given = await device.post('/get-access-token', { providerId: id })
    expect(given.body.accessToken).toBe(`${id}-access-2`)
    const refreshed = await device.post('/refresh-token', { providerId: id })
    if (token.refresh) {
      expect(refreshed.status).toBe(200)
      expect(refreshed.body.accessToken).toMatch(new RegExp(`^${id}-access-(?!2$)`))
    } else {
      expect(refreshed.status).toBe(400)
      expect(refreshed.body.code).toBe('FAILED_TO_REFRESH_ACCESS_TOKEN')
    }
  })

  it('returns the profile of an account', async () => {
    const { device, provider } = visitWithAddress(id)
    await walk(device, provider)
    const { status, body } = await device.post('/account-info', { accountId: '4242' })
    expect(status).toBe(200)
    // Apple returns the name once, at the first consent.
    const name = id === 'apple' ? anAddress : people[id].name
    expect(body.user).toMatchObject({ id: '4242', email: anAddress, ...people[id], name })
  })
})
