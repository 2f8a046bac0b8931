import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../kit/random.ts'
import type { Answer, Device, TestApp } from './harness.ts'
import { insertRows, rowsOf } from './rows.ts'

/** The redirect URI of clients in tests. */
export const callback = 'https://client.example.com/cb'

export interface RegisteredClient {
  client_id: string
  client_secret: string
}

export const json = { 'content-type': 'application/json' }
export const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Registers a client that may refresh tokens, as the user of a device. */
export async function registerClient(device: Device, metadata: object = {}): Promise<RegisteredClient> {
  const { status, body } = await device.post('/oauth2/register', {
    redirect_uris: [callback],
    client_name: 'Client One',
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  })
  if (status !== 201) throw new Error(`registration answered ${status} ${JSON.stringify(body)}`)
  return body
}

/** A verifier and its S256 challenge (RFC 7636, section 4). */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, request: { code_challenge: challenge, code_challenge_method: 'S256' } }
}

/** Builds an authorization request and omits undefined parameters. */
export function authorizationRequest(
  client: { client_id: string },
  more: Record<string, string | undefined> = {},
): Record<string, string> {
  const all = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile email',
    state: 'client-state',
    ...more,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>
}

/** Requests an authorization, as a browser that follows a link. @returns the target of the redirect */
export async function authorize(
  device: Device,
  query: Record<string, string>,
  path = '/oauth2/authorize',
): Promise<URL> {
  const answer = await device.get(path, { query })
  if (answer.status !== 302) throw new Error(`authorize answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return new URL(answer.headers.get('location')!, 'http://localhost:8787')
}

/** Requests an authorization and consents if the server asks. @returns the client's address, with a code */
export async function agree(device: Device, query: Record<string, string>, path?: string): Promise<URL> {
  const asked = await authorize(device, query, path)
  if (asked.pathname !== '/consent') return asked
  const { status, body } = await device.post('/oauth2/consent', { accept: true })
  if (status !== 200) throw new Error(`consent answered ${status} ${JSON.stringify(body)}`)
  return new URL(body.redirectURI)
}

/** Stores the consent of every user to a client, so that its errors reach it without a page in between. */
export async function recordConsent({ client_id: clientId }: { client_id: string }, scopes = 'openid'): Promise<void> {
  const at = new Date(0)
  const consent = { clientId, scopes, consentGiven: true, clientName: 'Client One', createdAt: at, updatedAt: at }
  const users = await rowsOf('users')
  await insertRows('oauth_consents', ...users.map(({ id }) => ({ id: newId(), userId: id, ...consent })))
}

export const codeOf = (url: URL): string => {
  const code = url.searchParams.get('code')
  if (!code) throw new Error(`no code in ${url}`)
  return code
}

/** Posts a form to an endpoint of the protocol, as the client's server: from another address, without cookies. */
export function postForm<T = any>(
  app: TestApp,
  path: string,
  parameters: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return app
    .device()
    .post(path, new URLSearchParams(given).toString(), { headers: { origin: '', ...form, ...headers } })
}

/** Exchanges a code with the client's secret in the body. */
export const exchange = (
  app: TestApp,
  client: RegisteredClient,
  code: string,
  more: Record<string, string | undefined> = {},
) =>
  postForm(app, '/oauth2/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id: client.client_id,
    client_secret: client.client_secret,
    ...more,
  })

/** The claims of a JWT, unverified. */
export const claimsIn = (jwt: string): Record<string, any> =>
  JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString('utf8'))

export const basic = ({ client_id, client_secret }: RegisteredClient): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
})

/** A `fetch` for third-party programs. It sends their requests to the app under test. */
export const fetchInto =
  (app: TestApp): ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) =>
  async (input, init) => {
    const given = new Request(input, { ...init, redirect: 'manual' } as RequestInit)
    const headers = new Headers(given.headers)
    headers.set('cf-connecting-ip', '203.0.113.9')
    const body = given.method === 'GET' ? null : await given.text()
    const answer = await app.fetch(new Request(given.url, { method: given.method, headers, body, redirect: 'manual' }))
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    const bodiless = answer.status === 204 || answer.status === 304
    return new Response(bodiless ? null : text, { status: answer.status, headers: answer.headers })
  }
