import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import type { Scope } from '../../../identity/scope.ts'
import { after, days } from '../../../kit/time.ts'
import { type ConfiguredProvider, providerContextOf, resolveAddress } from './configured-provider.ts'
import {
  isObject,
  ProviderResponseError,
  providerFault,
  readLimited,
  rejectUnavailable,
  userAgent,
} from './fetch-json.ts'
import { verifyIdToken } from './id-token.ts'
import type { Profile, Provider, ProviderContext, ProviderTokens } from './provider.ts'
import { parseTokenResponse, strictTokenResponse, withoutEnvelope } from './token-response.ts'

/** The limit of an expiry, so that an excessive number does not become an invalid date. */
const maxLifetime = days(3650)

function serverOf({ provider, options }: ConfiguredProvider): AuthorizationServer {
  const token_endpoint = resolveAddress(provider.token, options)
  const issuer =
    provider.issuer === undefined ? new URL(token_endpoint).origin : resolveAddress(provider.issuer, options)
  return {
    issuer,
    token_endpoint,
    authorization_response_iss_parameter_supported: provider.sendsIssuer ?? false,
  }
}

/**
 * Adds the client authentication to a token request (RFC 6749, section 2.3.1). In an Authorization header, the id and secret
 * are percent-encoded only where necessary: some providers do not decode a hyphen.
 */
function authenticate({ provider }: ConfiguredProvider, clientSecret: string, assertion?: string): ClientAuth {
  return (_server, { client_id: id }, body, headers) => {
    if (assertion !== undefined) {
      body.set('client_id', id)
      body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      body.set('client_assertion', assertion)
    } else if (provider.clientAuthentication === 'basic') {
      headers.set('authorization', `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(clientSecret)}`)}`)
    } else {
      body.set('client_id', id)
      if (provider.clientAuthentication === 'post') body.set('client_secret', clientSecret)
    }
    for (const [name, theirs] of Object.entries(provider.parameterNames ?? {})) {
      const value = body.get(name)
      if (value === null || theirs === undefined) continue
      body.delete(name)
      body.set(theirs, value)
    }
  }
}

const given = (parameters: Record<string, string | undefined> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** The settings that all token requests share, and the response as the provider sent it. */
class TokenRequest {
  /** The JSON of the response, including fields that the library does not receive. */
  answer: Profile = {}

  constructor(
    private readonly scope: Scope,
    private readonly configured: ConfiguredProvider,
  ) {}

  async parts(context: ProviderContext) {
    const { provider, options } = this.configured
    const secret = provider.clientSecret ? await provider.clientSecret(context) : options.clientSecret
    const assertion = await provider.clientAssertion?.(context)
    const client: Client = { client_id: options.clientId }
    return {
      server: serverOf(this.configured),
      client,
      authentication: authenticate(this.configured, secret, assertion),
    }
  }

  settings(additionalParameters: Record<string, string>) {
    const { provider } = this.configured
    return {
      additionalParameters,
      headers: { 'user-agent': userAgent, ...provider.tokenHeaders },
      [allowInsecureRequests]: this.scope.settings.environment === 'development',
      [customFetch]: async (url: string, init: { method: string; headers: Record<string, string>; body: BodyInit }) => {
        const { method, headers, body } = init
        return this.read(await this.scope.outside(url, { method, headers, body }))
      },
    }
  }

  /** Converts the response to RFC 6749, section 5. The id token is verified by id-token.ts, not by the library. */
  private async read(answer: Response): Promise<Response> {
    const text = await readLimited(answer)
    rejectUnavailable(answer)
    const parsed = parseTokenResponse(answer, text)
    if (!isObject(parsed)) throw new ProviderResponseError('the token response is not an object')
    const fields = withoutEnvelope(parsed)
    const { provider } = this.configured
    this.answer = provider.readTokenResponse?.(fields) ?? fields
    const { error } = this.answer
    if (error === 'server_error' || error === 'temporarily_unavailable')
      throw providerFault(`the provider returned ${error}`)
    if (typeof error === 'string' && error) throw new ProviderResponseError(`the provider returned ${error}`)
    return Response.json(strictTokenResponse(this.answer), { status: answer.ok ? 200 : answer.status })
  }
}

/** What an exchange requires of the state and the callback. */
export interface CodeToExchange {
  callback: Readonly<Record<string, string>>
  codeVerifier: string | undefined
  nonce: string | undefined
  scopes: string[]
}

/** Exchanges the code of a callback for tokens, and verifies their id token. @throws Fault for an outage */
export async function exchangeCode(
  scope: Scope,
  configured: ConfiguredProvider,
  { callback, codeVerifier, nonce, scopes }: CodeToExchange,
): Promise<ProviderTokens> {
  const { provider, redirectUri } = configured
  const context = providerContextOf(scope, configured, callback)
  const request = new TokenRequest(scope, configured)
  const { server, client, authentication } = await request.parts(context)
  // takeState has verified the state. `iss` is compared only for a provider with an issuer.
  const { code, state, iss } = callback
  const checked = new URLSearchParams(given({ code, state, iss: provider.issuer === undefined ? undefined : iss }))
  const proven = validateAuthResponse(server, client, checked, state)
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    proven,
    redirectUri,
    codeVerifier ?? nopkce,
    request.settings(given(provider.tokenParameters?.(context))),
  )
  const answer = await processAuthorizationCodeResponse(server, client, response)
  const tokens = await readTokens(scope, configured, request.answer, answer, { nonce, scopes, refreshToken: null })
  return { ...tokens, kept: keptOf(provider, callback) }
}

/** The callback parameters that a refresh requires. Most providers require none. */
function keptOf({ refresh }: Provider, callback: Readonly<Record<string, string>>): ProviderTokens['kept'] {
  if (!refresh || refresh.keep === undefined) return undefined
  return given(Object.fromEntries(refresh.keep.map((name) => [name, callback[name]])))
}

/** Requests new tokens with a refresh token (RFC 6749, section 6). @throws Fault for an unavailable provider */
export async function refreshTokens(
  scope: Scope,
  configured: ConfiguredProvider,
  refreshToken: string,
  scopes: string[],
  kept?: ProviderTokens['kept'],
): Promise<ProviderTokens> {
  const { provider } = configured
  if (provider.refresh === false) throw new ProviderResponseError('tokens of this provider cannot be refreshed')
  const context = providerContextOf(scope, configured, kept)
  const request = new TokenRequest(scope, configured)
  const { server, client, authentication } = await request.parts(context)
  const settings = request.settings(given(provider.refresh?.parameters?.(context)))
  const response = await refreshTokenGrantRequest(server, client, authentication, refreshToken, settings)
  const answer = await processRefreshTokenResponse(server, client, response)
  // A provider without rotation keeps the refresh token. A refreshed id token has no nonce.
  const tokens = await readTokens(scope, configured, request.answer, answer, { nonce: undefined, scopes, refreshToken })
  return { ...tokens, kept }
}

async function readTokens(
  scope: Scope,
  { provider, options }: ConfiguredProvider,
  raw: Profile,
  answer: TokenEndpointResponse,
  asked: { nonce: string | undefined; scopes: string[]; refreshToken: string | null },
): Promise<ProviderTokens> {
  const idToken = typeof raw.id_token === 'string' && raw.id_token ? raw.id_token : null
  const claims =
    idToken && provider.idToken
      ? await verifyIdToken(scope, provider.idToken, options, idToken, { nonce: asked.nonce, sender: 'provider' })
      : null
  const now = scope.now()
  const expiry = (lifetime: unknown) => {
    const seconds = Number(lifetime)
    return Number.isFinite(seconds) && seconds > 0 ? after(now, Math.min(seconds, maxLifetime)) : null
  }
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? asked.refreshToken,
    idToken,
    claims,
    tokenType: answer.token_type,
    accessTokenExpiresAt: expiry(answer.expires_in),
    refreshTokenExpiresAt: expiry(raw.refresh_token_expires_in),
    scopes: answer.scope ? answer.scope.split(/[\s,]+/).filter(Boolean) : asked.scopes,
    raw,
  }
}
