import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import type { AdditionalField } from '../../kit/field-rules.ts'
import { type Device, origin, TestApp } from '../../testing/harness.ts'
import { OAuthProvider } from '../../testing/outside/oauth-provider.ts'
import { google } from '../../testing/outside/social/google.ts'
import { locationOf, walk } from '../../testing/outside/walk.ts'
import { alice, signUp } from '../../testing/people.ts'
import { updateRows } from '../../testing/rows.ts'

const level: AdditionalField = { type: 'number', required: true, signUp: true, label: { en: 'Level', de: 'Stufe' } }

const appWith = (additionalFields: Record<string, AdditionalField>, more: Config = {}) =>
  new TestApp({ rateLimit: { enabled: false }, ...more, user: { additionalFields } })

const userOf = async (device: Device) =>
  (await device.get('/get-session', { query: { disableCookieCache: 'true' } })).body.user

afterEach(() => {
  vi.restoreAllMocks()
})

describe('rules of additional fields', () => {
  const fields: Record<string, AdditionalField> = {
    nick: { type: 'string', minLength: 2, maxLength: 4, pattern: '[a-z]+' },
    age: { type: 'number', min: 18, max: 99 },
    born: { type: 'date', min: '1900-01-01', max: '2020-12-31' },
    size: { type: 'string', options: ['s', { value: 'm', label: { en: 'Medium', de: 'Mittel' } }] },
    tags: { type: 'string[]', options: ['a', 'b'] },
    news: { type: 'boolean' },
  }

  it.each<[string, unknown, string | null]>([
    ['nick', 'a', 'minLength'],
    ['nick', 'abcde', 'maxLength'],
    ['nick', 'ab1', 'pattern'],
    ['nick', 'abc\n', 'pattern'],
    ['nick', 7, 'type'],
    ['nick', 'abc', null],
    ['nick', null, null],
    ['age', 17, 'min'],
    ['age', 100, 'max'],
    ['age', '18', 'type'],
    ['age', 18, null],
    ['born', '1899-12-31', 'min'],
    ['born', '2021-01-01', 'max'],
    ['born', 'yesterday', 'type'],
    ['born', '2000-02-29', null],
    ['size', 'l', 'options'],
    ['size', 'm', null],
    ['tags', ['a', 'c'], 'options'],
    ['tags', ['a'], null],
    ['news', 'yes', 'type'],
    ['news', false, null],
  ])('%s: %j -> %s', async (name, value, rule) => {
    const app = appWith(fields)
    const { status, body } = await app.device().post('/sign-up/email', { ...alice, [name]: value })
    expect({ status, rule: body.issues?.[0]?.rule ?? null }).toEqual({ status: rule === null ? 200 : 400, rule })
    if (rule === null) return
    expect(body.issues[0]).toMatchObject({ path: name, message: expect.stringContaining(name) })
    expect(body.code).toBe(
      rule === 'type' ? `${name.toUpperCase()}_MUST_BE_A_${fields[name]!.type.toUpperCase()}` : 'INVALID_FIELD_VALUE',
    )
  })

  it('hold for update-user, which cannot take away what is required', async () => {
    const device = await signUp(appWith({ ...fields, level }), alice, { level: 1, nick: 'abc' })
    expect((await device.post('/update-user', { nick: 'x' })).body.code).toBe('INVALID_FIELD_VALUE')
    expect((await device.post('/update-user', { level: null })).body.code).toBe('LEVEL_IS_REQUIRED')
    expect((await device.post('/update-user', { nick: null })).status).toBe(200)
    expect(await userOf(device)).toMatchObject({ level: 1, nick: null })
  })

  it('a default may be a function', async () => {
    let made = 0
    const app = appWith({ number: { type: 'number', input: false, defaultValue: () => ++made } })
    expect(await userOf(await signUp(app, alice))).toMatchObject({ number: 1 })
  })
})

describe('GET /config', () => {
  it('returns only the fields of the forms, with their labels and rules', async () => {
    const app = appWith({
      level,
      bio: { type: 'string', profile: true, maxLength: 200 },
      internal: { type: 'string', input: false, defaultValue: 'secret' },
      own: { type: 'string' },
    })
    expect((await app.device().get('/config')).body.additionalFields).toEqual([
      {
        name: 'level',
        type: 'number',
        required: true,
        label: level.label,
        signUp: true,
        profile: false,
        returned: true,
        hasDefault: false,
      },
      {
        name: 'bio',
        type: 'string',
        required: false,
        label: 'bio',
        signUp: false,
        profile: true,
        maxLength: 200,
        returned: true,
        hasDefault: false,
      },
    ])
  })
})

describe('users who arrive without a required field', () => {
  const fields = { level, team: { type: 'string', required: true, profile: true } } as Record<string, AdditionalField>

  it('a sign-up form demands what it shows; get-session returns the missing fields at no cost', async () => {
    const app = appWith(fields)
    expect((await app.device().post('/sign-up/email', alice)).body.code).toBe('LEVEL_IS_REQUIRED')
    const device = await signUp(app, alice, { level: 1 })
    const { body, io } = await device.get('/get-session')
    expect(body.user.missingFields).toEqual(['team'])
    expect({ d1: io.d1![0], durable: io.durable![0], kv: io.kv![0] }).toEqual({ d1: 0, durable: 0, kv: 0 })
    expect((await device.get('/get-session', { query: { disableCookieCache: 'true' } })).io.d1![0]).toBe(1)
    expect((await device.post('/update-user', { team: '  ' })).body.code).toBe('TEAM_IS_REQUIRED')
    expect((await device.post('/update-user', { team: 'blue' })).status).toBe(200)
    expect((await device.get('/get-session')).body.user).not.toHaveProperty('missingFields')
    expect(await userOf(device)).toMatchObject({ level: 1, team: 'blue' })
  })

  it('guests, links, codes: they are in, and asked afterwards', async () => {
    const app = appWith(fields)
    const guest = app.device()
    await guest.post('/sign-in/anonymous')
    expect((await userOf(guest)).missingFields).toEqual(['level', 'team'])
    const byCode = app.device()
    await byCode.post('/email-otp/send-verification-otp', { email: 'code@example.com', type: 'sign-in' })
    const { codes } = (await app.mailbox())[0]!
    await byCode.post('/sign-in/email-otp', { email: 'code@example.com', otp: codes[0] })
    expect((await userOf(byCode)).missingFields).toEqual(['level', 'team'])
    const byLink = app.device()
    await byLink.post('/sign-in/magic-link', { email: 'link@example.com', callbackURL: '/dash' })
    // The built-in pages ask for missing fields.
    expect(locationOf(await byLink.get(await app.linkTo('link@example.com')))).toBe('/dash')
    expect((await userOf(byLink)).missingFields).toEqual(['level', 'team'])
  })

  it('302 to the screen that asks, before another site: by link, provider and code; not once it has been told', async () => {
    const provider = new OAuthProvider(google).install()
    const site = 'https://app.example.com/in?x=1'
    const app = appWith(fields, {
      trustedOrigins: ['https://app.example.com'],
      socialProviders: { google: provider.options },
    })
    const asking = `${origin}/welcome?callbackURL=${encodeURIComponent(site)}`
    const byLink = app.device()
    await byLink.post('/sign-in/magic-link', { email: 'link@example.com', callbackURL: site })
    expect(locationOf(await byLink.get(await app.linkTo('link@example.com')))).toBe(asking)
    const byProvider = app.device()
    expect(locationOf(await walk(byProvider, provider, { callbackURL: site }))).toBe(asking)
    const byCode = app.device()
    await byCode.post('/email-otp/send-verification-otp', { email: 'code@example.com', type: 'sign-in' })
    const { codes } = (await app.mailbox())[0]!
    const { body } = await byCode.post('/sign-in/email-otp', {
      email: 'code@example.com',
      otp: codes[0],
      callbackURL: site,
    })
    expect(body.url).toBe(asking)
    await byProvider.post('/update-user', { level: 1, team: 'blue' })
    expect(locationOf(await walk(byProvider, provider, { callbackURL: site }))).toBe(site)
  })
})

describe('session.additionalFields', () => {
  const additionalFields = {
    plan: { type: 'string', defaultValue: 'free' },
    greeting: { type: 'string', defaultValue: ({ name }: { name: string }) => `Hello ${name}` },
    hidden: { type: 'number', returned: false, defaultValue: 7 },
    broken: {
      type: 'number',
      defaultValue: () => {
        throw new Error('no')
      },
    },
    wrong: { type: 'number', defaultValue: () => 'seven' },
    later: { type: 'string' },
  } as const
  const app = () => new TestApp({ rateLimit: { enabled: false }, session: { additionalFields } } as Config)

  it('get their defaults, are shown, and stay when the token is replaced; a failing default is harmless', async () => {
    const tested = app()
    const device = await signUp(tested, alice)
    const shown = { plan: 'free', greeting: `Hello ${alice.name}`, broken: null, wrong: null, later: null }
    for (const disableCookieCache of ['false', 'true']) {
      const { session } = (await device.get('/get-session', { query: { disableCookieCache } })).body
      expect(session).toMatchObject(shown)
      expect(session).not.toHaveProperty('hidden')
    }
    await updateRows('sessions', { additionalFields: { plan: 'paid' } })
    const newPassword = 'another-password'
    await device.post('/change-password', { currentPassword: alice.password, newPassword, revokeOtherSessions: true })
    expect((await device.get('/get-session')).body.session).toMatchObject({ plan: 'paid' })
    expect((await device.get('/list-sessions')).body[0]).toMatchObject({ plan: 'paid' })
  })

  it('cannot be set by input', async () => {
    const device = await signUp(app(), alice, { plan: 'paid' })
    await device.post('/update-user', { plan: 'paid', session: { plan: 'paid' } })
    expect((await device.get('/get-session')).body.session.plan).toBe('free')
  })
})
