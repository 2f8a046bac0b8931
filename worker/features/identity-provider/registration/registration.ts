import type { Caller, Scope } from '../../../identity/scope.ts'
import { sha256 } from '../../../kit/hash.ts'
import { alphabets, newId, randomString } from '../../../kit/random.ts'
import type { ClientRegistration } from '../clients/client-registration.ts'
import { insertApplication } from '../clients/clients.store.ts'
import { identityProviderOptions, supportedScopes } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { parseObject } from '../parameters.ts'
import { registrationChecks } from './checks.ts'
import { type Registration, registrationInput } from './registration.schema.ts'

const secretOf = (): string => randomString(32, alphabets.letters)

/** RFC 7591, section 3.1. @throws invalid_client_metadata, invalid_redirect_uri */
export function readRegistration(scope: Scope, raw: string): Registration {
  const read = registrationInput.safeParse(parseObject(raw))
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue!.path.join('.')
    const code = field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw oauthError(code, `${field ? `${field}: ` : ''}${issue!.message}`)
  }
  for (const check of Object.values(registrationChecks)) {
    const refused = check(read.data, { scopes: supportedScopes(scope) })
    if (refused) throw oauthError(refused.error, refused.description)
  }
  return read.data
}

/**
 * Registers a client (RFC 7591). Its secret is told once.
 * @param anonymous whether nobody needs to be signed in. Such a client is limited to no scopes: agents register with those
 *   of their first call, and ask their person for more when they need more
 */
export async function register(
  scope: Scope,
  raw: string,
  { caller, anonymous }: { caller: Caller | null; anonymous: boolean },
) {
  if (!caller && !anonymous && !identityProviderOptions.of(scope).allowDynamicClientRegistration) {
    throw oauthError('invalid_token', 'Authentication required for client registration', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  const given = readRegistration(scope, raw)
  const { redirect_uris: redirectURLs, token_endpoint_auth_method: method, ...others } = given
  const { metadata = null, logo_uri: icon = null, client_name: chosen, scope: limit, ...rest } = others
  const name = chosen || nameByAddress(redirectURLs)
  const now = scope.now()
  const clientId = randomString(32, alphabets.letters)
  const secret = method === 'none' || method === 'private_key_jwt' ? null : secretOf()
  const registration: ClientRegistration = {
    ...rest,
    ...(limit !== undefined && !anonymous ? { scope: limit } : {}),
    ...(icon ? { logo_uri: icon } : {}),
  }
  await insertApplication(scope.db, {
    id: newId(),
    clientId,
    clientSecret: secret === null ? null : sha256(secret),
    name,
    icon,
    metadata,
    redirectURLs,
    type: method === 'none' ? 'public' : (given.application_type ?? 'web'),
    authenticationScheme: method,
    disabled: false,
    userId: caller?.user.id ?? null,
    registration,
    createdAt: now,
    updatedAt: now,
  })
  return {
    client_id: clientId,
    ...(secret === null ? {} : { client_secret: secret }),
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_secret_expires_at: 0,
    redirect_uris: redirectURLs,
    token_endpoint_auth_method: method,
    client_name: name,
    ...registration,
    ...(metadata ? { metadata } : {}),
  }
}

/** What people are shown of a client without a name. */
const nameByAddress = ([first]: string[]): string => (first && new URL(first).host) || 'Unnamed application'

/** A new secret for a client that has one. */
export const newSecret = (): { secret: string; hash: string } => {
  const secret = secretOf()
  return { secret, hash: sha256(secret) }
}
