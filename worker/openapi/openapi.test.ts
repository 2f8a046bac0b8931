import { describe, expect, it } from 'vitest'
import wrangler from '../../wrangler.toml?raw'
import type { Config } from '../configuration/read-config.ts'
import { serverPermissionOf } from '../http/endpoint.ts'
import { contractOf } from '../http/feature.ts'
import { servedFeatures } from '../rpc/served-features.ts'
import { TestApp } from '../testing/harness.ts'

const endpoints = servedFeatures({}).flatMap((feature) => Object.entries(contractOf(feature)))

describe('the API reference', () => {
  it('has one entry for every endpoint, with its body, its answer and its errors', async () => {
    const { status, body } = await new TestApp().device().get('/open-api/generate-schema')
    expect({ status, openapi: body.openapi }).toEqual({ status: 200, openapi: '3.1.0' })
    expect(endpoints.length).toBeGreaterThan(20)
    for (const [operation, endpoint] of endpoints) {
      const entry = body.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
      expect(entry?.operationId, endpoint.path).toBe(operation)
      expect(Boolean(entry.requestBody), endpoint.path).toBe(Boolean(endpoint.input?.body ?? endpoint.input?.raw))
      for (const { status: code } of endpoint.errors)
        expect(entry.responses, endpoint.path).toHaveProperty(String(code))
    }
    const signIn = body.paths['/sign-in/email'].post
    expect(signIn.requestBody.content['application/json'].schema.properties.email).toMatchObject({ type: 'string' })
    expect(signIn.responses[401].description).toContain('INVALID_EMAIL_OR_PASSWORD')
    expect(signIn.description).toBe('For anyone. At most 3 calls in 10 seconds from one address.')
    expect(signIn.responses[429].headers).toHaveProperty('X-Retry-After')
    expect(body.components.schemas.Session.properties.expiresAt).toEqual({ type: 'string', format: 'date-time' })
  })

  it('says whom each endpoint is for, and where browsers are sent', async () => {
    const { body } = await new TestApp().device().get('/open-api/generate-schema')
    for (const [, { path, method, access, answer, status }] of endpoints) {
      const entry = body.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
      expect(entry.security.length > 0, path).toBe(access !== 'visitor')
      const code = serverPermissionOf({ access }) === null ? 'UNAUTHORIZED' : 'INVALID_SERVER_KEY'
      if (access !== 'visitor') expect(entry.responses[401].description, path).toContain(code)
      if (answer === 'redirect') {
        expect(entry.responses[status ?? 302].headers, path).toHaveProperty('Location')
      }
    }
  })

  it('has no reference that leads nowhere, and no component that nothing refers to', async () => {
    for (const config of [{}, { organization: { enabled: false } }, { organization: { teams: { enabled: true } } }]) {
      const { body } = await new TestApp(config).device().get('/open-api/generate-schema')
      const text = JSON.stringify(body)
      const references = new Set([...text.matchAll(/"\$(?:ref|defs|id)":"?([^"]*)/g)].map(([, target]) => target!))
      const targets = Object.keys(body.components.schemas).map((name) => `#/components/schemas/${name}`)
      expect([...references].sort()).toEqual(targets.sort())
    }
  })

  it('names the session cookie as it is sent', async () => {
    const nameIn = async (config: Config, environment = {}) => {
      const { body } = await new TestApp(config, environment).device().get('/open-api/generate-schema')
      return body.components.securitySchemes.session.name
    }
    expect(await nameIn({})).toBe('gatehouse.session_token')
    const production = { BASE_URL: 'https://accounts.example.com' }
    expect(await nameIn({ cookies: { prefix: 'acme' } }, production)).toBe('__Secure-acme.session_token')
  })

  it('is a page without scripts', async () => {
    const { body, headers } = await new TestApp().device().get('/reference')
    expect(headers.get('content-type')).toContain('text/html')
    expect(body).toContain('<code>/sign-in/email</code>')
    expect(body).not.toContain('<script')
    expect(body).toContain('href="http://localhost:8787/api/auth/open-api/generate-schema"')
    const found = await new TestApp().device().get('/reference', { query: { q: 'sign-in EMAIL <b>' } })
    expect(found.body).toContain('0 endpoints')
    expect(found.body).not.toContain('<b>"')
    const one = (await new TestApp().device().get('/reference', { query: { q: 'post /sign-in/email-otp' } })).body
    expect(one).toContain('1 endpoint<')
    for (const told of [
      'Without a limit.|At most \\d+ calls? in',
      'For anyone\\.',
      '<code>INVALID_OTP</code>',
      'curl --request POST',
      'await authClient\\.signIn\\.emailOtp\\(',
    ]) {
      expect(one).toMatch(new RegExp(told))
    }
    const off = new TestApp({ openAPI: { disableDefaultReference: true } })
    expect((await off.device().get('/reference')).status).toBe(404)
    expect((await off.device().get('/open-api/generate-schema')).status).toBe(200)
  })

  it('is also at the configured place', async () => {
    expect((await new TestApp().device().get('/api/reference')).body).toContain('<code>/sign-in/email</code>')
    const moved = new TestApp({ openAPI: { path: '/api/documentation/accounts' } }).device()
    expect((await moved.get('/api/documentation/accounts')).status).toBe(200)
    expect((await moved.get('/api/reference')).status).toBe(404)
    expect((await moved.get('/reference')).status).toBe(200)
    const off = new TestApp({ openAPI: { disableDefaultReference: true } }).device()
    expect((await off.get('/api/reference')).status).toBe(404)
  })

  it('is off in production, unless configured', async () => {
    const production = {
      ENVIRONMENT: 'production',
      BASE_URL: 'https://accounts.example.com',
      SMTP_HOST: 'mail.example.com',
    }
    const closed = new TestApp({ mail: { transport: 'smtp' } }, production)
    expect((await closed.device().get('/open-api/generate-schema')).status).toBe(404)
    const open = new TestApp({ mail: { transport: 'smtp' }, openAPI: { enabled: true } }, production)
    expect((await open.device().get('/open-api/generate-schema')).status).toBe(200)
  })
})

describe('the routes', () => {
  it('are all different, and the Worker answers all of them', () => {
    const seen = endpoints.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(seen).size).toBe(seen.length)
    const listed = /run_worker_first = \[(.*)\]/.exec(wrangler)![1]!
    for (const prefix of ['"/api/*"', '"/.well-known/*"', '"/dev/*"']) expect(listed).toContain(prefix)
  })

  it('declare a budget, and whom they are for', () => {
    for (const [operation, endpoint] of endpoints) {
      expect(endpoint.budget, operation).toBeDefined()
      expect(endpoint.summary, operation).toMatch(/^[A-Z]/)
      if (endpoint.access !== 'visitor') expect(endpoint.budget.d1, operation).toBeGreaterThan(0)
    }
  })
})
