import { fetchBudgets } from '../../features/identity-provider/model/clients/fetch-json.ts'
import { mailsPerSignIn } from '../../features/social/address/address.config.ts'
import { rateLimitOptions } from '../../http/edge/rate-limit.ts'
import { messageOptions } from '../../identity/messages/messages.config.ts'
import { minutes } from '../../kit/time.ts'
import { noIo } from '../../platform/io.ts'
import { keyValue } from '../../platform/kv.ts'
import { countInIsolate } from '../../platform/rate-limit.ts'
import type { Operation } from '../cases.ts'
import { type Answer, type Device, env, type TestApp } from '../harness.ts'
import {
  authorizationRequest,
  basic,
  form,
  pkce,
  type RegisteredClient,
  recordConsent,
  registerClient,
} from '../oauth.ts'
import { anotherDevice, someone } from '../organizations.ts'
import { interceptOutside } from '../outside/intercept.ts'
import { OAuthProvider } from '../outside/oauth-provider.ts'
import { reddit } from '../outside/social/reddit.ts'
import { comeBack, walk } from '../outside/walk.ts'
import { type Bound, type Bounds, perPath, spendCounter, tooMany } from './bounds.ts'

/**
 * Bounds of records in Durable Objects and KV. They delete themselves, so that the number at one time is the limit of an
 * address times the lifetime.
 */

const general = rateLimitOptions.defaults

type Request = (n: number) => Promise<Answer>

/** Requests of one address to a path with the general limit. */
const perGeneralPath = (
  operation: Operation,
  prepare: (app: TestApp, ip: string) => Promise<Request>,
  more: Partial<Bound> = {},
): Bound => ({
  by: `an address: ${operation}`,
  max: general.max,
  per: `address and ${general.window} s`,
  ofPath: true,
  beyond: tooMany,
  async reach(app, have) {
    const { ip } = app.device()
    const request = await prepare(app, ip)
    const kv = keyValue(env.KV, noIo())
    const key = `${ip}|${operation.split(' ')[1]}`
    for (let n = 0; n < have; n++) await countInIsolate(kv, key, general, Date.now(), () => undefined)
    return request
  },
  ...more,
})

/** The requests of a client's server from an address. */
const formFrom =
  (app: TestApp, ip: string, path: string, client: RegisteredClient, parameters: Record<string, string>): Request =>
  () =>
    app.device(ip).post(path, new URLSearchParams(parameters).toString(), {
      headers: { origin: '', ...form, ...basic(client) },
    })

/** The device of a signed-in user at an address. */
async function userAt(app: TestApp, ip: string): Promise<Device> {
  const { id } = await someone(app, 'Max')
  const { jar } = await anotherDevice(app, id)
  const device = app.device(ip)
  for (const [name, value] of jar) device.jar.set(name, value)
  return device
}

const atReddit = new OAuthProvider(reddit)
const redditOn = { socialProviders: { reddit: atReddit.options }, account: { askForEmail: true } }

/** Begins sign-ins at a provider. */
const socialStarts = [
  perPath(
    'POST /sign-in/social',
    (app, ip) => () => app.device(ip).post('/sign-in/social', { provider: 'reddit', callbackURL: '/' }),
    { config: redditOn },
  ),
]

/** Authorization requests of a user, with a consent or without. */
const authorizations = (consented: boolean) => [
  perGeneralPath('GET /oauth2/authorize', async (app, ip) => {
    const device = await userAt(app, ip)
    const client = await registerClient((await someone(app, 'Developer')).device)
    if (consented) await recordConsent(client)
    return () => device.get('/oauth2/authorize', { query: authorizationRequest(client, { scope: 'openid' }) })
  }),
]

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const deviceCodes = [
  perGeneralPath('POST /oauth2/device_authorization', async (app, ip) => {
    const { device } = await someone(app, 'Developer')
    const client = await registerClient(device, { grant_types: [deviceGrant] })
    return formFrom(app, ip, '/oauth2/device_authorization', client, { scope: 'openid' })
  }),
]

export const objectBounds: Bounds = {
  'email-otp:*': [
    perPath(
      'POST /email-otp/send-verification-otp',
      (app, ip) => (n) =>
        app.device(ip).post('/email-otp/send-verification-otp', { email: `to${n}@example.com`, type: 'sign-in' }),
    ),
  ],
  'phone-number:*': [
    perPath(
      'POST /phone-number/send-otp',
      async (app, ip) => {
        const send = (from: Device, n: number) =>
          from.post('/phone-number/send-otp', { phoneNumber: `+1555000${2000 + n}` })
        // The first call loads the rules of numbers. A limit that waits for them would not be counted.
        await send(app.device(), 0)
        return (n) => send(app.device(ip), n)
      },
      { config: { phoneNumber: { signUpOnVerification: true } } },
    ),
  ],
  'oauth-state': socialStarts,
  'oauth-proxied-state': socialStarts,
  'social-address': [
    {
      ...socialStarts[0]!,
      by: 'an address: sign-ins at a provider without an address',
      async reach(app, have) {
        atReddit.install()
        const { ip } = app.device()
        const begin: Request = async () => {
          const device = app.device(ip)
          const started = await device.post('/sign-in/social', { provider: 'reddit', callbackURL: '/' })
          return started.status === 200 ? comeBack(device, await atReddit.authorize(started.body.url)) : started
        }
        for (let n = 0; n < have; n++) await begin(n)
        return begin
      },
    },
  ],
  'social-address-code': [
    {
      by: 'a visitor: POST /social/send-code',
      max: mailsPerSignIn.max,
      per: `waiting identity and ${mailsPerSignIn.window} s`,
      config: redditOn,
      beyond: tooMany,
      async reach(app, have) {
        atReddit.install()
        const device = app.device()
        await walk(device, atReddit)
        const send: Request = (n) => device.post('/social/send-code', { email: `to${n}@example.com` })
        for (let n = 1; n <= have; n++) await send(-n)
        return send
      },
    },
  ],
  'one-time-token': [
    perGeneralPath('GET /one-time-token/generate', async (app, ip) => {
      const device = await userAt(app, ip)
      return () => device.get('/one-time-token/generate')
    }),
  ],
  'passkey-registration': [
    perGeneralPath('GET /passkey/generate-register-options', async (app, ip) => {
      const device = await userAt(app, ip)
      return () => device.get('/passkey/generate-register-options')
    }),
  ],
  'passkey-authentication': [
    perGeneralPath(
      'POST /passkey/generate-authenticate-options',
      async (app, ip) => () => app.device(ip).post('/passkey/generate-authenticate-options'),
    ),
  ],
  'passkey-sign-up': [
    perPath(
      'POST /passkey/generate-sign-up-options',
      (app, ip) => (n) =>
        app.device(ip).post('/passkey/generate-sign-up-options', { name: 'U', email: `to${n}@example.com` }),
      { config: { passkey: { signUp: true } } },
    ),
  ],
  'saml-logout': [
    perGeneralPath('POST /sso/sign-out', async (app, ip) => () => app.device(ip).post('/sso/sign-out'), {
      config: { enterprise: { enabled: true } },
      status: 401,
      grows: false,
    }),
  ],
  'saml-answer': [
    perPath(
      'POST /sso/saml2/acs/:providerId',
      (app, ip) => () =>
        app
          .device(ip)
          .post('/sso/saml2/acs/unknown', 'SAMLResponse=x', { headers: { ...form, origin: 'https://idp.example' } }),
      { config: { enterprise: { enabled: true } }, status: 302, grows: false },
    ),
  ],
  'authorization-code': authorizations(true),
  consent: authorizations(false),
  'pushed-request': [
    perGeneralPath('POST /oauth2/par', async (app, ip) => {
      const client = await registerClient((await someone(app, 'Developer')).device)
      return formFrom(app, ip, '/oauth2/par', client, authorizationRequest(client))
    }),
  ],
  'device-code': deviceCodes,
  'device-user-code': deviceCodes,
  'social:store-tokens': 'One record of each linked account whose refreshed tokens D1 did not store.',
}

const noNames = 'One object of each user, key, client or organization: the bounds of their tables.'
const oneAddress = 'One object of each address with requests: the window ends it.'

const signIn =
  (app: TestApp, ip: string): Request =>
  (n) =>
    app.device(ip).post('/sign-in/email', { email: `nobody${n}@example.com`, password: 'password1234' })

export const counterBounds: Bounds = {
  'rate:*': [
    {
      by: 'an address: POST /sign-in/email',
      max: 1,
      per: 'address and path',
      ofPath: true,
      status: 401,
      beyond: 'none',
      async reach(app) {
        const device = app.device()
        const same = () => signIn(app, device.ip)(1)
        await same()
        return same
      },
    },
  ],
  'password:*': [perPath('POST /sign-in/email', signIn, { status: 401 })],
  'code:*': [
    perPath(
      'POST /sign-in/email-otp',
      (app, ip) => (n) => app.device(ip).post('/sign-in/email-otp', { email: `to${n}@example.com`, otp: '000000' }),
      { status: 400 },
    ),
  ],
  'message:*': [
    perPath(
      'POST /sign-in/magic-link',
      (app, ip) => (n) => app.device(ip).post('/sign-in/magic-link', { email: `to${n}@example.com` }),
    ),
  ],
  'dpop:*': [
    perGeneralPath(
      'POST /oauth2/token',
      async (app, ip) => () =>
        app.device(ip).post('/oauth2/token', 'grant_type=authorization_code', { headers: { origin: '', ...form } }),
      { status: 400, grows: false },
    ),
  ],
  'client-assertion:*': [
    perGeneralPath(
      'POST /oauth2/par',
      async (app, ip) => () => app.device(ip).post('/oauth2/par', 'client_id=x', { headers: { origin: '', ...form } }),
      { status: 401, grows: false },
    ),
  ],
  'device-poll:*': 'One object of each device code, for a few seconds.',
  'approval-poll:*': 'One object of each request for an approval, for a few seconds.',
  'oauth-proxy:*': 'One object of each handover of a proxied sign-in, which has a state of this deployment.',
  'workload:*': 'One object of each signed assertion of a configured issuer, for its lifetime.',
  'social-address:mails:*': 'One object of each waiting identity.',
  'client-fetch:*': oneAddress,
  'guests:address:*': oneAddress,
  'clients:address:*': oneAddress,
  'invitations:address:*': oneAddress,
  'unknown-server-key:*': oneAddress,
  'unknown-directory-token:*': oneAddress,
  'mails-to-others': 'One object.',
  'sign-ups:network:*': 'One object of each network: the window ends it.',
  'attack:network:*': 'One object of each network: the window ends it.',
  'attack:password:*': 'At most 262,144 objects, each for its window: 18 bits of an HMAC name one.',
  'key-set-fetch:*': 'One object of each address with tokens of a provider, and of each provider: the window ends it.',
  'address-change:*': noNames,
  'agent-calls:*': noNames,
  'agent-units:*': noNames,
  'approval-requests:*': noNames,
  'device-user-code:*': noNames,
  'directory-token:*': noNames,
  'idempotency:*': noNames,
  'invitations:organization:*': noNames,
  'invitations:person:*': noNames,
  'invitations:unverified:*': noNames,
  'provider-refresh:*': noNames,
  'server-key:*': noNames,
  'service-tokens:*': noNames,
  'two-factor-otp:*': noNames,
  'two-factor:backup-code:*': noNames,
  'two-factor:totp:*': noNames,
}

const documentRule = { max: fetchBudgets.document, window: minutes(1), rolling: true }

export const kvBounds: Bounds = {
  defences: 'One record with the bounded list of defences.',
  'verification:': [
    perPath(
      'POST /sign-in/magic-link',
      (app, ip) => (n) => app.device(ip).post('/sign-in/magic-link', { email: `to${n}@example.com` }),
    ),
    {
      by: 'a visitor: POST /forget-password',
      max: messageOptions.defaults.mailsPerKind.max,
      per: 'recipient and hour',
      // The answer does not show whether a mail was sent.
      beyond: 'none',
      async reach(app, have) {
        const { email } = await someone(app, 'Max')
        const forget: Request = () => app.device().post('/forget-password', { email, redirectTo: '/reset' })
        for (let n = 0; n < have; n++) await forget(n)
        return forget
      },
    },
  ],
  'client-document:': [
    {
      by: 'an address: GET /mcp/authorize with the address of a document',
      max: fetchBudgets.document,
      per: 'address and minute',
      config: { mcp: { enabled: true } },
      beyond: { status: 302, code: 'invalid_client' },
      async reach(app, have) {
        interceptOutside(async ({ url }) =>
          Response.json({ client_id: url, client_name: 'C', redirect_uris: [`${new URL(url).origin}/cb`] }),
        )
        const { ip } = app.device()
        await spendCounter(`client-fetch:document:${ip}`, documentRule, have)
        return async (n) => {
          const host = `https://client-${n}.example.org`
          const asked = { client_id: `${host}/client.json` }
          const query = authorizationRequest(asked, { ...pkce().request, redirect_uri: `${host}/cb` })
          const answer = await app.device(ip).get('/mcp/authorize', { query })
          const code = answer.headers.get('location')?.match(/error=(\w+)/)?.[1] ?? null
          return { ...answer, body: { code } }
        }
      },
    },
  ],
  'client-keys:':
    'One key of each registered address of keys: the same budget of fetches, 60 for an address in a minute.',
  'key-set:': 'One key of each configured provider or connection.',
  'discovery:': 'One key of each configured provider or connection.',
  'rate-limit:': oneAddress,
  'mailbox:': 'Only in development: the newest 1,000 messages of a day (platform/mailer/mailbox.test.ts).',
}
