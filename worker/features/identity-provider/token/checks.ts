import { createHash } from 'node:crypto'
import type { OAuthError } from '../../../kit/errors.ts'
import { equalSecrets } from '../../../kit/hash.ts'
import type { AuthorizationCode } from '../authorize/grant.ts'
import { type Client, isPublic } from '../clients/client.ts'
import { oauthError } from '../identity-provider.errors.ts'
import type { OAuthAccessToken } from '../identity-provider.table.ts'
import { type Parameters, words } from '../parameters.ts'
import { normalResource } from '../resources.ts'

/** A token request whose client is proven. */
interface TokenRequest {
  given: Parameters
  client: Client
  /** Thumbprint of the key whose possession it proves; null for none. */
  key: string | null
  now: Date
}

/** One named check; null lets the request pass. Checks only look: nothing is used up before all have passed. */
type TokenCheck<Presented> = (request: TokenRequest & Presented) => OAuthError | null
type CodeCheck = TokenCheck<{ granted: AuthorizationCode }>
type RefreshCheck = TokenCheck<{ token: OAuthAccessToken }>

/** RFC 6749, section 10.5; RFC 9700, section 4.5: a code is for the client that it was given to. */
const ownCode: CodeCheck = ({ granted, client }) =>
  granted.clientId === client.clientId ? null : oauthError('invalid_grant', 'invalid code')

/** RFC 6749, section 4.1.3: the same redirect URI as in the authorization request. */
const redirectUri: CodeCheck = ({ granted, given }) =>
  granted.redirectUri === given.redirect_uri ? null : oauthError('invalid_grant', 'invalid redirect_uri')

/** RFC 9449, section 10. */
const codeKey: CodeCheck = ({ granted, key }) =>
  granted.keyThumbprint && granted.keyThumbprint !== key
    ? oauthError('invalid_dpop_proof', 'the code is bound to another key')
    : null

/** What would prove the request to be the authorization's: the verifier, in both ways. */
function acceptableProofs(verifier: string | undefined): string[] {
  if (verifier === undefined) return ['']
  return [`S256:${createHash('sha256').update(verifier).digest('base64url')}`, `plain:${verifier}`]
}

/** RFC 7636, section 4.6; a verifier without a challenge is refused as well (RFC 9700, section 2.1.1). */
const codeVerifier: CodeCheck = ({ granted, given: { code_verifier: verifier } }) => {
  if (acceptableProofs(verifier).some((proof) => equalSecrets(proof, granted.proof))) return null
  if (verifier === undefined) return oauthError('invalid_request', 'code verifier is missing')
  return oauthError('invalid_grant', 'code verification failed')
}

const sameResource = (wanted: string | undefined, granted: string | null): OAuthError | null =>
  wanted !== undefined && normalResource(wanted) !== granted
    ? oauthError('invalid_target', 'the resource was not granted')
    : null

/** RFC 8707, section 2.2. */
const codeResource: CodeCheck = ({ granted, given }) => sameResource(given.resource, granted.resource)

/** THE table: every check of a code, in its order. */
export const codeChecks = { ownCode, redirectUri, codeKey, codeVerifier, codeResource } satisfies Record<
  string,
  CodeCheck
>

/** RFC 6749, section 10.4. A foreign token is no more than a wrong one; nothing of its owner's ends. */
const ownToken: RefreshCheck = ({ token, client }) =>
  token.clientId === client.clientId ? null : oauthError('invalid_grant', 'invalid refresh token')

/**
 * RFC 9449, section 5: a public client's is bound to its key. A confidential client's is bound to the client, which may
 * take a new key, but needs one: what was bound never becomes a bearer token.
 */
const tokenKey: RefreshCheck = ({ token, client, key }) => {
  if (token.keyThumbprint === null || token.keyThumbprint === key) return null
  if (key !== null && !isPublic(client)) return null
  return oauthError('invalid_dpop_proof', 'the token is bound to another key')
}

const notExpired: RefreshCheck = ({ token, now }) =>
  token.refreshTokenExpiresAt! <= now ? oauthError('invalid_grant', 'refresh token expired') : null

/** RFC 8707, section 2.2: the resource stays what it was. */
const tokenResource: RefreshCheck = ({ token, given }) => sameResource(given.resource, token.resource)

/** RFC 6749, section 6: scopes only shrink. */
const scopes: RefreshCheck = ({ token, given }) => {
  const granted = words(token.scopes)
  const more = words(given.scope).filter((scope) => !granted.includes(scope))
  if (more.length === 0) return null
  return oauthError('invalid_scope', `The following scopes are invalid: ${more.join(', ')}`)
}

/** THE table: every check of a refresh token, in its order. */
export const refreshChecks = { ownToken, tokenKey, notExpired, tokenResource, scopes } satisfies Record<
  string,
  RefreshCheck
>

/** @throws the first refusal of the table */
export function runChecks<Request>(
  table: Readonly<Record<string, (request: Request) => OAuthError | null>>,
  request: Request,
): void {
  for (const check of Object.values(table)) {
    const refused = check(request)
    if (refused) throw refused
  }
}
