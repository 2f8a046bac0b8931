import { SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Device, TestApp } from '../../../../testing/harness.ts'
import { authorizationRequest, form, pkce, registerClient } from '../../../../testing/oauth.ts'
import { alice, signUp } from '../../../../testing/people.ts'
import { fetchBudgets } from './fetch-json.ts'

/** The budgets of fetches that requests without authentication cause. `rateLimit` is off in all tests of this file. */

// The variable of development servers.
const app = new TestApp({ mcp: { enabled: true } }, { RATE_LIMIT: 'off' })

/** A network (/64) with an address of its own for each request. */
const network = (subnet: number) => {
  let last = 0
  return () => app.device(`2001:db8:${subnet.toString(16)}:1::${(++last).toString(16)}`)
}

const openDocument = (from: Device, client_id: string) =>
  from.get('/mcp/authorize', { query: authorizationRequest({ client_id }, pkce().request) })

let fetched: string[]
beforeEach(() => {
  fetched = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    fetched.push(String(input))
    return new Response(null, { status: 404 })
  })
  return () => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

/** Requests one after the other. */
async function repeat(times: number, act: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await act(n)
}

describe('documents of clients', () => {
  it('for one network: 20 in any minute, not in two minutes that follow each other', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const begin = Date.now()
    const from = network(1)
    const open = (n: number) => openDocument(from(), `https://a${n}.example.org/client.json`)
    await open(0)
    vi.setSystemTime(begin + 50_000)
    await repeat(30, (n) => open(n + 1))
    expect(fetched).toHaveLength(fetchBudgets.document)
    // The first one has left the window, the others have not.
    vi.setSystemTime(begin + 61_000)
    await repeat(30, (n) => open(n + 100))
    expect(fetched).toHaveLength(fetchBudgets.document + 1)
    vi.setSystemTime(begin + 111_000)
    await repeat(30, (n) => open(n + 200))
    expect(fetched).toHaveLength(2 * fetchBudgets.document)
  })

  it('of parallel requests exactly as many', async () => {
    const from = network(2)
    await Promise.all(Array.from({ length: 40 }, (_, n) => openDocument(from(), `https://b${n}.example.org/c.json`)))
    expect(fetched).toHaveLength(fetchBudgets.document)
  })

  it('from one host: for all networks together', async () => {
    const open = (n: number) =>
      openDocument(network(0x100 + Math.floor(n / 10))(), `https://host.example.org/${n}.json`)
    await repeat(fetchBudgets.host + 20, open)
    expect(fetched).toHaveLength(fetchBudgets.host)
    await openDocument(network(0x200)(), 'https://other.example.org/c.json')
    expect(fetched).toHaveLength(fetchBudgets.host + 1)
  })
})

it('of the deployment: for all networks and hosts together', async () => {
  const open = (n: number) =>
    openDocument(network(0x1000 + Math.floor(n / 10))(), `https://d${Math.floor(n / 10)}.example.org/${n}.json`)
  for (let n = 0; n < fetchBudgets.deployment + 20; n += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, more) => open(n + more)))
  }
  expect(fetched).toHaveLength(fetchBudgets.deployment)
})

it('keys of clients, for one network: an assertion for a client whose keys cannot be read', async () => {
  const owner = await signUp(app, alice)
  const jwks_uri = 'https://keys.example.org/jwks'
  const { client_id } = await registerClient(owner, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri })
  const client_assertion = await new SignJWT({ sub: client_id })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode('not a key of the client, at least 32'))
  const body = new URLSearchParams({
    token: 'x',
    client_assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  }).toString()
  const from = network(3)
  const show = () => from().post('/oauth2/introspect', body, { headers: { ...form, origin: '' } })
  await repeat(fetchBudgets.keys, show)
  expect(fetched).toHaveLength(fetchBudgets.keys)
  expect(await show()).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(fetched).toHaveLength(fetchBudgets.keys)
})

it('addresses in the metadata of a client are not fetched', async () => {
  const address = 'https://more.example.org/x'
  const metadata = {
    ...{ logo_uri: address, client_uri: address, policy_uri: address, tos_uri: address },
    ...{ sector_identifier_uri: address, request_uris: [address], initiate_login_uri: address },
  }
  const client = await registerClient(await signUp(app, { ...alice, email: 'c@example.com' }), metadata)
  await app.device().get('/oauth2/authorize', { query: authorizationRequest(client, { request_uri: address }) })
  await app.device().get('/mcp/get-session', { query: { resource: address } })
  expect(fetched).toEqual([])
})
