import * as openid from 'openid-client'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../configuration/read-config.ts'
import { createAgent, exchangeToken, type TestAgent } from '../../testing/agents.ts'
import { type Device, TestApp } from '../../testing/harness.ts'
import {
  agree,
  authorizationRequest,
  authorize,
  basic,
  callback,
  claimsIn,
  codeOf,
  exchange,
  postForm,
  type RegisteredClient,
  registerClient,
} from '../../testing/oauth.ts'
import { openidClient } from '../../testing/openid-client.ts'
import { alice, signUp } from '../../testing/people.ts'

const shop = 'https://shop.example.com'
const settings: Config = {
  rateLimit: { enabled: false },
  identityProvider: {
    resources: [{ identifier: shop, scopes: { pay: 'Pay', read: 'Read' }, tokenFormat: 'jwt' }],
    authorizationDetailTypes: [
      {
        type: 'payment',
        resource: shop,
        scope: 'pay',
        fields: {
          amount: { kind: 'number', max: 500, decimals: 2, limit: true },
          currency: { kind: 'text', values: ['EUR', 'USD'] },
          to: { kind: 'text', maxLength: 40 },
        },
        sentence: { en: 'pay at most {amount} {currency} to {to}', de: 'höchstens {amount} {currency} an {to} zahlen' },
      },
      {
        type: 'folder',
        fields: { actions: { kind: 'list', values: ['list', 'read', 'write'] } },
        sentence: { en: '{actions} the files of the folder' },
      },
    ],
  },
}

const payment = (amount: unknown = 50, more: object = {}) => ({
  ...{ type: 'payment', amount, currency: 'EUR', to: 'Papier & Co' },
  ...more,
})
const json = (...details: unknown[]) => JSON.stringify(details)
const query = (details: string, more: Record<string, string> = {}) => ({
  ...{ scope: 'openid pay read', resource: shop, authorization_details: details },
  ...more,
})

let app: TestApp
let device: Device
let client: RegisteredClient
beforeEach(async () => {
  app = new TestApp(settings)
  device = await signUp(app, alice)
  client = await registerClient(device)
})

/** The tokens of an authorization with these details. */
async function tokens(details: string, atToken?: string) {
  const more = query(details, { prompt: 'consent', scope: 'openid pay read offline_access' })
  const code = codeOf(await agree(device, authorizationRequest(client, more)))
  return exchange(app, client, code, { authorization_details: atToken })
}

const refresh = (refresh_token: string, more: Record<string, string>) =>
  postForm(app, '/oauth2/token', { grant_type: 'refresh_token', refresh_token, ...more }, basic(client))

describe('authorization details (RFC 9396)', () => {
  it('the consent page shows them in words, and asks each time', async () => {
    for (const _ of ['first', 'second']) {
      const details = json(payment(12.5), { type: 'folder', actions: ['list', 'read'] })
      const page = await authorize(device, authorizationRequest(client, query(details)))
      expect(page.pathname).toBe('/consent')
      const { body } = await device.get('/oauth2/consent')
      expect(body.authorizationDetails).toEqual([
        {
          type: 'payment',
          sentence: {
            en: 'pay at most 12.5 \u2068EUR\u2069 to \u2068Papier & Co\u2069',
            de: 'höchstens 12,5 \u2068EUR\u2069 an \u2068Papier & Co\u2069 zahlen',
          },
        },
        { type: 'folder', sentence: { en: '\u2068list, read\u2069 the files of the folder' } },
      ])
      await device.post('/oauth2/consent', { accept: true })
    }
    const silent = authorizationRequest(client, query(json(payment()), { prompt: 'none' }))
    expect((await authorize(device, silent)).searchParams.get('error')).toBe('consent_required')
  })

  it('the token response, the JWT, introspection and validateToken contain what was granted', async () => {
    const { body } = await tokens(json(payment()))
    expect(body.authorization_details).toEqual([payment()])
    expect(claimsIn(body.access_token).authorization_details).toEqual([payment()])
    const read = await postForm(app, '/oauth2/introspect', { token: body.access_token }, basic(client))
    expect(read.body.authorization_details).toEqual([payment()])
    expect((await app.serverApi().validateToken(shop, body.access_token))?.props.authorizationDetails).toEqual([
      payment(),
    ])
  })

  it('a pushed request of openid-client, which reads them from the response', async () => {
    const config = await openidClient(app, client.client_id, client.client_secret)
    expect(config.serverMetadata().authorization_details_types_supported).toEqual(['payment', 'folder'])
    const given = { redirect_uri: callback, ...query(json(payment())) }
    const url = await openid.buildAuthorizationUrlWithPAR(config, given)
    const back = await agree(device, Object.fromEntries(url.searchParams))
    const granted = await openid.authorizationCodeGrant(config, back)
    expect(granted.authorization_details).toEqual([payment()])
  })

  const refused: [string, string, Record<string, string>?][] = [
    ['no JSON', 'payment'],
    ['no list', '{"type":"payment"}'],
    ['an empty list', '[]'],
    ['an unknown type', json({ type: 'wire' })],
    ['a missing field', json({ type: 'payment', amount: 5, currency: 'EUR' })],
    ['an unknown field', json(payment(5, { note: 'x' }))],
    ['an inherited name', json(payment(5, { constructor: 'x' }))],
    ['more than the maximum', json(payment(501))],
    ['a negative amount', json(payment(-1))],
    ['too many decimals', json(payment(1.001))],
    ['a number as a text', json(payment('50'))],
    ['a value that is not listed', json(payment(5, { currency: 'GBP' }))],
    ['a text that is too long', json(payment(5, { to: 'x'.repeat(41) }))],
    ['a text that changes the direction', json(payment(5, { to: 'a\u202eb' }))],
    ['an item that is not listed', json({ type: 'folder', actions: ['delete'] })],
    ['eleven details', json(...Array(11).fill(payment(1)))],
    ['a request without the resource', json(payment()), { scope: 'openid', resource: '' }],
    ['a request without the scope', json(payment()), { scope: 'openid read' }],
  ]
  it.each(refused)('invalid_authorization_details: %s', async (_, details, more) => {
    const pushed = { ...authorizationRequest(client, query(details, more)), ...client }
    const { status, body } = await postForm(app, '/oauth2/par', pushed)
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_authorization_details' })
  })

  it('a client with registered types requests no others', async () => {
    const limited = await registerClient(device, { authorization_details_types: ['folder'] })
    const push = async (details: string) =>
      (await postForm(app, '/oauth2/par', { ...authorizationRequest(limited, query(details)), ...limited })).status
    expect([await push(json({ type: 'folder', actions: ['read'] })), await push(json(payment()))]).toEqual([201, 400])
  })

  it('a token request and a refresh narrow them, and never widen them', async () => {
    const { body } = await tokens(json(payment(50), payment(20)), json(payment(20), payment(40)))
    expect(body.authorization_details).toEqual([payment(20), payment(40)])
    const wider = [json(payment(41)), json(payment(20), payment(21), payment(1)), json(payment(5, { to: 'Other' }))]
    for (const details of wider) {
      const { status, body: error } = await refresh(body.refresh_token, { authorization_details: details })
      expect({ status, error: error.error }).toEqual({ status: 400, error: 'invalid_authorization_details' })
    }
    const { body: next } = await refresh(body.refresh_token, { authorization_details: json(payment(10)) })
    expect(next.authorization_details).toEqual([payment(10)])
    const { body: less } = await refresh(next.refresh_token, { scope: 'openid read' })
    expect(less.authorization_details).toBeUndefined()
    const { status } = await refresh(less.refresh_token, { authorization_details: json(payment(11)) })
    expect(status).toBe(400)
  })

  it('an agent receives what its scopes permit by exchange, and narrows it', async () => {
    const { body } = await tokens(json(payment(50)))
    const swap = (by: TestAgent, authorization_details?: string) =>
      exchangeToken(app, by, body.access_token, { authorization_details })
    const [payer, reader] = [
      await createAgent(device, { [shop]: ['pay'] }),
      await createAgent(device, { [shop]: ['read'] }),
    ]
    expect((await swap(payer)).body.authorization_details).toEqual([payment(50)])
    expect(claimsIn((await swap(payer, json(payment(30)))).body.access_token).authorization_details).toEqual([
      payment(30),
    ])
    expect((await swap(reader)).body).not.toHaveProperty('authorization_details')
    expect((await swap(payer, json(payment(51)))).body.error).toBe('invalid_authorization_details')
    expect((await swap(reader, json(payment(1)))).body.error).toBe('invalid_authorization_details')
  })

  it('a device requests them, and its page shows them', async () => {
    const grant = 'urn:ietf:params:oauth:grant-type:device_code'
    const tv = await registerClient(device, { grant_types: [grant], response_types: [], redirect_uris: [] })
    const start = (details: string) => postForm(app, '/oauth2/device_authorization', { ...query(details), ...tv })
    expect((await start(json(payment(501)))).body.error).toBe('invalid_authorization_details')
    const { body } = await start(json(payment(9)))
    const shown = await device.post('/oauth2/device/read', { user_code: body.user_code })
    expect(shown.body.authorizationDetails[0].sentence.en).toContain('pay at most 9')
    await device.post('/oauth2/device/answer', { user_code: body.user_code, accept: true })
    const form = { grant_type: grant, device_code: body.device_code, ...tv }
    const narrowed = await postForm(app, '/oauth2/token', { ...form, authorization_details: json(payment(8)) })
    expect(narrowed.body.authorization_details).toEqual([payment(8)])
  })

  it('a type that the configuration no longer has is in no response', async () => {
    const { body } = await tokens(json(payment()))
    const { authorizationDetailTypes: _, ...without } = settings.identityProvider as Record<string, unknown>
    const later = new TestApp({ ...settings, identityProvider: without } as Config)
    expect((await later.serverApi().validateToken(shop, body.access_token))?.props).not.toHaveProperty(
      'authorizationDetails',
    )
  })

  it('the configuration is refused unless each sentence contains every field', () => {
    const broken = structuredClone(settings) as any
    broken.identityProvider.authorizationDetailTypes[0].sentence.de = 'zahlen an {to}'
    expect(() => new TestApp(broken)).toThrow(/authorizationDetailTypes.0.sentence/)
  })
})
