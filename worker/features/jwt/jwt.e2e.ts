import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthClient } from 'better-auth/client'
import { jwtClient, oneTimeTokenClient } from 'better-auth/client/plugins'
import {
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { alice } from '../../testing/people.ts'
import { freePort } from '../../testing/ports.ts'
import { publishedClientFetch } from '../../testing/published-client.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

const root = join(import.meta.dirname, '../../..')

/** The unchanged code of the guide: the verifier, and a service that uses it. */
const guide = readFileSync(join(root, 'worker/guides/verify-tokens.md'), 'utf8')
const [verifier = '', service = ''] = [...guide.matchAll(/```js\n([\s\S]+?)```/g)].map(([, code]) => code!)
const printed = verifier + service

/** Moves the clock of the process, from which jose computes the age of its key set. */
const clock = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  let offset = 0
  Date.now = () => now() + offset
  process.on('message', (milliseconds) => {
    offset += milliseconds
    process.send('done')
  })
  process.on('disconnect', () => process.exit())
`)}`

/** The back end of a product: a separate process that runs the code of the guide. */
class BackEnd {
  private constructor(
    private readonly process: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(issuer: string): Promise<BackEnd> {
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', clock, '--input-type=module', '-e', printed], {
      cwd: root,
      env: { ...process.env, GATEHOUSE_URL: issuer, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const backEnd = new BackEnd(child, `http://localhost:${port}`)
    await vi.waitFor(() => backEnd.ask(''), { timeout: 60_000 })
    return backEnd
  }

  async ask(token: string): Promise<string> {
    const answer = await fetch(this.url, { headers: { authorization: `Bearer ${token}` } })
    return answer.ok ? answer.text() : String(answer.status)
  }

  /** Advances the clock of the process. */
  pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.process.once('message', () => resolve())
      this.process.send(milliseconds)
    })
  }

  stop(): void {
    this.process.kill()
  }
}

let server: TestServer
let backEnd: BackEnd
beforeAll(async () => {
  server = await startServer({ beside: [{ configPath: './worker/testing/neighbour/wrangler.toml' }] })
  backEnd = await BackEnd.start(server.url)
})
afterAll(async () => {
  backEnd?.stop()
  await server?.close()
})

/** The published client, unmodified, on a device of its own. */
const device = () =>
  createAuthClient({
    baseURL: server.url,
    plugins: [jwtClient(), oneTimeTokenClient()],
    fetchOptions: { customFetchImpl: publishedClientFetch(server.url) },
  })

const tokenOf = async (client: ReturnType<typeof device>): Promise<string> => (await client.token()).data!.token

/** Restarts with other settings and waits until tokens show them. */
async function restart(
  alice: ReturnType<typeof device>,
  config: Parameters<typeof server.restart>[0],
  audience = server.url,
): Promise<void> {
  await server.restart(config)
  const aud = async () => decodeJwt(await tokenOf(alice)).aud
  await expect.poll(() => aud().catch(() => null), { timeout: 60_000 }).toBe(audience)
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('the code that the guide prints, in a process of its own', () => {
  const client = {} as { alice: ReturnType<typeof device> }
  /** The back end's response to a known user. */
  const hello = alice.email

  it('is ten lines; a user signs in', async () => {
    expect(verifier.split('\n').filter(Boolean).length).toBeLessThanOrEqual(10)
    client.alice = device()
    expect((await client.alice.signUp.email(alice)).error).toBeNull()
  })

  it('takes tokens before, during and after a rotation', async () => {
    const before = await tokenOf(client.alice)
    expect(await backEnd.ask(before)).toBe(hello)

    const rotated = (await server.neighbour('rotateSigningKeys', {})) as { ok: true; result: { kid: string } }
    expect(rotated).toMatchObject({ ok: true, result: { kid: expect.any(String) } })
    const during = await tokenOf(client.alice)
    expect(kidOf(during)).toBe(kidOf(before))
    for (const token of [before, during]) expect(await backEnd.ask(token)).toBe(hello)

    // Ten minutes later.
    const database = await server.database()
    await database.prepare('update jwks set signs_from = signs_from - 600000').run()
    await restart(client.alice, {})
    await backEnd.pass(600_000)
    const after = await tokenOf(client.alice)
    expect(kidOf(after)).toBe(rotated.result.kid)
    for (const token of [after, before, during]) expect(await backEnd.ask(token)).toBe(hello)
  })

  it('rejects tokens that are unsigned, foreign, for another audience, altered or missing', async () => {
    const token = await tokenOf(client.alice)
    const claims = decodeJwt(token)
    const header = { ...decodeProtectedHeader(token), alg: 'EdDSA' } as JWTHeaderParameters
    const { privateKey } = await generateKeyPair('EdDSA')
    const signed = (changes: object) =>
      new SignJWT(claims).setProtectedHeader({ ...header, ...changes }).sign(privateKey)
    const [head, body = '', signature] = token.split('.')
    const none = new UnsecuredJWT(claims).encode()
    const withKid = `${Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')}.${body}.`
    for (const bad of [
      none,
      withKid,
      await signed({ kid: 'foreign' }),
      await signed({}),
      `${head}.${Buffer.from(JSON.stringify({ ...claims, email: 'mallory@example.com' })).toString('base64url')}.${signature}`,
      await new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'HS256' })
        .sign(new TextEncoder().encode('x'.repeat(64))),
      `${head}.${body}.`,
      'garbage',
      '',
    ]) {
      expect(await backEnd.ask(bad)).toBe('401')
    }
    await restart(client.alice, { jwt: { audience: 'https://api.example.com' } }, 'https://api.example.com')
    const foreign = await tokenOf(client.alice)
    expect(kidOf(foreign)).toBe(kidOf(token))
    expect(decodeJwt(foreign).aud).toBe('https://api.example.com')
    expect(await backEnd.ask(foreign)).toBe('401')
    await restart(client.alice, {})
    expect(await backEnd.ask(await tokenOf(client.alice))).toBe(hello)
  })

  it('refuses the tokens of a compromised key as soon as it reads the set again', async () => {
    const token = await tokenOf(client.alice)
    expect(await server.neighbour('rotateSigningKeys', { compromised: true })).toMatchObject({ ok: true })
    await restart(client.alice, {})
    await backEnd.pass(600_000)
    expect(await backEnd.ask(token)).toBe('401')
    expect(await server.neighbour('rotateSigningKeys', { algorithm: 'HS256' })).toEqual({
      ok: false,
      code: 'ALGORITHM_NOT_SUPPORTED',
      message: 'Algorithm not supported',
    })
  })
})

describe('the published client', () => {
  it('reads the key set, a token, and the token beside the session', async () => {
    const client = device()
    // The isolates of the last restart may start at this time.
    const signIn = () => client.signIn.email(alice).then(() => tokenOf(client))
    await expect.poll(() => signIn().catch(() => null), { timeout: 60_000 }).not.toBeNull()
    const { data } = await client.jwks()
    expect(data!.keys.map(({ kid }) => kid)).toContain(kidOf(await tokenOf(client)))
    let jwt: string | null = null
    await client.getSession({
      fetchOptions: { onSuccess: ({ response }) => void (jwt = response.headers.get('set-auth-jwt')) },
    })
    expect(decodeJwt(jwt!).email).toBe(alice.email)
    expect((await device().token()).error).toMatchObject({ status: 401 })
  })

  it('hands its session over by a one-time token, once', async () => {
    const client = device()
    await client.signIn.email(alice)
    const generated = await client.oneTimeToken.generate()
    expect(generated.error).toBeNull()
    const { token } = generated.data!
    const { data, error } = await device().oneTimeToken.verify({ token })
    expect(error).toBeNull()
    const session = (await client.getSession()).data!
    expect(data).toEqual(session)
    expect((await device().oneTimeToken.verify({ token })).error).toMatchObject({
      status: 400,
      code: 'INVALID_TOKEN',
      message: 'Invalid token',
    })
  })

  it('a server makes a one-time token for a session whose signature it has', async () => {
    let signed: string | null = null
    const client = device()
    await client.signIn.email({
      ...alice,
      fetchOptions: { onSuccess: ({ response }) => void (signed = response.headers.get('set-auth-token')) },
    })
    const answer = (await server.neighbour('generateOneTimeToken', { sessionToken: signed })) as {
      result: { token: string }
    }
    const { data } = await device().oneTimeToken.verify({ token: answer.result.token })
    expect(data).toEqual((await client.getSession()).data)
    for (const sessionToken of [decodeURIComponent(signed!).split('.')[0], '', '%', `${signed}x`, null]) {
      expect(await server.neighbour('generateOneTimeToken', { sessionToken })).toEqual({
        ok: false,
        code: 'SESSION_NOT_FOUND',
        message: 'Session not found',
      })
    }
  })
})
