import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../../configuration/read-config.ts'
import { base64url } from '../../../kit/base64.ts'
import {
  BoundBrowser,
  type BrowserKey,
  newKey,
  type Offer,
  readOffer,
  signProof,
} from '../../../testing/bound-browser.ts'
import { type Answer, type Device, TestApp } from '../../../testing/harness.ts'
import { alice, bob } from '../../../testing/people.ts'
import { count, rowOf, updateRows } from '../../../testing/rows.ts'
import { passTime, stopClock } from '../../../testing/two-factor.ts'

/**
 * Attacks on a device-bound session, by what the attacker has: a copy of the session cookie (from before the session was bound,
 * or later), a copy of all cookies, or the browser's answers. Each says what becomes of the request and of the session.
 */

const newApp = (changes: Config = {}) =>
  new TestApp({
    session: { deviceBound: 'offer' },
    rateLimit: { enabled: false },
    ...changes,
  } as Config)

interface Scene {
  app: TestApp
  browser: BoundBrowser
  /** The cookies of the session alone, as before it was bound. */
  early: Device
  /** All cookies but the unexpired bound one, as from a disk. */
  late: Device
  /** The offer of the sign-in. */
  offer: Offer
  key: BrowserKey
}

async function scene(changes: Config = {}): Promise<Scene> {
  const app = newApp(changes)
  const browser = new BoundBrowser(app.device())
  browser.registers = false
  const offer = readOffer((await browser.post('/sign-up/email', alice)).headers)!
  const early = app.device()
  for (const [name, value] of browser.device.jar) early.jar.set(name, value)
  await updateRows('users', { role: 'admin' }, { email: alice.email })
  await browser.register(offer)
  await browser.get('/get-session')
  passTime(30)
  const late = app.device()
  for (const [name, value] of browser.device.jar) if (!name.includes('.bound_')) late.jar.set(name, value)
  return { app, browser, early, late, offer, key: browser.sessions.get(browser.id)!.key }
}

const refreshed = (device: Device, id: string, proof: string | null, more: Record<string, string> = {}) =>
  device.send('POST', '/device-session/refresh', undefined, {
    headers: {
      origin: '',
      'sec-secure-session-id': `"${id}"`,
      ...(proof === null ? {} : { 'secure-session-response': `"${proof}"` }),
      ...more,
    },
  })

const registered = (device: Device, proof: string, more: Record<string, string> = {}) =>
  device.send('POST', '/device-session/register', undefined, {
    headers: { origin: '', 'secure-session-response': `"${proof}"`, ...more },
  })

const signedToken = (device: Device) => device.jar.get('gatehouse.session_token')!

/** `401 CODE`, or the status with null for an empty read. */
const shown = ({ status, body }: Answer) => `${status} ${body?.code ?? (body === null ? 'null' : 'ok')}`

beforeEach(stopClock)
afterEach(() => {
  vi.useRealTimers()
})

/** Whether the owner's browser still has its session; a session that ended has a notice and an event. */
async function afterwards({ app, browser }: Scene): Promise<'stays' | 'ended, with notice'> {
  const { body } = await browser.get('/get-session')
  const event = await rowOf('security_events', { type: 'session-copied' })
  const notices = (await app.notices()).filter(({ subject }) => subject.includes('copied session'))
  if (body?.user) {
    expect({ event, notices }).toEqual({ event: null, notices: [] })
    return 'stays'
  }
  expect(event).toMatchObject({ outcome: 'failure' })
  expect(notices).toHaveLength(1)
  expect(await count('sessions')).toBe(0)
  return 'ended, with notice'
}

const required = '401 SESSION_KEY_REQUIRED'

/** Each way in which a session token is taken. */
const uses: Record<string, [answer: string, use: (device: Device, scene: Scene) => Promise<Answer>]> = {
  'a read of the session': [required, (device) => device.get('/get-session')],
  'a read without the cache': [
    required,
    (device) => device.get('/get-session', { query: { disableCookieCache: 'true' } }),
  ],
  'a list of the account': [required, (device) => device.get('/list-sessions')],
  'a read with rows in one batch': [required, (device) => device.get('/list-accounts')],
  'a change': [required, (device) => device.post('/update-user', { name: 'Thief' })],
  'a change of credentials': [
    required,
    (device) => device.post('/change-password', { currentPassword: alice.password, newPassword: 'another-password' }),
  ],
  'a step-up': [required, (device) => device.post('/step-up', { method: 'password', password: alice.password })],
  'an API key': [required, (device) => device.post('/api-key/create', { name: 'mine' })],
  'a JWT': [required, (device) => device.get('/token')],
  'a one-time token': [required, (device) => device.get('/one-time-token/generate')],
  'a passkey': [required, (device) => device.get('/passkey/generate-register-options')],
  'the live channel': [required, (device) => device.get('/live', { headers: { upgrade: 'websocket' } })],
  'an organization': [required, (device) => device.post('/organization/create', { name: 'Mine', slug: 'mine' })],
  'the console': [required, (device) => device.get('/admin/list-users')],
  'an impersonation': [
    required,
    async (device) => device.post('/admin/impersonate-user', { userId: (await rowOf('users', {}))!.id }),
  ],
}

describe.each(Object.entries(uses))('a copied session cookie: %s', (_, [answer, use]) => {
  it('with all cookies of the disk: refused, and the session stays', async () => {
    const all = await scene()
    expect(shown(await use(all.late, all))).toBe(answer)
    expect(await afterwards(all)).toBe('stays')
  })

  it('from before the session was bound: refused, and the session ends', async () => {
    const all = await scene()
    const refusal = shown(await use(all.early, all))
    expect(refusal).toBe(answer)
    expect(await afterwards(all)).toBe('ended, with notice')
  })

  it('as a bearer token: refused, and the session stays', async () => {
    const all = await scene()
    const thief = all.app.device()
    thief.headers = { authorization: `Bearer ${signedToken(all.early)}` }
    expect(shown(await use(thief, all))).toBe(answer)
    expect(await afterwards(all)).toBe('stays')
  })
})

type Fate = 'stays' | 'ended, with notice'

const attacks: Record<string, [answer: string, fate: Fate, attack: (scene: Scene) => Promise<Answer | string>]> = {
  'session data from before the session was bound, within its five minutes': [
    required,
    'ended, with notice',
    ({ early }) => early.get('/get-session'),
  ],
  'session data of the bound session, without the bound cookie': [
    required,
    'stays',
    async ({ browser, late }) => {
      await browser.get('/get-session')
      late.jar.set('gatehouse.session_data', browser.device.jar.get('gatehouse.session_data')!)
      return late.get('/get-session')
    },
  ],
  'session data with the mark of the key removed': [
    required,
    'stays',
    async ({ browser, late }) => {
      const name = 'gatehouse.session_data'
      const data = Buffer.from(browser.device.jar.get(name)!, 'base64url').toString()
      late.jar.set(name, base64url(data.replace(/"boundKey":"[^"]+",?/, '')))
      return late.get('/get-session')
    },
  ],
  'all cookies, with a fresh bound cookie: works until that expires': [
    '200 ok, 401 SESSION_KEY_REQUIRED',
    'stays',
    async ({ browser, late }) => {
      const name = `gatehouse.bound_${browser.id}`
      late.jar.set(name, browser.device.jar.get(name)!)
      const before = shown(await late.get('/list-sessions'))
      passTime(600)
      return `${before}, ${shown(await late.get('/list-sessions'))}`
    },
  ],
  'a bound cookie with a later time': [
    required,
    'stays',
    ({ browser, late }) => {
      const name = `gatehouse.bound_${browser.id}`
      const [, signature] = browser.device.jar.get(name)!.split('.')
      late.jar.set(name, `${Date.now() + 9_000_000}.${signature}`)
      return late.get('/list-sessions')
    },
  ],
  'a bound cookie of another session': [
    required,
    'stays',
    async ({ app, browser, late }) => {
      const own = new BoundBrowser(app.device())
      await own.post('/sign-up/email', bob)
      late.jar.set(`gatehouse.bound_${browser.id}`, own.device.jar.get(`gatehouse.bound_${own.id}`)!)
      return late.get('/list-sessions')
    },
  ],
  'the bound cookie of an own session beside the stolen one': [
    required,
    'stays',
    async ({ app, late }) => {
      const own = new BoundBrowser(app.device())
      await own.post('/sign-up/email', bob)
      for (const [name, value] of own.device.jar) if (name.includes('.bound_')) late.jar.set(name, value)
      return late.get('/list-sessions')
    },
  ],
  'headers that hide the browser': [
    required,
    'stays',
    ({ late }) => late.get('/list-sessions', { headers: { 'user-agent': '', 'sec-fetch-site': '', accept: '*/*' } }),
  ],
  'Secure-Session-Skipped, with which a browser says that it did not refresh': [
    required,
    'stays',
    ({ browser, late }) =>
      late.get('/list-sessions', {
        headers: { 'secure-session-skipped': `quota_exceeded;session_identifier="${browser.id}"` },
      }),
  ],
  'an attempt to turn the offer down and start over: sign-in data stays, no offer comes': [
    'null',
    'stays',
    async ({ late }) =>
      String(readOffer((await late.get('/get-session', { headers: { 'sec-fetch-site': 'same-origin' } })).headers)),
  ],
  'another account of the browser, by its cookie': [
    required,
    'stays',
    ({ late }) => late.post('/multi-session/set-active', { sessionToken: late.cookie('session_token')!.split('.')[0] }),
  ],
  'the list of accounts of the browser': [
    '200 []',
    'stays',
    async ({ late }) => {
      const { status, body } = await late.get('/multi-session/list-device-sessions')
      return `${status} ${JSON.stringify(body)}`
    },
  ],
  'the end of an impersonation, which restores the session of the administrator': [
    required,
    'stays',
    async ({ app, browser, late }) => {
      await app.device().post('/sign-up/email', bob)
      const { id: userId } = (await rowOf('users', { email: bob.email }))!
      const { body } = await browser.post('/admin/impersonate-user', { userId })
      expect(body.user.email).toBe(bob.email)
      late.jar.clear()
      for (const [name, value] of browser.device.jar) if (!name.includes('.bound_')) late.jar.set(name, value)
      const answer = await late.post('/admin/stop-impersonating')
      await browser.post('/admin/stop-impersonating')
      return answer
    },
  ],
  'OAuth authorization': [
    'sign-in',
    'stays',
    async ({ late }) => {
      const { headers } = await late.get('/oauth2/authorize', { query: { client_id: 'unknown', prompt: 'none' } })
      return /code=/.test(headers.get('location') ?? '') ? 'a code' : 'sign-in'
    },
  ],
  'a one-time token of the owner, redeemed in another browser': [
    '400 SESSION_NOT_FOUND',
    'stays',
    async ({ app, browser }) => {
      const { body } = await browser.get('/one-time-token/generate')
      return app.device().post('/one-time-token/verify', { token: body.token })
    },
  ],
  'the server operation getSession with the stolen cookie': [
    'null',
    'stays',
    async ({ app, late }) => {
      const cookie = [...late.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      return String(await app.serverApi().getSession({ cookie }))
    },
  ],
  'the server operation with the session cookie alone, as an old product passes it': [
    'null',
    'stays',
    async ({ app, late }) =>
      String(await app.serverApi().getSession({ cookie: `gatehouse.session_token=${signedToken(late)}` })),
  ],
  'a refresh without a proof': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    ({ browser, late }) => refreshed(late, browser.id, null),
  ],
  'a refresh with another key': [
    '401 SESSION_COPIED',
    'ended, with notice',
    async ({ browser, late }) =>
      refreshed(late, browser.id, await signProof(await newKey(), browser.sessions.get(browser.id)!.challenge)),
  ],
  'a refresh with another key that it names': [
    '401 SESSION_COPIED',
    'ended, with notice',
    async ({ browser, late }) =>
      refreshed(
        late,
        browser.id,
        await signProof(await newKey(), browser.sessions.get(browser.id)!.challenge, { withKey: true }),
      ),
  ],
  'a refresh with the key of another algorithm': [
    '401 SESSION_COPIED',
    'ended, with notice',
    async ({ browser, late }) =>
      refreshed(late, browser.id, await signProof(await newKey('RS256'), browser.sessions.get(browser.id)!.challenge)),
  ],
  'a refresh with the right key and an expired challenge': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    async ({ browser, late, key }) => {
      const { challenge } = browser.sessions.get(browser.id)!
      passTime(13 * 60)
      return refreshed(late, browser.id, await signProof(key, challenge))
    },
  ],
  'a refresh with the right key and an invented challenge': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    async ({ browser, late, key }) =>
      refreshed(late, browser.id, await signProof(key, `${Date.now()}.${'a'.repeat(43)}`)),
  ],
  'a refresh with a challenge of another session': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    async ({ app, browser, late, key }) => {
      const other = new BoundBrowser(app.device())
      await other.post('/sign-up/email', bob)
      await other.get('/get-session')
      return refreshed(late, browser.id, await signProof(key, other.sessions.get(other.id)!.challenge))
    },
  ],
  'a refresh with the challenge of the registration': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    async ({ browser, late, key, offer }) => refreshed(late, browser.id, await signProof(key, offer.challenge)),
  ],
  'a refresh with a challenge in the future': [
    '403 DEVICE_PROOF_REQUIRED',
    'stays',
    async ({ browser, late, key }) => {
      const [, mac] = browser.sessions.get(browser.id)!.challenge!.split('.')
      return refreshed(late, browser.id, await signProof(key, `${Date.now() + 60_000}.${mac}`))
    },
  ],
  'a refresh with the identifier of an own key': [
    '200 continue false',
    'stays',
    async ({ app, late }) => {
      const own = new BoundBrowser(app.device())
      await own.post('/sign-up/email', bob)
      await own.get('/get-session')
      const { key, challenge } = own.sessions.get(own.id)!
      const { status, body } = await refreshed(late, own.id, await signProof(key, challenge))
      return `${status} continue ${body.continue}`
    },
  ],
  'a refresh without a session cookie': [
    '200 continue false',
    'stays',
    async ({ app, browser, key }) => {
      const proof = await signProof(key, browser.sessions.get(browser.id)!.challenge)
      const { status, body } = await refreshed(app.device(), browser.id, proof)
      return `${status} continue ${body.continue}`
    },
  ],
  'a refresh by a page of another site, which cannot set the header': [
    '400 INVALID_DEVICE_PROOF',
    'stays',
    ({ late }) =>
      late.send('POST', '/device-session/refresh', undefined, {
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      }),
  ],
  'the registration, repeated': [
    '400 SESSION_ALREADY_BOUND',
    'stays',
    async ({ early, key, offer }) => registered(early, await signProof(key, offer.challenge, { withKey: true })),
  ],
  'the registration, repeated with another key': [
    '401 SESSION_COPIED',
    'ended, with notice',
    async ({ early, offer }) => registered(early, await signProof(await newKey(), offer.challenge, { withKey: true })),
  ],
  'the registration, repeated with another key after its challenge has expired': [
    '400 INVALID_DEVICE_PROOF',
    'stays',
    async ({ early, offer }) => {
      passTime(180)
      return registered(early, await signProof(await newKey(), offer.challenge, { withKey: true }))
    },
  ],
  'a registration with the challenge of an own session': [
    '400 INVALID_DEVICE_PROOF',
    'stays',
    async ({ app, late }) => {
      const own = await app.device().post('/sign-up/email', bob, { headers: { 'sec-fetch-site': 'same-origin' } })
      const { challenge } = readOffer(own.headers)!
      return registered(late, await signProof(await newKey(), challenge, { withKey: true }))
    },
  ],
  'a registration with the challenge of a refresh': [
    '400 INVALID_DEVICE_PROOF',
    'stays',
    async ({ browser, late }) =>
      registered(late, await signProof(await newKey(), browser.sessions.get(browser.id)!.challenge, { withKey: true })),
  ],
  'a registration without a session': [
    '401 UNAUTHORIZED',
    'stays',
    async ({ app, offer }) =>
      registered(app.device(), await signProof(await newKey(), offer.challenge, { withKey: true })),
  ],
}

describe('an attack', () => {
  it.each(Object.entries(attacks))('%s', async (_, [answer, fate, attack]) => {
    const all = await scene()
    const given = await attack(all)
    expect(typeof given === 'string' ? given : shown(given)).toBe(answer)
    expect(await afterwards(all)).toBe(fate)
  })
})

/** A proof with other parts than the library writes. */
const rawProof = (header: object, claims: object, signature = 'c2ln') =>
  `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}.${signature}`

/** Proofs that are not proofs of the standard: each is refused at the registration of an unbound session, which stays unbound. */
const malformed: Record<string, (challenge: string) => Promise<string> | string> = {
  'alg none': (jti) => rawProof({ alg: 'none', typ: 'dbsc+jwt' }, { jti }, ''),
  'alg none with a signature': (jti) => rawProof({ alg: 'none', typ: 'dbsc+jwt' }, { jti }),
  'HS256 with the public key as secret': async (jti) => {
    const { jwk } = await newKey()
    const secret = new TextEncoder().encode(JSON.stringify(jwk))
    return new CompactSign(new TextEncoder().encode(JSON.stringify({ jti })))
      .setProtectedHeader({ alg: 'HS256', typ: 'dbsc+jwt', jwk })
      .sign(secret)
  },
  'a symmetric key in the header': async (jti) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify({ jti })))
      .setProtectedHeader({ alg: 'HS256', typ: 'dbsc+jwt', jwk: { kty: 'oct', k: base64url('secret') } as object })
      .sign(new TextEncoder().encode('secret-secret-secret-secret-secret')),
  ES384: async (jti) => {
    const { privateKey, publicKey } = await generateKeyPair('ES384', { extractable: true })
    return new CompactSign(new TextEncoder().encode(JSON.stringify({ jti })))
      .setProtectedHeader({ alg: 'ES384', typ: 'dbsc+jwt', jwk: await exportJWK(publicKey) })
      .sign(privateKey)
  },
  'the wrong typ': async (jti) => signProof(await newKey(), jti, { withKey: true, header: { typ: 'JWT' } }),
  'no typ': async (jti) => signProof(await newKey(), jti, { withKey: true, header: { typ: undefined } }),
  'no key': async (jti) => signProof(await newKey(), jti),
  'the key of someone else': async (jti) => signProof(await newKey(), jti, { header: { jwk: (await newKey()).jwk } }),
  'a private key': async (jti) => {
    const key = await newKey()
    const jwk = await exportJWK(key.privateKey)
    return signProof(key, jti, { header: { jwk } })
  },
  'a point that is not on the curve': async (jti) =>
    signProof(await newKey(), jti, {
      header: { jwk: { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) } },
    }),
  'an RSA key of 512 bits': async (jti) =>
    rawProof({ alg: 'RS256', typ: 'dbsc+jwt', jwk: { kty: 'RSA', e: 'AQAB', n: 'A'.repeat(86) } }, { jti }),
  'an RSA key with the exponent 1': async (jti) => {
    const { jwk } = await newKey('RS256')
    return rawProof({ alg: 'RS256', typ: 'dbsc+jwt', jwk: { ...jwk, e: 'AQ' } }, { jti })
  },
  'an RSA key of 16,384 bits': (jti) =>
    rawProof({ alg: 'RS256', typ: 'dbsc+jwt', jwk: { kty: 'RSA', e: 'AQAB', n: 'A'.repeat(2731) } }, { jti }),
  'a key with a megabyte of other members': async (jti) =>
    signProof(await newKey(), jti, { withKey: true, header: { note: 'x'.repeat(6000) } }),
  'no challenge': async () => signProof(await newKey(), undefined, { withKey: true }),
  'a challenge that is a number': async () => signProof(await newKey(), 12, { withKey: true }),
  'an invented challenge': async () => signProof(await newKey(), `${Date.now()}.${'a'.repeat(43)}`, { withKey: true }),
  'a challenge with a changed time': async (jti) => {
    const [at, mac] = jti.split('.')
    return signProof(await newKey(), `${Number(at) + 1}.${mac}`, { withKey: true })
  },
  'an expired challenge': async (jti) => {
    passTime(121)
    return signProof(await newKey(), jti, { withKey: true })
  },
  'a signature of another text': async (jti) => {
    const proof = await signProof(await newKey(), jti, { withKey: true })
    const [header, , signature] = proof.split('.')
    return `${header}.${base64url(JSON.stringify({ jti, more: 1 }))}.${signature}`
  },
  'a payload other than JSON': async () => {
    const key = await newKey()
    return new CompactSign(new TextEncoder().encode('{'))
      .setProtectedHeader({ alg: 'ES256', typ: 'dbsc+jwt', jwk: key.jwk })
      .sign((await importJWK(await exportJWK(key.privateKey), 'ES256')) as CryptoKey)
  },
  'two parts': () => 'a.b',
  words: () => 'not a proof',
  nothing: () => '',
}

describe('a registration with', () => {
  it.each(Object.entries(malformed))('%s is refused, and the session stays unbound', async (_, made) => {
    const device = newApp().device()
    const offer = readOffer(
      (await device.post('/sign-up/email', alice, { headers: { 'sec-fetch-site': 'same-origin' } })).headers,
    )!
    expect(shown(await registered(device, await made(offer.challenge)))).toBe('400 INVALID_DEVICE_PROOF')
    expect((await rowOf('sessions', {}))!.deviceKey).toBeNull()
    expect((await device.get('/list-sessions')).status).toBe(200)
  })
})

describe('a refresh with', () => {
  const parts = ['alg none', 'HS256 with the public key as secret', 'the wrong typ', 'two parts', 'words'] as const
  it.each(parts)('%s is refused, and the session stays', async (name) => {
    const all = await scene()
    const { browser, late } = all
    const proof = await malformed[name]!(browser.sessions.get(browser.id)!.challenge!)
    expect(shown(await refreshed(late, browser.id, proof))).toBe('400 INVALID_DEVICE_PROOF')
    expect(await afterwards(all)).toBe('stays')
  })

  it.each(['', 'x', '"', `"${'a'.repeat(44)}"`, '%00'])('the identifier %j is refused', async (id) => {
    const { browser, app } = await scene()
    const answer = await browser.device.send('POST', '/device-session/refresh', undefined, {
      headers: { origin: '', 'sec-secure-session-id': id },
    })
    expect(shown(answer)).toBe('400 INVALID_DEVICE_PROOF')
    expect(app).toBeTruthy()
  })
})

describe('an attacker who registers first', () => {
  it('loses the session at the next request of its owner', async () => {
    const app = newApp()
    const owner = app.device()
    const offer = readOffer(
      (await owner.post('/sign-up/email', alice, { headers: { 'sec-fetch-site': 'same-origin' } })).headers,
    )!
    const thief = new BoundBrowser(app.device())
    for (const [name, value] of owner.jar) thief.device.jar.set(name, value)
    await thief.register(offer)
    expect((await thief.get('/list-sessions')).status).toBe(200)
    passTime(30)
    expect(shown(await owner.get('/list-sessions'))).toBe(required)
    expect(shown(await thief.get('/list-sessions'))).toBe('401 UNAUTHORIZED')
    expect(await rowOf('security_events', { type: 'session-copied' })).toBeTruthy()
  })
})

describe('a guest', () => {
  it('whose copied cookie signs in as another user keeps what is theirs', async () => {
    const app = newApp({ anonymous: { enabled: true } } as Config)
    const guest = new BoundBrowser(app.device())
    await guest.post('/sign-in/anonymous')
    await guest.get('/get-session')
    passTime(30)
    const thief = app.device()
    for (const [name, value] of guest.device.jar) if (!name.includes('bound_')) thief.jar.set(name, value)
    await thief.post('/sign-up/email', bob)
    expect((await guest.get('/get-session')).body.user.isAnonymous).toBe(true)
    // The guest itself takes everything along.
    await guest.post('/sign-up/email', alice)
    expect(await count('users')).toBe(2)
  })
})
