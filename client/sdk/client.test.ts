import { describe, expect, it } from 'vitest'
import { endpoints } from '../lib/auth/endpoints.generated.ts'
import { createGatehouseClient } from './client.ts'

const answering = (status: number, body: unknown) => {
  const calls: { url: string; init: RequestInit }[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }) as unknown as typeof globalThis.fetch
  return { fetch, calls }
}

describe('createGatehouseClient', () => {
  it('has the types of the product for its own fields of users', async () => {
    interface Fields {
      user: { company: { type: 'string'; required: true }; size: { type: 'string'; options: ['S', 'M'] } }
    }
    const { fetch } = answering(200, { email: 'ada@example.com', company: 'Acme', size: null })
    const client = createGatehouseClient<Fields>({ fetch })
    const { data } = await client.admin.getUser({ query: { id: '1' } })
    const company: string | undefined = data?.company
    const size: 'S' | 'M' | null | undefined = data?.size
    const plain = (await createGatehouseClient({ fetch }).admin.getUser({ query: { id: '1' } })).data
    // @ts-expect-error: unknown without the fields
    const other: string | undefined = plain?.company
    expect([company, size, other]).toEqual(['Acme', null, 'Acme'])
  })

  it('has a method for every endpoint, with the method of its contract', async () => {
    const { fetch, calls } = answering(200, {})
    const client = createGatehouseClient({ fetch, baseURL: 'https://a.example/api/auth/' })
    const expected = Object.entries(endpoints).flatMap(([entry, paths]) =>
      paths.map((path) => [path, entry.split(' ')[0]!] as const),
    )
    expect(expected.length).toBeGreaterThan(200)
    for (const [path, method] of expected) {
      const names = path
        .slice(1)
        .split('/')
        .map((name) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()))
      const call = names.reduce<unknown>((branch, name) => (branch as Record<string, unknown>)[name], client)
      calls.length = 0
      await (call as () => Promise<unknown>)()
      expect([calls[0]!.url.replace('https://a.example/api/auth', ''), calls[0]!.init.method]).toEqual([path, method])
    }
  })

  it.each([
    ['https://a.example', 'https://a.example/api/auth/ok'],
    ['https://a.example/', 'https://a.example/api/auth/ok'],
    ['https://a.example/accounts/api', 'https://a.example/accounts/api/ok'],
    ['/api/auth', '/api/auth/ok'],
    [undefined, '/api/auth/ok'],
  ])('finds the API of %s', async (baseURL, expected) => {
    const { fetch, calls } = answering(200, {})
    await createGatehouseClient({ fetch, ...(baseURL ? { baseURL } : {}) }).ok()
    expect(calls[0]!.url).toBe(expected)
  })

  it('hands over new tokens', async () => {
    const kept: string[] = []
    const fetch = (async () =>
      Response.json({}, { headers: { 'set-auth-token': 't.s' } })) as unknown as typeof globalThis.fetch
    await createGatehouseClient({ fetch, onToken: (token) => void kept.push(token) }).getSession()
    expect(kept).toEqual(['t.s'])
  })

  it('opens the address of a response with `redirect`, and no other', async () => {
    const opened: string[] = []
    const navigate = (url: string) => void opened.push(url)
    for (const redirect of [true, false]) {
      const { fetch } = answering(200, { url: `https://provider.example/${redirect}`, redirect })
      await createGatehouseClient({ fetch, navigate }).signIn.social({ provider: 'google' })
    }
    expect(opened).toEqual(['https://provider.example/true'])
  })

  it('sends a query, a body as JSON, cookies, and a token where there is one', async () => {
    const { fetch, calls } = answering(200, { image: '/x' })
    const client = createGatehouseClient({ fetch, token: () => 't.s' })
    await client.admin.audit({ query: { limit: 10 } })
    await client.avatar({ webp: 'AAAA' })
    expect(calls[0]!.url).toBe('/api/auth/admin/audit?limit=10')
    expect(calls[1]!.init).toMatchObject({ credentials: 'include', body: '{"webp":"AAAA"}' })
    expect(new Headers(calls[1]!.init.headers).get('authorization')).toBe('Bearer t.s')
  })

  it('answers an error with its code and status, and throws it where that is asked for', async () => {
    const { fetch } = answering(401, { code: 'UNAUTHORIZED', message: 'Unauthorized' })
    const client = createGatehouseClient({ fetch })
    expect(await client.listSignInMethods()).toMatchObject({ data: null, error: { status: 401, code: 'UNAUTHORIZED' } })
    await expect(client.listSignInMethods({}, { throw: true })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

it('calls a path that is a prefix of other paths: stepUp', async () => {
  const { fetch, calls } = answering(200, { status: true })
  const { stepUp } = createGatehouseClient({ fetch })
  await stepUp({ method: 'password', password: 'x' })
  await stepUp.sendCode({ method: 'email-otp' })
  expect(calls.map(({ url }) => url)).toEqual(['/api/auth/step-up', '/api/auth/step-up/send-code'])
})

describe('proofs', () => {
  const parts = (proof: string) =>
    proof
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))))

  it('sends a proof for each request, with the hash of a token, and never a private key', async () => {
    const { fetch, calls } = answering(200, {})
    let token: string | null = null
    const client = createGatehouseClient({ fetch, baseURL: 'https://a.example', dpop: true, token: () => token })
    await client.signIn.email({ email: 'ada@example.com', password: 'x' })
    token = 't.s%3D'
    await client.admin.audit({ query: { limit: 10 } })
    const [first, second] = calls.map(({ init }) => new Headers(init.headers))
    expect([first!.get('authorization'), second!.get('authorization')]).toEqual([null, 'DPoP t.s%3D'])
    const [signIn, audit] = [first!, second!].map((headers) => parts(headers.get('dpop')!))
    expect(Object.keys(signIn![0].jwk).sort()).toEqual(['crv', 'kty', 'x', 'y'])
    expect(signIn![1]).toMatchObject({ htm: 'POST', htu: 'https://a.example/api/auth/sign-in/email' })
    expect(audit![1]).toMatchObject({ htm: 'GET', htu: 'https://a.example/api/auth/admin/audit' })
    expect([signIn![1].ath, audit![1].ath.length, signIn![0].jwk]).toEqual([undefined, 43, audit![0].jwk])
    expect(signIn![1].jti).not.toBe(audit![1].jti)
  })

  it('corrects a wrong clock by the response, once', async () => {
    const times: number[] = []
    const ahead = 3600
    const date = new Date(Date.now() + ahead * 1000).toUTCString()
    const fetch = (async (_: string, init: RequestInit) => {
      times.push(parts(new Headers(init.headers).get('dpop')!)[1].iat)
      return Response.json(
        { code: 'INVALID_DPOP_PROOF' },
        { status: 401, headers: { date, 'www-authenticate': 'DPoP error="invalid_dpop_proof"' } },
      )
    }) as unknown as typeof globalThis.fetch
    const client = createGatehouseClient({ fetch, dpop: true })
    expect((await client.signIn.email({ email: 'ada@example.com', password: 'x' })).error?.code).toBe(
      'INVALID_DPOP_PROOF',
    )
    expect(times).toHaveLength(2)
    expect(times[1]! - times[0]!).toBeGreaterThan(ahead - 30)
  })

  it('keeps a key that cannot be exported, and finds it again', async () => {
    const { fetch, calls } = answering(200, {})
    let kept: CryptoKeyPair | null = null
    const store = {
      get: async () => kept,
      set: async (pair: CryptoKeyPair) => {
        kept = pair
      },
    }
    for (const _ of [1, 2]) await createGatehouseClient({ fetch, dpop: { store } }).ok()
    expect(kept!.privateKey.extractable).toBe(false)
    const [first, second] = calls.map(({ init }) => parts(new Headers(init.headers).get('dpop')!)[0].jwk)
    expect(first).toEqual(second)
  })

  it('signs with a key of the application', async () => {
    const { fetch, calls } = answering(200, {})
    const key = { jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }, sign: async () => new Uint8Array(64) }
    await createGatehouseClient({ fetch, dpop: { key } }).ok()
    const proof = new Headers(calls[0]!.init.headers).get('dpop')!
    expect([parts(proof)[0].jwk, proof.split('.')[2]]).toEqual([key.jwk, 'A'.repeat(86)])
  })
})
