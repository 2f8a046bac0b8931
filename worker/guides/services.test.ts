import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import type { Config } from '../configuration/read-config.ts'
import { administrator, root } from '../testing/admins.ts'
import { runCurl, shellBlocks } from '../testing/curl.ts'
import { origin } from '../testing/harness.ts'
import { alice, InitApp } from '../testing/init-app.ts'
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
import { company } from '../testing/organizations.ts'
import { signUp } from '../testing/people.ts'
import resourcesGuide from './resources.md?raw'
// The code of the guides (guides/code-blocks.ts).
import { config as withResource } from './resources.md#1.ts'
import { config as withIntrospection } from './resources.md#2.ts'
import servicesGuide from './services.md?raw'
import { config as withService } from './services.md#1.ts'
import { config as withWorkload } from './services.md#2.ts'

const resource = 'https://api.example.com'
afterEach(() => vi.restoreAllMocks())

it('resources.md: an application of a user gets a JWT for the API', async () => {
  const app = new InitApp(withResource)
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
  const app = new InitApp(withService)
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
  const app = new InitApp(withWorkload)
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

const json = (answer: { status: number; body: any }) => ({ status: answer.status, ...answer.body })

it('resources.md and services.md: each command, by an administrator and the owner of an organization', async () => {
  const introspecting = withIntrospection as { identityProvider: object }
  const identityProvider = { ...introspecting.identityProvider, resourcesPerOrganization: 5 }
  const app = new InitApp({ identityProvider } as Config)
  const { device, id } = await administrator(app)
  const given = { device, GATEHOUSE: origin }
  const [getToken, introspect, createResource, createOwn] = shellBlocks(resourcesGuide) as [
    string,
    string,
    string,
    string,
  ]
  const { access_token: TOKEN } = (await runCurl(app, getToken, given)).body
  expect(json(await runCurl(app, introspect, { ...given, TOKEN }))).toMatchObject({ active: true, aud: resource })
  expect(json(await runCurl(app, createResource, given))).toMatchObject({ status: 200, tokenFormat: 'jwt' })
  const { id: ORGANIZATION } = await company(app, 'acme', { id, email: root.email, device })
  const own = await runCurl(app, createOwn, { ...given, ORGANIZATION })
  expect(json(own)).toMatchObject({ status: 200, identifier: `urn:gatehouse:organization:${ORGANIZATION}:files` })

  const [first, create, ask, rotate, pause] = shellBlocks(servicesGuide) as [string, string, string, string, string]
  expect(json(await runCurl(app, first, given))).toMatchObject({ status: 200, scope: 'invoices:read' })
  const { service, clientSecret: SECRET } = (await runCurl(app, create, given)).body
  const asService = { ...given, SERVICE: service.clientId, SECRET }
  expect(json(await runCurl(app, ask, asService))).toMatchObject({ status: 200, scope: 'invoices:read' })
  const rotated = (await runCurl(app, rotate, asService)).body
  expect(rotated.clientSecret).not.toBe(SECRET)
  expect((await runCurl(app, ask, asService)).status).toBe(200)
  expect(json(await runCurl(app, pause, asService))).toMatchObject({ status: 200, state: 'paused' })
  expect((await runCurl(app, ask, asService)).status).toBe(401)
})
