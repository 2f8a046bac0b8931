import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import guide from '../../guides/mcp.md?raw'
import { FaultInjector } from '../../testing/faults.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import { toolServer } from '../../testing/neighbour/tool-server.ts'
import toolServerSource from '../../testing/neighbour/tool-server.ts?raw'
import {
  agree,
  authorizationRequest,
  authorize,
  callback,
  codeOf,
  fetchInto,
  json,
  pkce,
  postForm,
} from '../../testing/oauth.ts'
import { alice, signIn, signUp } from '../../testing/people.ts'

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
async function tokens(more: Record<string, string | undefined> = {}) {
  const { body: client } = await register()
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
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(body).toMatchObject({
      issuer: at,
      authorization_endpoint: `${at}/api/auth/mcp/authorize`,
      token_endpoint: `${at}/api/auth/mcp/token`,
      userinfo_endpoint: `${at}/api/auth/mcp/userinfo`,
      jwks_uri: `${at}/api/auth/mcp/jwks`,
      registration_endpoint: `${at}/api/auth/mcp/register`,
      code_challenge_methods_supported: ['S256'],
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

  it('404 where MCP is off', async () => {
    const off = new TestApp().device()
    for (const path of ['/.well-known/oauth-authorization-server', '/mcp/authorize', '/mcp/jwks']) {
      expect([path, (await off.get(path)).status]).toEqual([path, 404])
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
  it('201 for anybody', async () => {
    const { status, body, headers } = await register()
    expect([status, headers.get('access-control-allow-origin')]).toEqual([201, '*'])
    expect(body).toMatchObject({ client_name: 'Agent', token_endpoint_auth_method: 'none' })
  })

  it('400 as for everybody', async () => {
    const { status, body } = await register({ redirect_uris: [] })
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
  })
})

describe('GET /mcp/authorize and POST /mcp/token', () => {
  it('200: tokens for the tool server alone', async () => {
    const { status, body } = await tokens()
    expect(status).toBe(200)
    const { status: known, body: session } = await getSession(body.access_token, { resource })
    expect([known, session]).toEqual([
      200,
      {
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
    ])
    const headers = { authorization: `Bearer ${body.access_token}` }
    expect((await app.device().get('/mcp/userinfo', { headers })).body.sub).toBe(session.userId)
    expect((await app.device().get('/oauth2/userinfo', { headers })).status).toBe(401)
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

  it('invalid_target for a tool server that nobody knows', async () => {
    const { body: client } = await register()
    const query = authorizationRequest(client, { ...pkce().request, resource: 'https://evil.example.org/mcp' })
    const url = await authorize(device, query, '/mcp/authorize')
    expect([url.origin, url.searchParams.get('error')]).toEqual(['https://client.example.com', 'invalid_target'])
  })

  it('a stranger signs in first, and comes back to the same endpoint', async () => {
    const { body: client } = await register()
    const stranger = app.device()
    await authorize(stranger, authorizationRequest(client, { ...pkce().request, resource }), '/mcp/authorize')
    const { body } = await stranger.post('/sign-in/email', alice, { headers: { 'sec-fetch-mode': 'cors' } })
    expect(body.url).toMatch(/^\/api\/auth\/mcp\/authorize\?/)
    expect((await stranger.get(body.url)).headers.get('location')).toMatch(/^\/consent\?/)
  })
})

describe('GET /mcp/get-session', () => {
  const metadata = `resource_metadata="${at}/.well-known/oauth-protected-resource"`

  it('401 in JSON-RPC, with a challenge that says where tokens come from', async () => {
    const { status, body, headers } = await getSession(null)
    expect([status, body]).toEqual([
      401,
      {
        jsonrpc: '2.0',
        error: {
          code: -32000,
          message: 'Unauthorized: Authentication required',
          'www-authenticate': `Bearer ${metadata}`,
        },
        id: null,
      },
    ])
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

  it('403 where the call needs more, and which scope (step-up)', async () => {
    const { body } = await tokens()
    const { status, headers } = await getSession(body.access_token, { resource, scope: 'tools:call tools:admin' })
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(headers.get('www-authenticate')).toContain('scope="tools:call tools:admin"')
    expect((await getSession(body.access_token, { resource, scope: 'tools:call' })).status).toBe(200)
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

    // Step-up: the challenge of the 403 names the scopes, and the agent's person is asked for them.
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

  it('is fetched once and remembered; consent tells its host', async () => {
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
    'https://127.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:10.0.0.1]/client.json',
    'https://169.254.169.254/latest',
    'https://localhost/client.json',
    'https://app.localhost/client.json',
    'https://printer.local/client.json',
    'https://metadata.google.internal/x',
    'https://intranet/client.json',
  ])('%s is never fetched', async (client_id) => {
    expect(await ask(client_id)).toContain('/error?error=invalid_client')
    expect(fetch).not.toHaveBeenCalled()
  })

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
  ])('a document with %s is none', async (_what, given) => {
    answer = given
    expect(await ask(id)).toContain('/error?error=invalid_client')
  })

  it('is off without MCP, unless it is asked for', async () => {
    app = new TestApp({ rateLimit: { enabled: false } })
    device = await signUp(app, { ...alice, email: 'b@example.com' })
    const url = await authorize(device, authorizationRequest({ client_id: id }, pkce().request))
    expect(url.href).toContain('error=invalid_client')
    expect(fetch).not.toHaveBeenCalled()
  })
})
