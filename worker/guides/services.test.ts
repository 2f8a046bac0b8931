import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import { origin, TestApp } from '../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  basic,
  claimsIn,
  codeOf,
  exchange,
  postForm,
  registerClient,
} from '../testing/oauth.ts'
import { alice, signUp } from '../testing/people.ts'
// The code of the guides (guides/code-blocks.ts).
import { config as withAgents } from './agents.md#1.ts'
import { config as withApprovals } from './agents.md#2.ts'
import { config as withResource } from './resources.md#1.ts'
import { config as withService } from './services.md#1.ts'
import { config as withWorkload } from './services.md#2.ts'

const resource = 'https://api.example.com'
afterEach(() => vi.restoreAllMocks())

it('resources.md: an application of a user gets a JWT for the API', async () => {
  const app = new TestApp(withResource)
  const { body: document } = await app.device().get('/.well-known/openid-configuration')
  expect(document.scopes_supported).toEqual(expect.arrayContaining(['invoices:read', 'invoices:write']))
  const device = await signUp(app, alice)
  const client = await registerClient(device)
  const query = authorizationRequest(client, { scope: 'openid invoices:read', resource })
  const { body } = await exchange(app, client, codeOf(await agree(device, query)))
  expect(body).toMatchObject({ scope: 'openid invoices:read', expires_in: 600 })
  expect(claimsIn(body.access_token)).toMatchObject({ aud: resource, scope: 'openid invoices:read' })
})

it('services.md: a job with a secret gets a token for the API', async () => {
  const app = new TestApp(withService)
  const { body: document } = await app.device().get('/.well-known/openid-configuration')
  expect(document.grant_types_supported).toContain('client_credentials')
  const client_secret = 'at least 32 characters, from a secret of the deployment'
  const form = { grant_type: 'client_credentials', resource }
  const { body } = await postForm(app, '/oauth2/token', form, basic({ client_id: 'invoice-job', client_secret }))
  expect(body).toEqual({
    ...{ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: 'invoices:read' },
  })
})

it('services.md: a job of GitHub Actions exchanges its token once', async () => {
  const issuer = 'https://token.actions.githubusercontent.com'
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: '1' }]
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) =>
    String(input instanceof Request ? input.url : input).endsWith('/openid-configuration')
      ? Response.json({ issuer, jwks_uri: `${issuer}/.well-known/jwks` })
      : Response.json({ keys }),
  )
  const app = new TestApp(withWorkload)
  const claims = {
    sub: 'repo:acme/shop:ref:refs/heads/main',
    repository: 'acme/shop',
    ref: 'refs/heads/main',
    jti: '1',
  }
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .setIssuer(issuer)
    .setAudience(origin)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(privateKey)
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const ask = () => postForm(app, '/oauth2/token', { grant_type, client_id: 'deployment', assertion })
  expect(await ask()).toMatchObject({ status: 200, body: { scope: 'invoices:read' } })
  expect(await ask()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

it('agents.md: an agent exchanges the token of its user', async () => {
  const app = new TestApp(withAgents)
  const device = await signUp(app, alice)
  const shop = 'https://shop.example.com'
  expect((await device.get('/agents/resources')).body.resources[0].resource).toBe(shop)
  const made = { name: 'Buyer', purpose: 'Orders office supplies', access: { [shop]: ['orders:read'] }, days: 30 }
  const { agent, clientSecret } = (await device.post('/agents/create', made)).body
  const client = await registerClient(device)
  const query = authorizationRequest(client, { scope: 'orders:read orders:create', resource: shop })
  const { body: user } = await exchange(app, client, codeOf(await agree(device, query)))
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: user.access_token,
  }
  const asAgent = basic({ client_id: agent.clientId, client_secret: clientSecret })
  const { body } = await postForm(app, '/oauth2/token', form, asAgent)
  expect(body.scope).toBe('orders:read')
  const validated = await app.serverApi().validateToken(shop, body.access_token)
  expect(validated?.props.actors).toEqual([agent.clientId])
})

it('agents.md: an agent asks for an approval, and gets a token for one payment', async () => {
  const app = new TestApp(withApprovals)
  const device = await signUp(app, alice)
  const shop = 'https://shop.example.com'
  const made = { name: 'Buyer', purpose: 'Pays for paper', access: { [shop]: ['orders:pay'] } }
  const { agent, clientSecret } = (await device.post('/agents/create', made)).body
  const asAgent = basic({ client_id: agent.clientId, client_secret: clientSecret })
  const details = [{ type: 'payment', amount: 50, to: 'Paper Ltd' }]
  const form = {
    ...{ scope: 'openid orders:pay', resource: shop, login_hint: agent.userId, binding_message: 'Order 4711' },
    authorization_details: JSON.stringify(details),
  }
  const { body: asked } = await postForm(app, '/oauth2/bc-authorize', form, asAgent)
  const [{ id, authorizationDetails }] = (await device.get('/approvals/list')).body
  expect(authorizationDetails[0].sentence.en).toContain('pay at most 50 EUR to')
  expect((await device.post('/approvals/approve', { id })).status).toBe(200)
  const grant = { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: asked.auth_req_id }
  const { body } = await postForm(app, '/oauth2/token', grant, asAgent)
  expect(body.authorization_details).toEqual(details)
  const validated = await app.serverApi().validateToken(shop, body.access_token)
  expect(validated?.props).toMatchObject({ authorizationDetails: details, actors: [agent.clientId] })
})
