import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TestApp } from '../../../testing/harness.ts'
import { OAuthProvider } from '../../../testing/outside/oauth-provider.ts'
import type { ProviderDocumentation } from '../../../testing/outside/provider-documentation.ts'
import { type DocumentedProvider, documentation } from '../../../testing/outside/social/documentation.ts'
import { comeBack, errorAt, locationOf, startAt, walk } from '../../../testing/outside/walk.ts'
import { validatePerson } from '../model/profile.ts'
import type { Profile, ProviderContext } from '../model/provider.ts'
import { findProvider } from './providers.ts'
import { vkLanguages } from './vk.ts'

/** Behaviour of single providers. */

afterEach(() => {
  vi.restoreAllMocks()
})

/** A provider with some changes, and a browser that signs in there. */
function visit(
  id: DocumentedProvider,
  options: Record<string, unknown> = {},
  different: Partial<ProviderDocumentation> = {},
  environment: Record<string, string> = {},
) {
  const provider = new OAuthProvider({ ...documentation[id], ...different }).install()
  const app = new TestApp({ socialProviders: { [id]: { ...provider.options, ...options } } }, environment)
  return { app, provider, device: app.device() }
}

/** A response that differs from the example in the documentation. */
const api = (id: DocumentedProvider, changes: ProviderDocumentation['api']): Partial<ProviderDocumentation> => ({
  api: { ...documentation[id].api, ...changes },
})

const askedOf = (provider: OAuthProvider, path: string) =>
  provider.requests.filter(({ url }) => `${url.host}${url.pathname}`.startsWith(path))

const userOf = async ({ device, provider }: Pick<ReturnType<typeof visit>, 'device' | 'provider'>) => {
  expect(locationOf(await walk(device, provider))).toBe('/dash')
  return (await device.get('/get-session')).body.user
}

const signInWith = async ({ device, provider }: Pick<ReturnType<typeof visit>, 'device' | 'provider'>, token: string) =>
  device.post('/sign-in/social', { provider: provider.documentation.id, idToken: { token } })

describe('apple', () => {
  const keys = generateKeyPair('ES256', { extractable: true })
  const team = { teamId: 'TEAM123456', keyId: 'KEY1234567' }
  const secretOf = (provider: OAuthProvider) =>
    askedOf(provider, 'appleid.apple.com/auth/token')[0]?.form.get('client_secret')

  it('signs its client secret', async () => {
    const privateKey = await exportPKCS8((await keys).privateKey)
    const { device, provider } = visit('apple', { ...team, privateKey })
    await walk(device, provider)
    const { payload, protectedHeader } = await jwtVerify(secretOf(provider)!, (await keys).publicKey, {
      issuer: team.teamId,
      subject: 'com.example.web',
      audience: 'https://appleid.apple.com',
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: team.keyId })
    expect(payload.exp! - payload.iat!).toBe(300)
  })

  it('reads the key from the secret of the environment, with any line endings', async () => {
    const text = (await exportPKCS8((await keys).privateKey)).replaceAll('\n', '\\n')
    const { device, provider } = visit('apple', team, {}, { APPLE_CLIENT_SECRET: text })
    expect(locationOf(await walk(device, provider))).toBe('/dash')
  })

  it('sends a ready secret as it is', async () => {
    const { device, provider } = visit('apple', { clientSecret: 'a.ready.secret' })
    await walk(device, provider)
    expect(secretOf(provider)).toBe('a.ready.secret')
  })

  it('invalid_code: neither secret nor key', async () => {
    const { device, provider } = visit('apple')
    expect(locationOf(await walk(device, provider))).toBe(errorAt('invalid_code'))
  })

  it('uses the address where no name is sent', async () => {
    const { device, provider } = visit('apple', { clientSecret: 'a.ready.secret' })
    const callback = await startAt(device, provider)
    callback.parameters.user = '{"name":{"firstName":{},"lastName":[]},"email":'
    await comeBack(device, callback)
    expect((await device.get('/get-session')).body.user.name).toBe('octo@example.com')
  })

  it('returns a name once and never a picture: stored values stay, also where both follow the provider', async () => {
    const { device, provider } = visit('apple', { clientSecret: 'a.ready.secret', overrideUserInfoOnSignIn: true })
    await walk(device, provider)
    await device.post('/update-user', { image: 'https://img.example.com/a.png' })
    const callback = await startAt(device, provider)
    delete callback.parameters.user
    await comeBack(device, callback)
    const { user } = (await device.get('/get-session')).body
    expect(user).toMatchObject({ name: 'Ap Ple', image: 'https://img.example.com/a.png' })
  })

  it('accepts the id tokens of the native app', async () => {
    const native = visit('apple', { clientSecret: 'a.ready.secret', appBundleIdentifier: 'com.example.app' })
    expect((await signInWith(native, await native.provider.signIdToken('com.example.app'))).status).toBe(200)
    expect((await signInWith(native, await native.provider.signIdToken('com.example.web'))).status).toBe(200)
    const web = visit('apple', { clientSecret: 'a.ready.secret' })
    expect((await signInWith(web, await web.provider.signIdToken('com.example.app'))).status).toBe(401)
  })
})

describe('microsoft', () => {
  const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
  const work = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  const from = (tid: unknown, issuer = `https://login.microsoftonline.com/${tid}/v2.0`) => ({
    issuer,
    claims: () => ({ sub: '4242', tid, email: 'octo@example.com', name: 'Mia' }),
  })

  it.each<[tenantId: string | undefined, tid: unknown, status: number]>([
    [undefined, work, 200],
    [undefined, personal, 200],
    ['organizations', work, 200],
    ['organizations', personal, 401],
    ['consumers', personal, 200],
    ['consumers', work, 401],
    [work, work, 200],
    [work.toUpperCase(), work, 200],
    [work, other, 401],
    ['example.onmicrosoft.com', work, 401],
    [undefined, 'common', 401],
    [undefined, undefined, 401],
    [undefined, [work], 401],
  ])('tenant %s, id token of %s: %i', async (tenantId, tid, status) => {
    const jwks = `https://login.microsoftonline.com/${tenantId ?? 'common'}/discovery/v2.0/keys`
    const walker = visit('microsoft', { tenantId }, { ...from(tid), jwks })
    const answer = await signInWith(walker, await walker.provider.signIdToken(documentation.microsoft.clientId))
    expect(answer.status).toBe(status)
  })

  it('401: an id token whose issuer is not its tenant', async () => {
    const walker = visit('microsoft', {}, from(work, `https://login.microsoftonline.com/${other}/v2.0`))
    const answer = await signInWith(walker, await walker.provider.signIdToken(documentation.microsoft.clientId))
    expect(answer.status).toBe(401)
  })

  it('does not treat an address as verified that any administrator can enter', async () => {
    expect(await userOf(visit('microsoft', {}, from(work)))).toMatchObject({ emailVerified: false })
  })

  it('asks for the photo in the size that is configured, or not at all', async () => {
    const large = api('microsoft', {
      'GET https://graph.microsoft.com/v1.0/me/photos/96x96/$value': () =>
        new Response(new Uint8Array([1]), { headers: { 'content-type': 'image/png' } }),
    })
    expect((await userOf(visit('microsoft', { profilePhotoSize: 96 }, large))).image).toBe('data:image/png;base64,AQ==')
    const without = visit('microsoft', { disableProfilePhoto: true })
    without.provider.person = { id: '4343', email: 'camera-shy@example.com' }
    expect((await userOf(without)).image).toBeNull()
    expect(askedOf(without.provider, 'graph.microsoft.com')).toEqual([])
  })

  it.each<[string, () => Response]>([
    ['none', () => Response.json({ error: { code: 'ImageNotFound' } }, { status: 404 })],
    ['a drawing with scripts', () => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })],
    ['a huge one', () => new Response(new Uint8Array(100_000), { headers: { 'content-type': 'image/jpeg' } })],
  ])('signs in without a photo: %s', async (_, answer) => {
    const different = api('microsoft', { 'GET https://graph.microsoft.com/v1.0/me/photos/48x48/$value': answer })
    expect((await userOf(visit('microsoft', {}, different))).image).toBeNull()
  })
})

describe('facebook', () => {
  const inspect = (data: unknown) =>
    ({
      ...api('facebook', { 'GET https://graph.facebook.com/v21.0/debug_token': () => ({ data }) }),
      open: ['GET https://graph.facebook.com/v21.0/debug_token', 'GET https://graph.facebook.com/v21.0/me'],
    }) satisfies Partial<ProviderDocumentation>
  const ours = { app_id: '1234567890', is_valid: true, type: 'USER', user_id: '4242' }

  it('asks for more fields, and in a configuration for businesses', async () => {
    const { device, provider } = visit('facebook', { fields: ['birthday'], configId: 'config-1' })
    const started = await device.post('/sign-in/social', { provider: 'facebook', callbackURL: '/dash' })
    expect(new URL(started.body.url).searchParams.get('config_id')).toBe('config-1')
    await comeBack(device, provider.authorize(started.body.url))
    const [asked] = askedOf(provider, 'graph.facebook.com/v21.0/me')
    expect(asked?.url.searchParams.get('fields')).toBe('id,name,email,picture,birthday')
  })

  it('takes an access token in place of an id token when it was issued to this application', async () => {
    const walker = visit('facebook', {}, inspect(ours))
    const answer = await signInWith(walker, 'an-access-token')
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ name: 'Fay Book', email: 'octo@example.com' })
    const [asked] = askedOf(walker.provider, 'graph.facebook.com/v21.0/debug_token')
    expect(asked?.url.searchParams.get('input_token')).toBe('an-access-token')
    expect(asked?.url.search).not.toContain('facebook-secret')
    expect(asked?.headers.get('authorization')).toBe('Bearer 1234567890|facebook-secret')
  })

  it.each<[string, unknown]>([
    ['another application', { ...ours, app_id: '999' }],
    ['expired', { ...ours, is_valid: false }],
    ['of a page', { ...ours, type: 'PAGE' }],
    ['unknown', undefined],
  ])('401: an access token that is %s', async (_, data) => {
    const walker = visit('facebook', {}, inspect(data))
    expect((await signInWith(walker, 'an-access-token')).body.code).toBe('INVALID_TOKEN')
    expect(askedOf(walker.provider, 'graph.facebook.com/v21.0/me')).toEqual([])
  })
})

describe('github', () => {
  const user = (email: string | null) => ({ id: 4242, login: 'octo', name: null, email, avatar_url: null })
  const profiles = (shown: string | null, list: unknown) =>
    api('github', {
      'GET https://api.github.com/user': () => user(shown),
      'GET https://api.github.com/user/emails': () => list,
    })
  const entry = (email: string, primary: boolean, verified: unknown) => ({ email, primary, verified })

  it.each<[string, string | null, unknown, string, boolean]>([
    ['the primary address', null, [entry('b@example.com', true, true)], 'b@example.com', true],
    ['a primary address that is not verified', null, [entry('b@example.com', true, false)], 'b@example.com', false],
    [
      'the public address',
      'a@example.com',
      [entry('b@example.com', true, true), entry('a@example.com', false, false)],
      'a@example.com',
      false,
    ],
    ['a public address that is not in the list', 'a@example.com', [], 'a@example.com', false],
    ['an invalid list', 'a@example.com', { a: 1 }, 'a@example.com', false],
    ['a list that it may not see', 'a@example.com', new Response('{}', { status: 404 }), 'a@example.com', false],
  ])('%s', async (_, shown, list, email, emailVerified) => {
    expect(await userOf(visit('github', {}, profiles(shown, list)))).toMatchObject({
      name: 'octo',
      email,
      emailVerified,
    })
  })

  it('temporarily_unavailable: the list of addresses is unavailable', async () => {
    const { device, provider } = visit('github', {}, profiles('a@example.com', new Response('{}', { status: 502 })))
    expect(locationOf(await walk(device, provider))).toBe(errorAt('temporarily_unavailable'))
  })

  it("sends the login hint under the provider's name", async () => {
    const { device } = visit('github')
    const { body } = await device.post('/sign-in/social', { provider: 'github', callbackURL: '/', loginHint: 'octo' })
    expect(new URL(body.url).searchParams.get('login')).toBe('octo')
  })
})

describe('gitlab', () => {
  const own = 'https://git.example.com/gitlab'
  const profile = (changes: object) => () => ({
    ...{ id: 4242, username: 'gity', name: '', state: 'active', email: 'octo@example.com' },
    ...changes,
  })
  const answering = (changes: object) => api('gitlab', { 'GET https://gitlab.com/api/v4/user': profile(changes) })

  it('uses the server of the configuration', async () => {
    const { authorization, token } = documentation.gitlab
    const walker = visit(
      'gitlab',
      { issuer: `${own}/` },
      {
        authorization: { ...authorization, url: `${own}/oauth/authorize` },
        token: { ...token, url: `${own}/oauth/token` },
        api: { [`GET ${own}/api/v4/user`]: profile({}) },
      },
    )
    expect(await userOf(walker)).toMatchObject({ name: 'gity' })
  })

  it.each([{ state: 'blocked' }, { state: 'deactivated' }, { locked: true }, { state: undefined }])(
    'unable_to_get_user_info: %o',
    async (changes) => {
      const { device, provider } = visit('gitlab', {}, answering(changes))
      expect(locationOf(await walk(device, provider))).toBe(errorAt('unable_to_get_user_info'))
    },
  )

  it('recognizes an unconfirmed address', async () => {
    expect(await userOf(visit('gitlab', {}, answering({ confirmed_at: null })))).toMatchObject({ emailVerified: false })
  })
})

describe('twitter', () => {
  it('does not ask for the address without the scope for it', async () => {
    const { device, provider } = visit('twitter', { disableDefaultScope: true, scope: ['users.read', 'tweet.read'] })
    expect(locationOf(await walk(device, provider))).toBe(errorAt('email_not_found'))
    const [asked] = askedOf(provider, 'api.x.com/2/users/me')
    expect(asked?.url.searchParams.get('user.fields')).toBe('profile_image_url')
  })
})

describe('twitch', () => {
  it('asks the API where no id token comes', async () => {
    const { device, provider } = visit(
      'twitch',
      { disableDefaultScope: true, scope: ['user:read:email'] },
      {
        token: {
          ...documentation.twitch.token,
          answer: ({ scopes }) => ({ token_type: 'bearer', expires_in: 14_124, scope: scopes }),
        },
      },
    )
    expect(await userOf({ device, provider })).toMatchObject({ name: 'Twi_tch', emailVerified: false })
  })
})

describe('tiktok', () => {
  it('puts commas between scopes, and asks for what they cover only', async () => {
    const { device, provider } = visit('tiktok', { scope: ['video.list'] })
    const { body } = await device.post('/sign-in/social', { provider: 'tiktok', callbackURL: '/' })
    expect(new URL(body.url).searchParams.get('scope')).toBe('user.info.profile,video.list')
    const basic = visit('tiktok', {
      disableDefaultScope: true,
      scope: ['user.info.basic'],
      mapProfileToUser: () => ({ email: 'octo@example.com' }),
    })
    expect(await userOf(basic)).toMatchObject({ name: 'Tik Tok' })
    expect(askedOf(provider, 'open.tiktokapis.com')).toEqual([])
  })

  it('stores the expiry of its refresh token', async () => {
    const { device, provider } = visit('tiktok', { mapProfileToUser: () => ({ email: 'octo@example.com' }) })
    await walk(device, provider)
    const { body } = await device.post('/refresh-token', { providerId: 'tiktok' })
    const days = (Date.parse(body.refreshTokenExpiresAt) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(365, 1)
  })
})

describe('vk', () => {
  it('sends the configured language', async () => {
    const { device } = visit('vk', { lang_id: vkLanguages.TURKEY, scheme: 'light' })
    const { body } = await device.post('/sign-in/social', { provider: 'vk', callbackURL: '/' })
    const { searchParams } = new URL(body.url)
    expect({ langId: searchParams.get('lang_id'), scheme: searchParams.get('scheme') }).toEqual({
      langId: '82',
      scheme: 'light',
    })
  })

  it('has these languages', () => {
    const { RUS, UKR, ENG, SPA, GERMAN, POL, FRA, TURKEY } = vkLanguages
    expect({ RUS, UKR, ENG, SPA, GERMAN, POL, FRA, TURKEY }).toEqual({
      RUS: 0,
      UKR: 1,
      ENG: 3,
      SPA: 4,
      GERMAN: 6,
      POL: 15,
      FRA: 16,
      TURKEY: 82,
    })
  })

  it('sends Russian, whose number is 0', async () => {
    const { device } = visit('vk', { lang_id: vkLanguages.RUS })
    const { body } = await device.post('/sign-in/social', { provider: 'vk', callbackURL: '/' })
    expect(new URL(body.url).searchParams.get('lang_id')).toBe('0')
  })

  it('returns more fields of a user', async () => {
    const { device, provider } = visit('vk')
    await walk(device, provider)
    const { body } = await device.post('/account-info', { accountId: '4242' })
    expect(body.user).toEqual({
      id: '4242',
      name: 'Ivan Ivanov',
      email: 'octo@example.com',
      image: 'https://pp.example.com/v.png',
      emailVerified: false,
      first_name: 'Ivan',
      last_name: 'Ivanov',
      birthday: '01.01.2000',
      sex: 2,
    })
  })

  it('refreshes again and again, always for the device of the callback', async () => {
    const { device, provider } = visit('vk')
    await walk(device, provider)
    for (let n = 1; n <= 2; n++) expect((await device.post('/refresh-token', { providerId: 'vk' })).status).toBe(200)
    const sent = askedOf(provider, 'id.vk.com/oauth2/auth').map(({ form }) => form.get('device_id'))
    expect(sent).toEqual(['device-1', 'device-1', 'device-1'])
  })

  it('invalid_code: a callback without its device', async () => {
    const { device, provider } = visit('vk')
    const callback = await startAt(device, provider)
    delete callback.parameters.device_id
    expect(locationOf(await comeBack(device, callback))).toBe(errorAt('invalid_code'))
  })
})

describe('zoom', () => {
  it('works without PKCE where the configuration wants none', async () => {
    const { device, provider } = visit('zoom', { pkce: false })
    const { body } = await device.post('/sign-in/social', { provider: 'zoom', callbackURL: '/dash' })
    expect(new URL(body.url).searchParams.has('code_challenge')).toBe(false)
    expect(locationOf(await comeBack(device, provider.authorize(body.url)))).toBe('/dash')
  })
})

describe('discord', () => {
  const cdn = 'https://cdn.discordapp.com'
  it.each<[string, Profile, string | null]>([
    ['still', { id: '80351110224678912', avatar: 'abc' }, `${cdn}/avatars/80351110224678912/abc.png`],
    ['animated', { id: '80351110224678912', avatar: 'a_bc' }, `${cdn}/avatars/80351110224678912/a_bc.gif`],
    ['none', { id: '80351110224678912', avatar: null, discriminator: '0' }, `${cdn}/embed/avatars/5.png`],
    ['none, an old name', { id: '80351110224678912', discriminator: '1337' }, `${cdn}/embed/avatars/2.png`],
    ['no snowflake', { id: '../../x', avatar: 'abc' }, null],
  ])('avatar: %s', (_, profile, image) => {
    expect(read('discord', profile)?.image).toBe(image)
  })
})

describe('emailVerified', () => {
  const email = 'octo@example.com'
  const saying: [DocumentedProvider, (value: unknown) => Profile][] = [
    ['apple', (value) => ({ sub: '1', email, email_verified: value })],
    ['discord', (value) => ({ id: '1', email, verified: value })],
    ['github', (value) => ({ id: 1, email, email_verified: value })],
    ['microsoft', (value) => ({ sub: '1', email, email_verified: value })],
    ['google', (value) => ({ sub: '1', email, email_verified: value })],
    ['twitch', (value) => ({ sub: '1', email, email_verified: value })],
    ['dropbox', (value) => ({ account_id: '1', email, email_verified: value })],
    ['linkedin', (value) => ({ sub: '1', email, email_verified: value })],
    ['roblox', (value) => ({ sub: '1', email, email_verified: value })],
  ]
  it.each(saying)('%s: only true and "true" are true', (id, profile) => {
    for (const value of [true, 'true']) expect(read(id, profile(value))?.emailVerified).toBe(true)
    for (const value of [false, 'false', 'TRUE', 'yes', 1, '1', {}, [], null, undefined]) {
      expect(read(id, profile(value))?.emailVerified).toBe(false)
    }
  })

  it('is not read from another kind of "verified"', () => {
    expect(read('twitter', { data: { id: '1', verified: true } })?.emailVerified).toBe(false)
    expect(read('vk', { user: { user_id: '1', email, verified: true } })?.emailVerified).toBe(false)
    expect(read('reddit', { id: '1', email, has_verified_email: true })).toMatchObject({
      email: null,
      emailVerified: false,
    })
    expect(read('zoom', { id: '1', email, verified: 0 })?.emailVerified).toBe(false)
    expect(read('zoom', { id: '1', email, verified: true })?.emailVerified).toBe(false)
  })
})

describe('a subject that is a number', () => {
  const numbered = (id: string) =>
    api('github', { 'GET https://api.github.com/user': () => new Response(`{"id":${id},"login":"octo"}`) })

  it.each([
    ['9007199254740991', '/dash'],
    ['9007199254740993', errorAt('unable_to_get_user_info')],
    ['1e21', errorAt('unable_to_get_user_info')],
    ['4242.5', errorAt('unable_to_get_user_info')],
  ])('%s: is rejected when it was rounded, because two users would share it', async (id, location) => {
    const { device, provider } = visit('github', {}, numbered(id))
    expect(locationOf(await walk(device, provider))).toBe(location)
  })
})

describe('profiles with arbitrary values', () => {
  const odd: unknown[] = [null, 1, 'text', [], {}, [[]], [null], { url: null }, true]
  const names = 'id sub data user name email images picture avatar icon_img account_id xms_edov claims'.split(' ')

  it.each(Object.keys(documentation) as DocumentedProvider[])('%s reads them without an error', (id) => {
    for (const value of odd) {
      expect(() => read(id, Object.fromEntries(names.map((name) => [name, value])))).not.toThrow()
    }
    expect(read(id, {})).toBeNull()
    expect(read(id, JSON.parse('{"__proto__":{"id":"1","sub":"1"}}'))).toBeNull()
  })
})

/** The user that is read from a profile. */
function read(id: DocumentedProvider, profile: Profile) {
  const provider = findProvider(id)!
  const options = { clientId: 'client', clientSecret: 'secret' }
  const context = { options, now: new Date(), callback: {}, redirectUri: '' } as unknown as ProviderContext
  return validatePerson(provider.toUser(profile, context))
}
