import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Config, readConfig } from '../../configuration/read-config.ts'
import { buildRuntime } from '../../gatehouse.ts'
import { openScope } from '../../http/open-scope.ts'
import type { Scope } from '../../identity/scope.ts'
import { env, origin } from '../../testing/harness.ts'
import { count, rowsOf } from '../../testing/rows.ts'
import { algorithms } from './algorithms.ts'
import { deleteEndedKeys, readPublicKeys, rotateSigningKeys, signJwt, verifyJwt } from './signing-keys.ts'

const minutes = (n: number) => n * 60_000
const days = (n: number) => n * 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** Another isolate of the same deployment. */
class Isolate {
  private readonly runtime
  constructor(config: Config = {}, secret = env.GATEHOUSE_SECRET) {
    this.runtime = buildRuntime(readConfig(config, { ...env, GATEHOUSE_SECRET: secret }), env)
  }

  /** Runs one request, including its work after the response. */
  async run<T>(work: (scope: Scope) => Promise<T>): Promise<{ result: T; d1: number }> {
    const putOff: Promise<unknown>[] = []
    const context = { waitUntil: (promise: Promise<unknown>) => void putOff.push(promise) }
    const scope = openScope({ request: new Request(origin), path: '', env, context, runtime: this.runtime })
    const result = await work(scope)
    const { d1 } = scope.io.used
    scope.answered()
    await Promise.all(putOff)
    return { result, d1 }
  }

  sign = async (alg?: (typeof algorithms)[number]) =>
    (await this.run((scope) => signJwt(scope, { sub: 'u1' }, { expiresIn: 900, ...(alg ? { alg } : {}) }))).result
  verify = async (token: string, expected?: Parameters<typeof verifyJwt>[2]) =>
    (await this.run((scope) => verifyJwt(scope, token, expected))).result
  keySet = async () => (await this.run(readPublicKeys)).result
  rotate = async (options?: { compromised: boolean }) =>
    (await this.run((scope) => rotateSigningKeys(scope, undefined, options))).result
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid
const countKeys = () => count('jwks')

describe('signJwt', () => {
  it.each(algorithms)('%s: anyone can verify it with the key set', async (alg) => {
    const isolate = new Isolate({ jwt: { algorithm: alg } })
    const token = await isolate.sign()
    const { keys } = await isolate.keySet()
    const options: JWTVerifyOptions = { issuer: origin, typ: 'JWT', currentDate: new Date() }
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys }), options)
    expect(protectedHeader).toEqual({ alg, kid: keys[0]!.kid, typ: 'JWT' })
    expect(payload).toEqual({ iss: origin, sub: 'u1', iat: Date.now() / 1000, exp: Date.now() / 1000 + 900 })
    expect(await isolate.verify(token)).toEqual(payload)
  })

  it('the set shows public members only; the private key is sealed', async () => {
    const isolate = new Isolate({ jwt: { algorithm: 'RS256' } })
    const [token, other] = [await isolate.sign(), await isolate.sign('EdDSA')]
    const { keys } = await isolate.keySet()
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'e', 'kid', 'kty', 'n'],
      ['alg', 'crv', 'kid', 'kty', 'x'],
    ])
    expect(keys.map(({ kid }) => kid)).toEqual([kidOf(token), kidOf(other)])
    // 2048 bits are 256 bytes, 342 characters of base64url.
    expect(keys[0]!.n).toHaveLength(342)
    for (const { privateKey } of await rowsOf('jwks'))
      expect(privateKey).toMatch(/^ey[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  it('costs two round trips for the first key, one in a new isolate, and then none', async () => {
    const cost = async (isolate: Isolate) => (await isolate.run((scope) => signJwt(scope, {}, { expiresIn: 60 }))).d1
    const [first, second] = [new Isolate(), new Isolate()]
    expect([await cost(first), await cost(first), await cost(second), await cost(second)]).toEqual([2, 0, 1, 0])
    pass(minutes(6))
    expect(await cost(first)).toBe(0)
    pass(minutes(11))
    expect([await cost(first), await cost(first)]).toEqual([1, 0])
  })

  it('of 20 isolates that need a first key in parallel, all sign with one', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => new Isolate().sign()))
    expect(new Set(tokens.map(kidOf)).size).toBe(1)
    expect(await countKeys()).toBe(1)
  })

  it('makes another key where the secret that the last one was sealed under is gone', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const before = await new Isolate().sign()
    const isolate = new Isolate({}, 'another-secret-0123456789-0123456789')
    const after = await isolate.sign()
    expect(kidOf(after)).not.toBe(kidOf(before))
    expect(await isolate.verify(before)).not.toBeNull()
    expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      expect.objectContaining({ event: 'signing-key-unreadable', kid: kidOf(before) }),
    ])
    logged.mockRestore()
  })

  it('makes another key also when one that signs later was published in the meantime', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    await new Isolate().sign()
    const isolate = new Isolate({}, 'another-secret-0123456789-0123456789')
    await isolate.verify(await new Isolate().sign())
    const { kid } = await new Isolate().rotate()
    expect(kidOf(await isolate.sign())).not.toBe(kid)
    expect(await countKeys()).toBe(3)
    logged.mockRestore()
  })

  it('refuses a token that would outlive its key', async () => {
    const signFor = (isolate: Isolate, expiresIn: number) => isolate.run((scope) => signJwt(scope, {}, { expiresIn }))
    await expect(signFor(new Isolate(), 86_401)).rejects.toThrow(RangeError)
    await expect(signFor(new Isolate({ jwt: { expiresIn: 172_800 } }), 172_800)).resolves.toBeDefined()
  })
})

describe('rotation by age', () => {
  it('publishes the next key before it signs, keeps the old one until its last token has ended, and trims', async () => {
    const isolate = new Isolate({ jwt: { rotationInterval: 30 * 86_400 } })
    const kids = async () => (await isolate.keySet()).keys.map(({ kid }) => kid)
    const first = await isolate.sign()
    pass(days(30) - minutes(10))
    // This isolate detects the age and publishes the next key after its response; it still signs with the old one.
    expect(kidOf(await isolate.sign())).toBe(kidOf(first))
    const published = await kids()
    expect(published).toHaveLength(2)
    pass(minutes(9))
    const last = await isolate.sign()
    expect(kidOf(last)).toBe(kidOf(first))
    pass(minutes(1))
    const next = await isolate.sign()
    expect(kidOf(next)).toBe(published.find((kid) => kid !== kidOf(first)))
    expect(await isolate.verify(last)).not.toBeNull()
    // A day is the maximum lifetime of a token, and ten minutes the maximum delay of an isolate.
    pass(days(1) + minutes(9))
    expect(await kids()).toHaveLength(2)
    pass(minutes(1))
    expect(await kids()).toEqual([kidOf(next)])
    // The next rotation or the cron trigger deletes the row.
    expect(await countKeys()).toBe(2)
    await isolate.rotate()
    expect(await countKeys()).toBe(2)
    await isolate.run(deleteEndedKeys)
    expect(await countKeys()).toBe(2)
    pass(days(2))
    await isolate.run(deleteEndedKeys)
    expect(await kids()).toHaveLength(1)
    expect(await countKeys()).toBe(1)
  })

  it('reaches another isolate in ten minutes, which asks after an answer and not before it', async () => {
    const [one, other] = [new Isolate(), new Isolate()]
    await one.sign()
    const before = await other.sign()
    const { kid } = await one.rotate()
    pass(minutes(10) - 1)
    const { result, d1 } = await other.run((scope) => signJwt(scope, {}, { expiresIn: 60 }))
    expect({ kid: kidOf(result), d1 }).toEqual({ kid: kidOf(before), d1: 0 })
    pass(1)
    expect(kidOf(await other.sign())).toBe(kid)
  })

  it('of 20 isolates that find it due in parallel, one rotates', async () => {
    const isolates = Array.from({ length: 20 }, () => new Isolate())
    await isolates[0]!.sign()
    pass(days(90))
    await Promise.all(isolates.map((isolate) => isolate.sign()))
    expect(await countKeys()).toBe(2)
    pass(minutes(10))
    const tokens = await Promise.all(isolates.map((isolate) => isolate.sign()))
    expect(new Set(tokens.map(kidOf)).size).toBe(1)
    expect(await countKeys()).toBe(2)
  })

  it('a key that was not requested since it was due does not sign again, and leaves the set', async () => {
    const isolate = new Isolate()
    const first = await isolate.sign('ES256')
    const second = await isolate.sign('EdDSA')
    pass(days(92))
    const next = await isolate.sign('EdDSA')
    expect(kidOf(next)).not.toBe(kidOf(second))
    pass(days(1))
    const { keys } = await isolate.keySet()
    expect(keys.map(({ kid }) => kid)).not.toContain(kidOf(first))
  })

  it('is off where the interval is null', async () => {
    const isolate = new Isolate({ jwt: { rotationInterval: null } })
    const first = await isolate.sign()
    pass(days(3650))
    expect(kidOf(await isolate.sign())).toBe(kidOf(first))
    expect(await countKeys()).toBe(1)
  })

  it('follows an interval of seconds, too', async () => {
    const isolate = new Isolate({ jwt: { rotationInterval: 4 } })
    const kids = []
    for (let second = 0; second < 12; second++) {
      kids.push(kidOf(await isolate.sign()))
      pass(1000)
    }
    expect(new Set(kids).size).toBe(3)
  })
})

describe('rotateSigningKeys', () => {
  it('makes the first key', async () => {
    const { kid, signsFrom } = await new Isolate().rotate()
    expect(signsFrom).toEqual(new Date())
    expect(kidOf(await new Isolate().sign())).toBe(kid)
  })

  it('20 parallel calls are one rotation, as is another one before the key signs', async () => {
    const isolate = new Isolate()
    const token = await isolate.sign()
    const rotated = await Promise.all(Array.from({ length: 20 }, () => new Isolate().rotate()))
    expect(new Set(rotated.map(({ kid }) => kid)).size).toBe(1)
    expect(rotated[0]!.signsFrom).toEqual(new Date(Date.now() + minutes(10)))
    expect(await isolate.rotate()).toEqual(rotated[0])
    expect(await countKeys()).toBe(2)
    pass(minutes(10))
    expect(kidOf(await isolate.sign())).toBe(rotated[0]!.kid)
    expect(await isolate.verify(token)).not.toBeNull()
  })

  it('leaves the keys of other algorithms alone', async () => {
    const isolate = new Isolate()
    const rsa = await isolate.sign('RS256')
    await isolate.sign()
    await isolate.rotate({ compromised: true })
    expect(kidOf(await isolate.sign('RS256'))).toBe(kidOf(rsa))
  })

  it('compromised: the old keys and their tokens end immediately, and of 20 new ones the last remains', async () => {
    const isolate = new Isolate()
    const token = await isolate.sign()
    await isolate.rotate()
    await Promise.all(Array.from({ length: 20 }, () => new Isolate().rotate({ compromised: true })))
    const { keys } = await isolate.keySet()
    expect(keys).toHaveLength(1)
    expect(await isolate.verify(token)).toBeNull()
    expect(kidOf(await isolate.sign())).toBe(keys[0]!.kid)
    expect(await countKeys()).toBe(1)
  })
})

describe('verifyJwt', () => {
  it('takes the audience and the type that are expected, and only those', async () => {
    const isolate = new Isolate({ jwt: { issuer: 'https://issuer.example' } })
    const payload = { aud: ['api', 'web'] }
    const { result } = await isolate.run((scope) => signJwt(scope, payload, { typ: 'at+jwt', expiresIn: 60 }))
    expect(decodeJwt(result).iss).toBe('https://issuer.example')
    expect(await isolate.verify(result, { audience: 'api', typ: 'at+jwt' })).toMatchObject(payload)
    for (const expected of [{ audience: 'other' }, { typ: 'JWT' }, { issuer: origin }]) {
      expect(await isolate.verify(result, expected)).toBeNull()
    }
    expect(await new Isolate().verify(result)).toBeNull()
  })

  it('takes nothing that is expired, unsigned, foreign, altered or no token', async () => {
    const isolate = new Isolate()
    const token = await isolate.sign()
    const [head = '', body = '', signature = ''] = token.split('.')
    const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
    const kid = kidOf(token)!
    const secret = new TextEncoder().encode(JSON.stringify((await isolate.keySet()).keys[0]))
    const claims = new SignJWT(decodeJwt(token))
    for (const bad of [
      `${encode({ alg: 'none', kid })}.${body}.`,
      `${encode({ alg: 'EdDSA', kid: 'foreign' })}.${body}.${signature}`,
      `${encode({ alg: 'EdDSA' })}.${body}.${signature}`,
      `${head}.${encode({ iss: origin, sub: 'u2', exp: 9999999999 })}.${signature}`,
      await claims.setProtectedHeader({ alg: 'HS256', kid }).sign(secret),
      `${head}.${body}`,
      `${head}.${body}.`,
      '',
      'garbage',
      '..',
      'e30.e30.e30',
    ]) {
      expect(await isolate.verify(bad)).toBeNull()
    }
    expect(await isolate.verify(token)).not.toBeNull()
    pass(minutes(15))
    expect(await isolate.verify(token)).toBeNull()
  })

  it('finds a key that another isolate has just created, and reads unknown ones once in 30 seconds', async () => {
    const [one, other] = [new Isolate(), new Isolate()]
    await other.sign()
    pass(30_000)
    const token = await one.sign('ES256')
    const foreign = token.replace(/^[^.]+/, btoa('{"alg":"ES256","kid":"foreign"}').replaceAll('=', ''))
    expect(await other.verify(token)).not.toBeNull()
    expect((await other.run((scope) => verifyJwt(scope, foreign))).d1).toBe(0)
    pass(30_000)
    expect((await other.run((scope) => verifyJwt(scope, foreign))).d1).toBe(1)
    expect((await other.run((scope) => verifyJwt(scope, foreign))).d1).toBe(0)
  })
})
