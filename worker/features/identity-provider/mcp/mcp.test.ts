import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import guide from '../../../guides/mcp.md?raw'
import { FaultInjector } from '../../../testing/faults.ts'
import { type Device, TestApp } from '../../../testing/harness.ts'
import { toolServer } from '../../../testing/neighbour/tool-server.ts'
import toolServerSource from '../../../testing/neighbour/tool-server.ts?raw'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  claimsIn,
  codeOf,
  fetchInto,
  json,
  pkce,
  postForm,
  recordConsent,
} from '../../../testing/oauth.ts'
import { alice, signIn, signUp } from '../../../testing/people.ts'

const at = 'http://localhost:8787'
const resource = `${at}/mcp`
const config = (more: object = {}) => ({
  rateLimit: { enabled: false },
  mcp: { enabled: true, resource, ...more },
  identityProvider: { scopes: ['tools:call', 'tools:admin'] },
})

let app: TestApp
let device: Device
beforeEach(async () => {
  app = new TestApp(config())
  device = await signUp(app, alice)
})

const register = (more: object = {}) =>
  app
    .device()
    .post(
      '/mcp/register',
      { redirect_uris: [callback], client_name: 'Agent', token_endpoint_auth_method: 'none', ...more },
      { headers: { origin: 'https://agent.example.org', ...json } },
    )

/** Tokens of a public client for the tool server. */
async function tokens(more: Record<string, string | undefined> = {}, metadata: object = {}) {
  const { body: client } = await register({ grant_types: ['authorization_code', 'refresh_token'], ...metadata })
  const { verifier, request } = pkce()
  const query = authorizationRequest(client, { ...request, resource, scope: 'openid tools:call', ...more })
  const code = codeOf(await agree(device, query, '/mcp/authorize'))
  const answer = await postForm(app, '/mcp/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    client_id: client.client_id,
    code_verifier: verifier,
  })
  return { client, ...answer }
}

const getSession = (token: string | null, query: Record<string, string> = {}) =>
  app.device().get('/mcp/get-session', { query, headers: token === null ? {} : { authorization: `Bearer ${token}` } })

describe('the documents', () => {
  it('of the authorization server (RFC 8414), below the base path and at the origin', async () => {
    const { status, body, headers } = await app.device().get('/.well-known/oauth-authorization-server')
    expect({ status, allowOrigin: headers.get('access-control-allow-origin') }).toEqual({
      status: 200,
      allowOrigin: '*',
    })
    expect(body).toMatchObject({
      issuer: at,
      authorization_endpoint: `${at}/api/auth/mcp/authorize`,
      token_endpoint: `${at}/api/auth/mcp/token`,
      userinfo_endpoint: `${at}/api/auth/mcp/userinfo`,
      jwks_uri: `${at}/api/auth/mcp/jwks`,
      registration_endpoint: `${at}/api/auth/mcp/register`,
      code_challenge_methods_supported: ['S256', 'plain'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
      client_id_metadata_document_supported: true,
    })
    expect((await app.device().get(`${at}/.well-known/oauth-authorization-server`)).body).toEqual(body)
  })

  it('of the protected resource (RFC 9728), also under its path', async () => {
    const { body } = await app.device().get(`${at}/.well-known/oauth-protected-resource`)
    expect(body).toMatchObject({ resource, authorization_servers: [at], bearer_methods_supported: ['header'] })
    expect((await app.device().get(`${at}/.well-known/oauth-protected-resource/mcp`)).body).toEqual(body)
    expect((await app.device().get(`${at}/.well-known/oauth-protected-resource/other`)).status).toBe(404)
  })

  it('metadata documents are offered where they are read', async () => {
    const off = new TestApp({ ...config(), identityProvider: { clientIdMetadataDocuments: false } })
    const { body } = await off.device().get('/.well-known/oauth-authorization-server')
    expect(body.client_id_metadata_document_supported).toBe(false)
  })

  it('404 where MCP is off', async () => {
    const off = new TestApp().device()
    for (const path of ['/.well-known/oauth-authorization-server', '/mcp/authorize', '/mcp/jwks']) {
      expect({ path, status: (await off.get(path)).status }).toEqual({ path, status: 404 })
    }
  })
})

describe('CORS', () => {
  it.each(['/mcp/token', '/mcp/register', '/mcp/get-session', '/mcp/userinfo', '/mcp/jwks'])(
    '%s is open',
    async (path) => {
      const answer = await app.fetch(
        new Request(`${at}/api/auth${path}`, {
          method: 'OPTIONS',
          headers: { origin: 'https://agent.example.org', 'access-control-request-method': 'POST' },
        }),
      )
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/Content-Type,\s*Authorization/i)
      expect(answer.headers.get('access-control-max-age')).toBe('86400')
    },
  )
})

describe('POST /mcp/register', () => {
  it('201 for every visitor', async () => {
    const { status, body, headers } = await register()
    expect({ status, allowOrigin: headers.get('access-control-allow-origin') }).toEqual({
      status: 201,
      allowOrigin: '*',
    })
    expect(body).toMatchObject({ client_name: 'Agent', token_endpoint_auth_method: 'none' })
  })

  it('400 as for other callers', async () => {
    const { status, body } = await register({ redirect_uris: [] })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' })
  })
})

describe('GET /mcp/authorize and POST /mcp/token', () => {
  it('200: tokens for the tool server alone', async () => {
    const { status, body } = await tokens()
    expect(status).toBe(200)
    const { status: known, body: session } = await getSession(body.access_token, { resource })
    expect({ status: known, session }).toEqual({
      status: 200,
      session: {
        accessToken: body.access_token,
        refreshToken: null,
        accessTokenExpiresAt: expect.any(String),
        refreshTokenExpiresAt: null,
        clientId: expect.any(String),
        userId: expect.any(String),
        scopes: 'openid tools:call',
        resource,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        id: expect.any(String),
      },
    })
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await app.device().get('/mcp/userinfo', { headers })).body.sub).toBe(session.userId)
    expect((await app.device().get('/oauth2/userinfo', { headers })).status).toBe(401)
  })

  it('a pushed request may name the tool server', async () => {
    const { body: client } = await register()
    const { verifier, request } = pkce()
    const query = authorizationRequest(client, { ...request, resource })
    const { status, body } = await postForm(app, '/oauth2/par', query)
    expect(status).toBe(201)
    const { client_id } = client
    const code = codeOf(await agree(device, { client_id, request_uri: body.request_uri }, '/mcp/authorize'))
    const given = { grant_type: 'authorization_code', code, redirect_uri: callback, client_id, code_verifier: verifier }
    const { body: answer } = await postForm(app, '/mcp/token', given)
    expect((await getSession(answer.access_token, { resource })).status).toBe(200)
    // The other endpoint does not have this resource.
    const { request_uri } = (await postForm(app, '/oauth2/par', query)).body
    expect((await authorize(device, { client_id, request_uri })).href).toContain('invalid_target')
  })

  it('a refreshed token is for the same tool server', async () => {
    const { client, body } = await tokens({ scope: 'openid offline_access', prompt: 'consent' })
    const next = await postForm(app, '/mcp/token', {
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
      client_id: client.client_id,
      resource,
    })
    expect((await getSession(next.body.access_token, { resource })).status).toBe(200)
  })

  it('invalid_target for an unknown tool server', async () => {
    const { body: client } = await register()
    await recordConsent(client)
    const query = authorizationRequest(client, { ...pkce().request, resource: 'https://evil.example.org/mcp' })
    const url = await authorize(device, query, '/mcp/authorize')
    expect({ origin: url.origin, error: url.searchParams.get('error') }).toEqual({
      origin: 'https://client.example.com',
      error: 'invalid_target',
    })
  })

  it('a visitor signs in first and returns to the same endpoint', async () => {
    const { body: client } = await register()
    const stranger = app.device()
    await authorize(stranger, authorizationRequest(client, { ...pkce().request, resource }), '/mcp/authorize')
    const { body } = await stranger.post('/sign-in/email', alice, { headers: { 'sec-fetch-mode': 'cors' } })
    expect(body.url).toMatch(/^\/api\/auth\/mcp\/authorize\?/)
    expect((await stranger.get(body.url)).headers.get('location')).toMatch(/^\/consent\?/)
  })
})

describe('POST /mcp/register', () => {
  it('400, 413: nested too deeply, too large, or no JSON', async () => {
    const deep = await register({ metadata: JSON.parse(`${'{"a":'.repeat(12)}0${'}'.repeat(12)}`) })
    expect(deep).toMatchObject({ status: 400, body: { error_description: 'request body is nested too deeply' } })
    expect((await register({ unknown: 'x'.repeat(8192) })).status).toBe(413)
    const body = JSON.stringify({ redirect_uris: [callback] })
    const form = await postForm(app, '/mcp/register', { [body]: '' })
    expect(form).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })
})

it('the tool server neither offers nor sees the scopes of another resource', async () => {
  const files = { identifier: 'https://files.example.com', scopes: { 'files:read': 'See your files' } }
  app = new TestApp({ ...config(), identityProvider: { scopes: ['tools:call'], resources: [files] } })
  const { body: document } = await app.device().get('/.well-known/oauth-protected-resource/mcp')
  expect(document.scopes_supported).toEqual(['openid', 'profile', 'email', 'offline_access', 'tools:call'])
  const { body: client } = await register()
  const { verifier, request } = pkce()
  const query = authorizationRequest(client, { ...request, resource, scope: 'tools:call files:read' })
  const search = new URLSearchParams(query)
  search.append('resource', files.identifier)
  const user = await signIn(app, alice)
  await user.get(`/mcp/authorize?${search}`)
  const { body: answer } = await user.post('/oauth2/consent', { accept: true })
  const { body } = await postForm(app, '/mcp/token', {
    ...{ grant_type: 'authorization_code', code: codeOf(new URL(answer.redirectURI)), redirect_uri: callback },
    ...{ client_id: client.client_id, code_verifier: verifier, resource },
  })
  expect(body.scope).toBe('tools:call')
  expect((await getSession(body.access_token)).body.scopes).toBe('tools:call')
  expect((await getSession(body.access_token, { scope: 'files:read' })).status).toBe(403)
})

describe('GET /mcp/get-session', () => {
  const metadata = `resource_metadata="${at}/.well-known/oauth-protected-resource"`

  it('401 in JSON-RPC, with a challenge that names the metadata', async () => {
    const { status, body, headers } = await getSession(null)
    expect({ status, body }).toEqual({
      status: 401,
      body: {
        jsonrpc: '2.0',
        error: {
          code: -32000,
          message: 'Unauthorized: Authentication required',
          'www-authenticate': `Bearer ${metadata}`,
        },
        id: null,
      },
    })
    expect(headers.get('www-authenticate')).toBe(`Bearer ${metadata}`)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('401 for a bad token, an id token, and a token for another tool server', async () => {
    const { body } = await tokens({ resource: undefined })
    for (const [token, query] of [
      ['bad', {}],
      [body.id_token, {}],
      [body.access_token, { resource }],
    ] as const) {
      const { status, headers } = await getSession(token, query)
      expect(status).toBe(401)
      expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", .*resource_metadata="/)
    }
  })

  it('200: the user id of a pairwise client is its own name for the user; 400: a token in two places', async () => {
    const { client, body } = await tokens({}, { subject_type: 'pairwise' })
    const { status, body: session } = await getSession(body.access_token, { resource })
    expect({ status, clientId: session.clientId }).toEqual({ status: 200, clientId: client.client_id })
    expect(session.userId).toBe(claimsIn(body.id_token).sub)
    const { user } = (await device.get('/get-session')).body
    expect(session.userId).not.toBe(user.id)
    expect((await getSession((await tokens()).body.access_token)).body.userId).toBe(user.id)
    const twice = await getSession(body.access_token, { access_token: body.access_token })
    expect({ status: twice.status, wwwAuthenticate: twice.headers.get('www-authenticate') }).toEqual({
      status: 400,
      wwwAuthenticate: expect.stringMatching(/^Bearer error="invalid_request", /),
    })
  })

  it('401: names the document of the requested tool server, in any spelling of its address', async () => {
    const second = 'https://tools.example.com/second'
    app = new TestApp(config({ resource: [resource, second] }))
    for (const asked of [second, `${second}/`, 'https://TOOLS.example.com:443/second']) {
      const { headers } = await getSession(null, { resource: asked })
      expect(headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource/second"')
    }
  })

  it('403 where the call needs more, and which scope (step-up)', async () => {
    const { body } = await tokens()
    const { status, headers } = await getSession(body.access_token, { resource, scope: 'tools:call tools:admin' })
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(headers.get('www-authenticate')).toContain('scope="tools:call tools:admin"')
    expect((await getSession(body.access_token, { resource, scope: 'tools:call' })).status).toBe(200)
  })
})

describe('GET /mcp/get-session: the authentication behind a token (RFC 9470)', () => {
  const mfa = 'https://refeds.org/profile/mfa'

  it('401 if it is too weak or too old, with the required parameters', async () => {
    const { body } = await tokens()
    const refused = await getSession(body.access_token, { resource, acr_values: `${mfa} "x` })
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get('www-authenticate')!
    expect(challenge).toContain('error="insufficient_user_authentication"')
    expect(challenge).toContain(`acr_values="${mfa} x"`)
    expect(refused.body.error['www-authenticate']).toBe(challenge)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 })
    try {
      const old = await getSession(body.access_token, { resource, max_age: '50' })
      expect({ status: old.status, wwwAuthenticate: old.headers.get('www-authenticate') }).toEqual({
        status: 401,
        wwwAuthenticate: expect.stringContaining('max_age="50"'),
      })
      expect((await getSession(body.access_token, { resource, max_age: '200' })).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('200 for a requested class; only unknown classes require nothing', async () => {
    const { body } = await tokens()
    for (const acr_values of [
      'urn:mace:incommon:iap:silver',
      'urn:mace:incommon:iap:bronze',
      `${mfa} urn:mace:incommon:iap:silver`,
      '1 2',
    ]) {
      expect({ acr_values, status: (await getSession(body.access_token, { resource, acr_values })).status }).toEqual({
        acr_values,
        status: 200,
      })
    }
  })
})

describe('@modelcontextprotocol/sdk', () => {
  class Agent implements OAuthClientProvider {
    redirectUrl = 'http://localhost:33418/callback'
    opened: URL | undefined
    saved: Record<string, any> = {}
    constructor(readonly clientMetadataUrl?: string) {}
    get clientMetadata() {
      return {
        redirect_uris: [this.redirectUrl],
        client_name: 'Agent',
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      }
    }
    clientInformation = () => this.saved.client
    saveClientInformation = (client: unknown) => {
      this.saved.client = client
    }
    tokens = () => this.saved.tokens
    saveTokens = (given: unknown) => {
      this.saved.tokens = given
    }
    redirectToAuthorization = (url: URL) => {
      this.opened = url
    }
    saveCodeVerifier = (verifier: string) => {
      this.saved.verifier = verifier
    }
    codeVerifier = () => this.saved.verifier
  }

  async function walk(agent: Agent) {
    const options = { serverUrl: resource, fetchFn: fetchInto(app) as never }
    expect(await auth(agent, options)).toBe('REDIRECT')
    const query = Object.fromEntries(agent.opened!.searchParams)
    expect(query.resource).toBe(resource)
    const back = await agree(device, query, '/mcp/authorize')
    expect(await auth(agent, { ...options, authorizationCode: codeOf(back) })).toBe('AUTHORIZED')
    expect((await getSession(agent.saved.tokens.access_token, { resource })).status).toBe(200)
    const before = agent.saved.tokens.refresh_token
    expect(await auth(agent, options)).toBe('AUTHORIZED')
    expect(agent.saved.tokens.refresh_token).not.toBe(before)
  }

  it('finds its way, registers, gets tokens for the tool server, and refreshes them', async () => {
    const agent = new Agent()
    await walk(agent)
    expect(agent.saved.client.client_id).toMatch(/^[a-zA-Z]{32}$/)
  })

  it('calls a tool server that accepts only tokens for itself, and no further than was granted', async () => {
    const tools = 'http://localhost:9000/mcp'
    app = new TestApp(config({ resource: tools }))
    device = await signIn(app, alice)
    const into = fetchInto(app)
    const fetchBoth = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init)
      if (new URL(request.url).port !== '9000') return into(request)
      return toolServer(request, { gatehouse: at, resource: tools, fetch: into })
    }
    const agent = new Agent()
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(tools), {
        authProvider: agent,
        fetch: fetchBoth as never,
      })
      const client = new Client({ name: 'agent', version: '1.0.0' })
      return { transport, client, connected: client.connect(transport) }
    }
    const comeBack = async () => {
      const query = Object.fromEntries(agent.opened!.searchParams)
      expect(query.resource).toBe(tools)
      return codeOf(await agree(device, query, '/mcp/authorize'))
    }
    const first = await connect()
    await expect(first.connected).rejects.toThrow(/Unauthorized/)
    await first.transport.finishAuth(await comeBack())
    const second = await connect()
    await second.connected
    const { userId } = (await getSession(agent.saved.tokens.access_token)).body
    const call = (name: string) => second.client.callTool({ name, arguments: {} })
    expect((await call('whoami')).content).toEqual([{ type: 'text', text: userId }])
    const query = { resource: 'http://localhost:9001/mcp' }
    expect((await getSession(agent.saved.tokens.access_token, query)).status).toBe(401)

    // Step-up: the challenge of the 403 names the scopes, and the user is asked for them.
    expect(agent.saved.tokens.scope).toBe('tools:call')
    agent.opened = undefined
    await expect(call('erase')).rejects.toThrow(/Unauthorized/)
    expect(agent.opened!.searchParams.get('scope')).toBe('tools:call tools:admin')
    await second.transport.finishAuth(await comeBack())
    expect(agent.saved.tokens.scope).toBe('tools:call tools:admin')
    expect((await call('erase')).content).toEqual([{ type: 'text', text: userId }])
    expect((await call('whoami')).content).toEqual([{ type: 'text', text: userId }])
  })

  it('a token that was refused for one call is as good as before for the others', async () => {
    const { body } = await tokens()
    const asked = { resource, scope: 'tools:call tools:admin' }
    expect((await getSession(body.access_token, asked)).headers.get('www-authenticate')).toContain('insufficient_scope')
    expect((await getSession(body.access_token, { resource, scope: 'tools:call' })).status).toBe(200)
  })

  it('is the server of the guide, line by line', () => {
    const blocks = [...guide.matchAll(/```ts\n([\s\S]+?)```/g)].map(([, code]) => code!.trim())
    expect(blocks).toHaveLength(3)
    expect(toolServerSource).toContain(blocks[1])
    expect(toolServerSource).toContain('if (caller instanceof Response) return caller')
  })

  it('brings its metadata document instead', async () => {
    const id = 'https://agent.example.org/client.json'
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      expect(String(input instanceof Request ? input.url : input)).toBe(id)
      return Response.json({ client_id: id, client_name: 'Agent', redirect_uris: ['http://localhost/callback'] })
    })
    try {
      const agent = new Agent(id)
      await walk(agent)
      expect(agent.saved.client.client_id).toBe(id)
      expect(fetched).toHaveBeenCalledOnce()
      expect((await device.get('/oauth2/connections')).body).toMatchObject([{ clientId: id, name: 'Agent' }])
    } finally {
      vi.restoreAllMocks()
    }
  })
})

describe('client id metadata documents', () => {
  const id = 'https://agent.example.org/client.json'
  const document = { client_id: id, client_name: 'Agent', redirect_uris: [callback] }
  let answer: () => Response | Promise<Response>
  beforeEach(() => {
    answer = () => Response.json(document)
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer())
    return () => vi.restoreAllMocks()
  })
  const ask = async (client_id: string, more: Record<string, string> = {}) =>
    (await authorize(device, authorizationRequest({ client_id }, { ...pkce().request, ...more }), '/mcp/authorize'))
      .href

  it('is fetched once and remembered; consent shows its host', async () => {
    expect(await ask(id)).toContain('/consent?')
    expect(await ask(id)).toContain('/consent?')
    expect(fetch).toHaveBeenCalledOnce()
    const { body } = await device.get('/oauth2/consent')
    expect(body.client).toMatchObject({ name: 'Agent', documentHost: 'agent.example.org' })
  })

  it('KV is only a cache: without it the document is fetched each time', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const faults = new FaultInjector()
    const other = new TestApp(config(), faults.bindings()).device()
    faults.outage('KV')
    const query = authorizationRequest({ client_id: id }, pkce().request)
    for (let n = 0; n < 2; n++) expect((await authorize(other, query, '/mcp/authorize')).pathname).toBe('/sign-in')
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it.each([
    'http://agent.example.org/client.json',
    'https://agent.example.org/',
    'https://agent.example.org/client.json#x',
    'https://agent.example.org/client.json?x=1',
    'https://agent.example.org/a/../client.json',
    'https://user@agent.example.org/client.json',
    'https://agent.example.org:8443/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'http://localhost:8787/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://169.254.169.254/latest',
    'https://app.localhost/client.json',
    'https://printer.local/client.json',
    'https://metadata.google.internal/x',
    'https://intranet/client.json',
  ])('%s is never fetched', async (client_id) => {
    expect(await ask(client_id)).toContain('/error?error=invalid_client')
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each(['http://localhost:9000/client.json', 'https://127.0.0.1:9443/client.json'])(
    '%s is fetched, in development only, so that it can be tried',
    async (client_id) => {
      await ask(client_id)
      expect(fetch).toHaveBeenCalledOnce()
    },
  )

  it.each<[string, () => Response | Promise<Response>]>([
    ['another id', () => Response.json({ ...document, client_id: 'https://other.example.org/c' })],
    ['no redirect URIs', () => Response.json({ client_id: id })],
    ['a bad redirect URI', () => Response.json({ ...document, redirect_uris: ['javascript:alert(1)'] })],
    ['a shared secret', () => Response.json({ ...document, token_endpoint_auth_method: 'client_secret_basic' })],
    ['no JSON', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a redirect', () => Response.redirect('https://169.254.169.254/', 302)],
    ['an error', () => Response.json(document, { status: 500 })],
    ['too much', () => Response.json({ ...document, client_uri: `https://x.example/${'x'.repeat(20_000)}` })],
    ['nothing', () => Promise.reject(new Error('unreachable'))],
  ])('rejects a document with %s', async (_what, given) => {
    answer = given
    expect(await ask(id)).toContain('/error?error=invalid_client')
  })

  it('is known by its keys too, however long its address', async () => {
    const long = `https://agent.example.org/${'a'.repeat(486)}`
    expect(long).toHaveLength(512)
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwks_uri = 'https://agent.example.org/keys'
    const key = { ...(await exportJWK(publicKey)), alg: 'ES256' }
    vi.mocked(fetch).mockImplementation(async (input) =>
      Response.json(
        String(input) === jwks_uri
          ? { keys: [key] }
          : { ...document, client_id: long, token_endpoint_auth_method: 'private_key_jwt', jwks_uri },
      ),
    )
    const claims = { iss: long, sub: long, aud: at, exp: Math.floor(Date.now() / 1000) + 60, jti: '1' }
    const { status, body } = await postForm(app, '/oauth2/introspect', {
      token: 'x',
      client_assertion: await new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect({ status, body }).toEqual({ status: 200, body: { active: false } })
  })

  it('is fetched at most twenty times a minute for one network (/64)', async () => {
    const open = (n: number) => {
      const client_id = `https://agent.example.org/${n}.json`
      return app.device(`2001:db8:1:2::${n.toString(16)}`).get('/mcp/authorize', {
        query: authorizationRequest({ client_id }, pkce().request),
      })
    }
    for (let n = 0; n < 30; n++) await open(n)
    expect(fetch).toHaveBeenCalledTimes(20)
  })

  it('is off without MCP, unless it is asked for', async () => {
    app = new TestApp({ rateLimit: { enabled: false } })
    device = await signUp(app, { ...alice, email: 'b@example.com' })
    const url = await authorize(device, authorizationRequest({ client_id: id }, pkce().request))
    expect(url.href).toContain('error=invalid_client')
    expect(fetch).not.toHaveBeenCalled()
  })
})
