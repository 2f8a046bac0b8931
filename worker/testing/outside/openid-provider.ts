// A real OpenID provider on this machine (oidc-provider), for sign-ins without an external account: `npm run
// dev:openid`, in addition to `npm run dev`. Every name can sign in, with any password.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type OidcAccount } from 'oidc-provider'

export interface OpenIdProviderOptions {
  /** The port at 127.0.0.1; by default any free one. */
  port?: number
  /** The origin of the Worker that uses the provider; read at the first request. */
  application: () => string
  /** Provider ids in the Worker's configuration. Each has a separate callback. */
  providerIds: string[]
  /** Further redirect URIs; read at the first request. */
  redirectUris?: () => string[]
}

export interface OpenIdProvider {
  issuer: string
  discoveryUrl: string
  clientId: string
  clientSecret: string
  close(): Promise<void>
}

const clientId = 'gatehouse-demo'
const clientSecret = 'gatehouse-demo-secret'

/** The login `ada` belongs to Ada, ada@example.com. The login `ada@example.net` has that address. */
function accountOf(login: string): OidcAccount {
  const email = login.includes('@') ? login : `${login}@example.com`
  const name = email.split('@')[0]!
  return {
    accountId: login,
    claims: () => ({
      sub: login,
      email,
      // Users whose name has this prefix have no verified address.
      email_verified: !name.startsWith('unverified'),
      name: name.charAt(0).toUpperCase() + name.slice(1),
    }),
  }
}

/** Starts the provider with one client. Its issuer is `http://localhost:PORT`. */
export async function startOpenIdProvider({
  port = 0,
  application,
  providerIds,
  redirectUris = () => [],
}: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() }
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const configuration = () => ({
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [
          ...providerIds.map((id) => `${application()}/api/auth/oauth2/callback/${id}`),
          ...redirectUris(),
        ],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'web',
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: [crypto.randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // The id token also contains the claims of the requested scopes.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context: unknown, login: string) => accountOf(login),
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 600,
      RefreshToken: 86_400,
      Interaction: 600,
      Grant: 86_400,
      Session: 86_400,
    },
    issueRefreshToken: () => true,
  })
  let handle: ReturnType<Provider['callback']> | undefined
  server.on('request', (request, response) => {
    handle ??= new Provider(issuer, configuration()).callback()
    handle(request, response)
  })
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    clientId,
    clientSecret,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Entries of `genericOAuth` for several buttons with the same provider. */
export const demoProviders = ({ discoveryUrl }: OpenIdProvider, names: Record<string, string>, more: object = {}) =>
  Object.entries(names).map(([providerId, name]) => ({
    providerId,
    name,
    discoveryUrl,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    ...more,
  }))

/** A set of buttons as in a product; all use the one provider on this machine. */
const demoSet = {
  'demo-google': 'Google (demo)',
  'demo-github': 'GitHub (demo)',
  'demo-microsoft': 'Microsoft (demo)',
  'demo-apple': 'Apple (demo)',
  'demo-gitlab': 'GitLab (demo)',
  'demo-discord': 'Discord (demo)',
  'demo-work': 'Work account (demo)',
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [port = '9400', application = 'http://localhost:8787'] = process.argv.slice(2)
  const provider = await startOpenIdProvider({
    port: Number(port),
    application: () => application,
    providerIds: Object.keys(demoSet),
  })
  console.log(`An OpenID provider is at ${provider.issuer}. Put this line into .dev.vars and start \`npm run dev\`:\n`)
  console.log(`CONFIG=${JSON.stringify({ genericOAuth: demoProviders(provider, demoSet, { prompt: 'login' }) })}\n`)
  console.log(
    `It sends users back to ${application}. Another origin: npm run dev:openid -- ${port} http://localhost:PORT`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void provider.close().then(() => process.exit(0)))
  }
}
