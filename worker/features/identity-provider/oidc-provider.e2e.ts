import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { errors } from 'oidc-provider'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alice } from '../../testing/people.ts'
import { startServer, type TestServer } from '../../testing/server.ts'

/**
 * oidc-provider as a peer. It is a server and has no client: openid-client runs the same code against it and against Gatehouse
 * (CIBA), and it issues the tokens that Gatehouse accepts from the workloads of another issuer (RFC 7523).
 */

const api = 'https://api.example.com'
const ciba = 'urn:openid:params:grant-type:ciba'
const peerSecret = 'a-secret-of-the-peer-with-32-characters'

let peer: Provider
let listener: Server
let server: TestServer
let issuer: string
/** The user at Gatehouse, and the cookies of their session. */
let userId: string
let cookie: string

beforeAll(async () => {
  listener = createServer()
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  issuer = `http://localhost:${(listener.address() as AddressInfo).port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: '1' }
  const basic = { client_secret: peerSecret, redirect_uris: [], response_types: [] }
  peer = new Provider(issuer, {
    clients: [
      { ...basic, client_id: 'agent', grant_types: [ciba], backchannel_token_delivery_mode: 'poll' },
      { ...basic, client_id: 'job', grant_types: ['client_credentials'] },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['k'] },
    ttl: { AccessToken: 60, BackchannelAuthenticationRequest: 60, ClientCredentials: 60, Grant: 60, IdToken: 60 },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          ...{ scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 60, jwt: { sign: { alg: 'RS256' } } },
        }),
      },
      ciba: {
        enabled: true,
        deliveryModes: ['poll'],
        processLoginHint: (_context: unknown, hint: string) => hint,
        validateBindingMessage: () => undefined,
        validateRequestContext: () => undefined,
        verifyUserCode: () => undefined,
        triggerAuthenticationDevice: () => undefined,
      },
    },
  })
  listener.on('request', peer.callback())
  const workloads = [{ issuer, claims: { client_id: 'job' } }]
  server = await startServer({
    config: {
      identityProvider: {
        resources: [{ identifier: api, scopes: { read: 'Read' } }],
        trustedClients: [{ clientId: 'agent', clientSecret: peerSecret, name: 'Payer', redirectURLs: [] }],
        services: [{ clientId: 'ci', workloads, access: { [api]: ['read'] } }],
      },
    },
  })
  const headers = { 'content-type': 'application/json', origin: server.url }
  const answer = await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(alice),
  })
  userId = ((await answer.json()) as { user: { id: string } }).user.id
  cookie = answer.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf(';')))
    .join('; ')
})

afterAll(async () => {
  await server?.close()
  listener?.close()
  listener?.closeAllConnections()
})

const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json', origin: server.url, cookie }
  const answer = await fetch(`${server.url}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.json() as Promise<any>
}
const discover = (at: string, clientId: string, secret: string) =>
  openid.discovery(new URL(at), clientId, secret, openid.ClientSecretBasic(secret), {
    execute: [openid.allowInsecureRequests],
  })

/** A server with a client that asks one user. */
interface Side {
  config: openid.Configuration
  hint: string
  answer(authReqId: string, accept: boolean): Promise<void>
}

async function gatehouse(): Promise<Side> {
  return {
    config: await discover(server.url, 'agent', peerSecret),
    hint: userId,
    async answer(authReqId, accept) {
      const id = authReqId.split('.')[0]
      await post(accept ? '/approvals/approve' : '/approvals/deny', { id })
    },
  }
}

async function oidcProvider(): Promise<Side> {
  return {
    config: await discover(issuer, 'agent', peerSecret),
    hint: 'alice',
    async answer(authReqId, accept) {
      if (!accept) return peer.backchannelResult(authReqId, new errors.AccessDenied())
      const grant = new peer.Grant({ clientId: 'agent', accountId: 'alice' })
      grant.addOIDCScope('openid')
      await grant.save()
      await peer.backchannelResult(authReqId, grant, { acr: 'urn:mace:incommon:iap:bronze' })
    },
  }
}

/** What a client gets of the protocol, without the values that differ by nature. */
async function outcomes({ config, hint, answer }: Side) {
  const ask = () =>
    openid.initiateBackchannelAuthentication(config, {
      ...{ scope: 'openid', login_hint: hint, binding_message: 'Order 4711' },
    })
  const collect = (auth_req_id: string) =>
    openid.genericGrantRequest(config, ciba, { auth_req_id }).then(
      (tokens) => tokens,
      (thrown) => ({ error: thrown.error as string }),
    )
  const [approved, denied, waiting] = [await ask(), await ask(), await ask()]
  await answer(approved.auth_req_id, true)
  await answer(denied.auth_req_id, false)
  const tokens = await collect(approved.auth_req_id)
  return {
    // `interval` is optional (CIBA Core, section 7.3).
    response: Object.keys(approved)
      .filter((name) => name !== 'interval')
      .sort(),
    modes: config.serverMetadata().backchannel_token_delivery_modes_supported?.includes('poll'),
    tokens: 'error' in tokens ? tokens : { type: tokens.token_type, withIdToken: typeof tokens.id_token === 'string' },
    subject: 'error' in tokens ? null : tokens.claims()?.sub,
    denied: await collect(denied.auth_req_id),
    waiting: await collect(waiting.auth_req_id),
    unknown: await collect('unknown'),
  }
}

describe('CIBA with openid-client', () => {
  it('has the same outcomes as at oidc-provider', async () => {
    const [here, there] = [await gatehouse(), await oidcProvider()]
    const [{ subject, ...own }, { subject: theirs, ...other }] = [await outcomes(here), await outcomes(there)]
    expect([subject, theirs]).toEqual([here.hint, there.hint])
    expect(own).toMatchObject({
      ...{ tokens: { type: 'bearer', withIdToken: true }, denied: { error: 'access_denied' } },
      waiting: { error: 'authorization_pending' },
    })
    expect(own).toEqual(other)
  })
})

describe('a workload with a token of oidc-provider', () => {
  it('exchanges it once for a token of its service', async () => {
    const config = await discover(issuer, 'job', peerSecret)
    const { access_token: assertion } = await openid.clientCredentialsGrant(config, { resource: server.url })
    const exchange = async (given: string) => {
      const body = new URLSearchParams({
        ...{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: 'ci', assertion: given },
      })
      const answer = await fetch(`${server.url}/api/auth/oauth2/token`, { method: 'POST', body })
      return answer.json() as Promise<any>
    }
    expect(await exchange(assertion)).toMatchObject({ token_type: 'Bearer', scope: 'read' })
    expect(await exchange(assertion)).toMatchObject({ error: 'invalid_grant' })
    const elsewhere = await openid.clientCredentialsGrant(config, { resource: 'https://elsewhere.example' })
    expect(await exchange(elsewhere.access_token)).toMatchObject({ error: 'invalid_grant' })
  })
})
