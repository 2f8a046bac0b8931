import { afterEach, describe, expect, it, vi } from 'vitest'
import { outcome, TestApp } from '../../testing/harness.ts'
import { addPasskey, type Forgery, SoftwareAuthenticator } from '../../testing/passkeys.ts'
import { alice, bob, signIn, signUp } from '../../testing/people.ts'
import { count } from '../../testing/rows.ts'

const unlimited = { rateLimit: { enabled: false } }

afterEach(() => {
  vi.useRealTimers()
})

const begin = '/passkey/generate-register-options'
const finish = '/passkey/verify-registration'

describe('GET /passkey/generate-register-options', () => {
  it('200: the creation options, and a cookie that identifies the browser', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const { status, body, cookies, io } = await device.get(begin)
    const { user } = (await device.get('/get-session')).body
    expect(status).toBe(200)
    expect(body).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      rp: { name: 'Gatehouse', id: 'localhost' },
      user: { id: btoa(user.id).replace(/=+$/, ''), name: alice.email, displayName: alice.email },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      timeout: 60_000,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred', requireResidentKey: false },
      extensions: { credProps: true },
      hints: [],
    })
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(
      /^gatehouse\.passkey=[A-Za-z0-9]{32}\.[^;]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(io).toMatchObject({ d1: [1, 2], durable: [1, 1] })
  })

  it('200: with an attachment, a name, and the existing passkeys', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const authenticator = await addPasskey(device, new SoftwareAuthenticator({ transports: ['usb', 'nfc'] }))
    const { body } = await device.get(begin, {
      query: { authenticatorAttachment: 'cross-platform', name: 'Alice at work' },
    })
    expect(body.user).toMatchObject({ name: 'Alice at work', displayName: alice.email })
    expect(body.authenticatorSelection.authenticatorAttachment).toBe('cross-platform')
    expect(body.excludeCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key', transports: ['usb', 'nfc'] },
    ])
  })

  it('200: as configured', async () => {
    const app = new TestApp({
      ...unlimited,
      passkey: {
        rpID: 'example.com',
        rpName: 'Example',
        timeout: 30,
        authenticatorSelection: {
          residentKey: 'required',
          userVerification: 'required',
          authenticatorAttachment: 'platform',
        },
      },
    })
    const { body } = await (await signUp(app, alice)).get(begin)
    expect(body).toMatchObject({
      rp: { id: 'example.com', name: 'Example' },
      timeout: 30_000,
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
        authenticatorAttachment: 'platform',
      },
    })
  })

  it('400: an invalid attachment', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    expect(outcome(await device.get(begin, { query: { authenticatorAttachment: 'x' } }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
  })

  it('401: no session; 403: a session that is not fresh', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const app = new TestApp(unlimited)
    expect(outcome(await app.device().get(begin))).toEqual({ status: 401, code: 'UNAUTHORIZED' })
    const device = await signUp(app, alice)
    vi.setSystemTime(Date.now() + 86_400_001)
    expect(outcome(await device.get(begin))).toEqual({ status: 403, code: 'SESSION_IS_NOT_FRESH' })
    expect(outcome(await device.post(finish, { response: anyResponse() }))).toEqual({
      status: 403,
      code: 'SESSION_IS_NOT_FRESH',
    })
  })

  it('404: passkeys are switched off', async () => {
    const app = new TestApp({ ...unlimited, passkey: { enabled: false } })
    const device = await signUp(app, alice)
    expect((await device.get(begin)).status).toBe(404)
    expect((await device.get('/config')).body.features.passkey).toBeUndefined()
  })
})

const anyResponse = () =>
  new SoftwareAuthenticator().register({ rp: { id: 'localhost' }, challenge: 'x'.repeat(43) } as never)

describe('POST /passkey/verify-registration', () => {
  it('200: stores the passkey with all data from the authenticator', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const aaguid = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'
    const authenticator = new SoftwareAuthenticator({
      aaguid,
      synced: true,
      counts: false,
      transports: ['internal', 'hybrid'],
    })
    const response = authenticator.register((await device.get(begin)).body)
    const answer = await device.post(finish, { response, name: '  My key ' })
    const { user } = (await device.get('/get-session')).body
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      name: 'My key',
      publicKey: expect.stringMatching(/^[A-Za-z0-9+/]{100,}={0,2}$/),
      userId: user.id,
      credentialID: authenticator.credentialId,
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
      transports: 'internal,hybrid',
      createdAt: expect.any(String),
      aaguid,
      lastUsedAt: null,
      id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      authenticator: 'iCloud Keychain',
      family: 'apple',
    })
    // The limit of the endpoint is off here.
    expect(answer.io).toMatchObject({ d1: [2, 2], durable: [1, 2] })
    expect((await device.get('/passkey/list-user-passkeys')).body).toEqual([answer.body])
  })

  it('200: without a name, and drops unknown transports', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    await addPasskey(device, new SoftwareAuthenticator({ transports: ['telepathy'] }))
    const [passkey] = (await device.get('/passkey/list-user-passkeys')).body
    expect(passkey).toMatchObject({ name: null, transports: null, deviceType: 'singleDevice', authenticator: null })
  })

  it('200: an attestation statement is not read, because none is asked for', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    for (const attestation of ['packed', 'fido-u2f', 'tpm', 'android-key', 'apple', 'of a later standard']) {
      const response = new SoftwareAuthenticator().register((await device.get(begin)).body, { attestation })
      expect((await device.post(finish, { response })).status).toBe(200)
    }
    expect(await count('passkeys')).toBe(6)
  })

  it('400: a challenge is used once, of twenty at a time too', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const options = (await device.get(begin)).body
    const responses = Array.from({ length: 20 }, () => new SoftwareAuthenticator().register(options))
    const answers = await Promise.all(responses.map((response) => device.post(finish, { response })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status !== 200) expect(outcome(answer)).toEqual({ status: 400, code: 'FAILED_TO_VERIFY_REGISTRATION' })
    }
    expect(await count('passkeys')).toBe(1)
  })

  it('400: an expired challenge', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const device = await signUp(new TestApp(unlimited), alice)
    const response = new SoftwareAuthenticator().register((await device.get(begin)).body)
    vi.setSystemTime(Date.now() + 300_000)
    expect(outcome(await device.post(finish, { response }))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
  })

  it('400: in a browser that never asked, and then still in the one that did', async () => {
    const app = new TestApp(unlimited)
    const asking = await signUp(app, alice)
    const other = await signIn(app, alice)
    const response = new SoftwareAuthenticator().register((await asking.get(begin)).body)
    expect(outcome(await other.post(finish, { response }))).toEqual({ status: 400, code: 'CHALLENGE_NOT_FOUND' })
    await other.get(begin)
    expect(outcome(await other.post(finish, { response }))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })
    expect((await asking.post(finish, { response })).status).toBe(200)
  })

  it('400: the challenge of the other ceremony', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const { challenge } = (await device.post('/passkey/generate-authenticate-options')).body
    const response = new SoftwareAuthenticator().register((await device.get(begin)).body, { challenge })
    expect(outcome(await device.post(finish, { response }))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })
    expect(await count('passkeys')).toBe(0)
  })

  it('401: for another user who has signed in on the browser since', async () => {
    const app = new TestApp(unlimited)
    await signUp(app, bob)
    const device = await signUp(app, alice)
    const response = new SoftwareAuthenticator().register((await device.get(begin)).body)
    await device.post('/sign-in/email', { email: bob.email, password: bob.password })
    expect(outcome(await device.post(finish, { response }))).toEqual({
      status: 401,
      code: 'YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY',
    })
  })

  const forgeries: Record<string, Forgery> = {
    'another origin': { origin: 'https://evil.example' },
    'another port': { origin: 'http://localhost:8788' },
    'another RP id': { rpId: 'evil.example' },
    'another type': { type: 'webauthn.get' },
    'an algorithm that was not asked for': { algorithm: -47 },
    'no user present': { userPresent: false },
  }
  for (const [what, forgery] of Object.entries(forgeries)) {
    it(`400: ${what}`, async () => {
      const device = await signUp(new TestApp(unlimited), alice)
      const response = new SoftwareAuthenticator().register((await device.get(begin)).body, forgery)
      expect(outcome(await device.post(finish, { response }))).toEqual({
        status: 400,
        code: 'FAILED_TO_VERIFY_REGISTRATION',
      })
      expect(await count('passkeys')).toBe(0)
    })
  }

  it('400: no user verification, where the configuration demands it', async () => {
    const app = new TestApp({ ...unlimited, passkey: { authenticatorSelection: { userVerification: 'required' } } })
    const device = await signUp(app, alice)
    const response = new SoftwareAuthenticator({ userVerified: false }).register((await device.get(begin)).body)
    expect(outcome(await device.post(finish, { response }))).toEqual({
      status: 400,
      code: 'FAILED_TO_VERIFY_REGISTRATION',
    })
  })

  it('400: a credential that is already registered', async () => {
    const app = new TestApp(unlimited)
    const authenticator = await addPasskey(await signUp(app, alice))
    const other = await signUp(app, bob)
    const response = authenticator.register((await other.get(begin)).body)
    expect(outcome(await other.post(finish, { response }))).toEqual({ status: 400, code: 'PREVIOUSLY_REGISTERED' })
  })

  it('400: more than an account can hold, of twenty at a time too', async () => {
    const device = await signUp(new TestApp({ ...unlimited, passkey: { maximumPasskeys: 3 } }), alice)
    const responses = []
    for (let n = 0; n < 20; n++) responses.push(new SoftwareAuthenticator().register((await device.get(begin)).body))
    const answers = await Promise.all(responses.map((response) => device.post(finish, { response })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(outcome(answers.find(({ status }) => status !== 200)!)).toEqual({ status: 400, code: 'TOO_MANY_PASSKEYS' })
    expect(await count('passkeys')).toBe(3)
  })

  it('400: not a response', async () => {
    const device = await signUp(new TestApp(unlimited), alice)
    const good = new SoftwareAuthenticator().register((await device.get(begin)).body)
    const base64url = (text: string) => Buffer.from(text).toString('base64url')
    const inner = (changes: object) => ({ ...good, response: { ...good.response, ...changes } })
    const bad = [
      undefined,
      null,
      'x',
      [],
      {},
      { ...good, id: '' },
      { ...good, type: 'password' },
      { ...good, id: 'x'.repeat(2000) },
      inner({ clientDataJSON: 1 }),
      inner({ clientDataJSON: '%' }),
      inner({ clientDataJSON: base64url('null') }),
      inner({ clientDataJSON: base64url('{"challenge":1}') }),
      inner({ clientDataJSON: base64url('not json') }),
      inner({ attestationObject: '' }),
      inner({ attestationObject: base64url('not cbor') }),
      inner({ transports: 'internal' }),
    ]
    for (const response of bad) {
      const { status, body } = await device.post(finish, { response })
      expect({ response: JSON.stringify(response)?.slice(0, 80), status, code: typeof body.code }).toEqual({
        response: JSON.stringify(response)?.slice(0, 80),
        status: 400,
        code: 'string',
      })
    }
    expect(outcome(await device.post(finish, { response: good, name: 'x'.repeat(65) }))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
    })
  })

  it('pages of trusted origins under the domain can use passkeys, others cannot', async () => {
    const trusted = [
      'http://localhost:5173',
      'https://*.localhost',
      'https://example.com',
      'http://app.localhost:3000',
      'https://evillocalhost',
    ]
    for (const [from, status] of [
      ['http://localhost:8787', 200],
      ['http://localhost:5173', 200],
      ['https://app.localhost', 200],
      ['http://app.localhost:3000', 200],
      // Not trusted.
      ['http://localhost:9999', 400],
      ['http://other.localhost:3000', 400],
      // Trusted, but outside of the domain.
      ['https://example.com', 400],
      ['https://evillocalhost', 400],
    ] as const) {
      const tested = new TestApp({ trustedOrigins: trusted })
      const device = await signUp(tested, { ...alice, email: `${from.replace(/\W+/g, '-')}@example.com` })
      const response = new SoftwareAuthenticator({ origin: from }).register((await device.get(begin)).body)
      expect({ from, status: (await device.post(finish, { response })).status }).toEqual({ from, status })
    }
    // An explicit list is the whole list.
    const listed = new TestApp({ trustedOrigins: trusted, passkey: { origin: 'http://localhost:8787' } })
    const device = await signUp(listed, { ...alice, email: 'listed@example.com' })
    const response = new SoftwareAuthenticator({ origin: trusted[0]! }).register((await device.get(begin)).body)
    expect((await device.post(finish, { response })).status).toBe(400)
  })

  it('an origin and a domain of the configuration are the ones that count', async () => {
    const app = new TestApp({
      ...unlimited,
      passkey: { rpID: 'example.com', origin: ['https://www.example.com', 'android:apk-key-hash:abc'] },
    })
    const device = await signUp(app, alice)
    for (const [origin, status] of [
      ['https://www.example.com', 200],
      ['android:apk-key-hash:abc', 200],
      ['http://localhost:8787', 400],
    ] as const) {
      const response = new SoftwareAuthenticator({ origin }).register((await device.get(begin)).body)
      expect({ origin, status: (await device.post(finish, { response })).status }).toEqual({ origin, status })
    }
  })
})

describe('an automatic registration', () => {
  const automatic = { query: { automatic: 'true' } }
  const required = {
    authenticatorSelection: { userVerification: 'required', authenticatorAttachment: 'platform' },
  } as const

  it('200: asks for a discoverable key of any authenticator, and takes one without presence and verification', async () => {
    const app = new TestApp({ ...unlimited, passkey: required })
    const device = await signUp(app, alice)
    const { body: options } = await device.get(begin, automatic)
    expect(options.authenticatorSelection).toEqual({
      ...{ residentKey: 'required', userVerification: 'preferred', requireResidentKey: true },
    })
    const response = new SoftwareAuthenticator().register(options, { userPresent: false, userVerified: false })
    const made = await device.post(finish, { response, automatic: true })
    expect(made.status).toBe(200)
    expect((await device.get('/passkey/list-user-passkeys')).body).toHaveLength(1)
  })

  it('400 for such a key of a registration with a question, whatever the second call says', async () => {
    const app = new TestApp(unlimited)
    const device = await signUp(app, alice)
    const absent = { userPresent: false, userVerified: false }
    const { body: options } = await device.get(begin)
    const response = new SoftwareAuthenticator().register(options, absent)
    for (const more of [{ automatic: true }, {}]) {
      const answer = await device.post(finish, { response, ...more })
      expect({ more, status: answer.status }).toEqual({ more, status: 400 })
    }
    expect(await count('passkeys')).toBe(0)
  })
})

it('hints are in the options of both ceremonies, if they are configured', async () => {
  const app = new TestApp({ ...unlimited, passkey: { hints: ['security-key'] } })
  const device = await signUp(app, alice)
  expect((await device.get(begin)).body.hints).toEqual(['security-key'])
  expect((await app.device().post('/passkey/generate-authenticate-options')).body.hints).toEqual(['security-key'])
  expect(
    (await new TestApp(unlimited).device().post('/passkey/generate-authenticate-options')).body.hints,
  ).toBeUndefined()
})
