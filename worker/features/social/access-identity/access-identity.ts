import type { Scope } from '../../../identity/scope.ts'
import type { SignInResult } from '../../../identity/sign-in/sign-in.ts'
import { parseCookies } from '../../../kit/cookies.ts'
import { days, ms } from '../../../kit/time.ts'
import { IdTokenError, verifyIdToken } from '../model/id-token.ts'
import { type KnownPerson, validatePerson } from '../model/profile.ts'
import type { IdTokenRules, Profile, ProviderOptions } from '../model/provider.ts'
import { type IdentityRefusal, refusalErrors, requireSignIn } from '../model/sign-in-by-identity.ts'
import { accessIdentityOptions, accessProvider } from './access-identity.config.ts'
import { accessIdentityErrors as errors } from './access-identity.errors.ts'
import { hostOfTeam } from './team.ts'

/** The longest session of an Access application is a month; its token expires with it. */
const maxAge = days(31)

const noTokens = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scopes: [],
}

const refusals: Record<IdentityRefusal, (typeof refusalErrors)[IdentityRefusal]> = {
  ...refusalErrors,
  email_not_found: errors.ACCESS_WITHOUT_EMAIL,
}

/**
 * Signs in the user of the request's Access token. The session counts as authenticated when Access issued the token: a
 * token is valid for as long as the session at Access, and does not prove that the user is at the device now.
 */
export async function signInByAccess(scope: Scope, { headers }: Request): Promise<SignInResult> {
  const { disableSignup } = accessIdentityOptions.of(scope)
  const { person, issuedAt } = await readAccessToken(scope, tokenOf(headers))
  const identity = { providerId: accessProvider, person, tokens: noTokens }
  const authenticatedAt = new Date(Math.min(issuedAt, scope.now().getTime()))
  const rules = { mayCreate: !disableSignup, method: accessProvider, authenticatedAt } as const
  const { result } = await requireSignIn(scope, identity, rules, refusals)
  return result
}

/** Access sets the header; the cookie replaces it where a proxy removes the header. */
const tokenOf = (headers: Headers): string =>
  headers.get('cf-access-jwt-assertion') || (parseCookies(headers.get('cookie')).CF_Authorization ?? '')

/** Verifies an application token and reads its user. @throws a code for each reason; Fault without the team's keys */
async function readAccessToken(scope: Scope, token: string): Promise<{ person: KnownPerson; issuedAt: number }> {
  if (!token) throw errors.ACCESS_TOKEN_MISSING()
  const claims = await verify(scope, token)
  // The other type is the session at the team's domain (`org`), which no application receives.
  if (claims.type !== 'app') throw errors.ACCESS_TOKEN_INVALID({ detail: 'not the token of an application' })
  if (claims.sub === '' || claims.common_name !== undefined) throw errors.ACCESS_SERVICE_TOKEN()
  const { sub: id, email } = claims
  const person = validatePerson({ id, email, name: '', image: null, emailVerified: true })
  if (!person) throw errors.ACCESS_TOKEN_INVALID({ detail: 'the subject is invalid' })
  if (person.email === null) throw errors.ACCESS_WITHOUT_EMAIL()
  return { person, issuedAt: ms(claims.iat as number) }
}

async function verify(scope: Scope, token: string): Promise<Profile> {
  const { team, audience } = accessIdentityOptions.of(scope)
  const issuer = `https://${hostOfTeam(team!)}`
  const rules: IdTokenRules<ProviderOptions> = { issuer, jwks: `${issuer}/cdn-cgi/access/certs`, maxAge }
  try {
    const options = { clientId: audience!, clientSecret: '' }
    return await verifyIdToken(scope, rules, options, token, { nonce: undefined, sender: 'caller' })
  } catch (thrown) {
    if (!(thrown instanceof IdTokenError)) throw thrown
    throw errors.ACCESS_TOKEN_INVALID({ detail: thrown.message })
  }
}
