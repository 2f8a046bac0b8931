import { Buffer } from 'node:buffer'
import { httpErrors } from '../../../http/http.errors.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { securityEvent } from '../../../identity/security/security-events.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { isGuest } from '../../../identity/users/guests.ts'
import { onGuess, spendGuess } from '../../../identity/verifications/guesses.ts'
import { alphabets, newId, randomString } from '../../../kit/random.ts'
import { addressBucket } from '../../../platform/client-address.ts'
import { identityProviderOptions } from '../identity-provider.config.ts'
import { oauthError } from '../identity-provider.errors.ts'
import { newClientSecret } from '../model/clients/client.ts'
import { type ClientMetadata, clientMetadata } from '../model/clients/client-metadata.ts'
import { metadataRefusal, withSupportedScopes } from '../model/clients/client-metadata-checks.ts'
import type { ClientRegistration } from '../model/clients/clients.table.ts'
import { readResources } from '../model/protocol/known-resources.ts'
import { readJsonObject } from '../model/protocol/parameters.ts'
import { hasFewerApplications, insertApplication } from './registration.store.ts'

/** Limit for a registration by a visitor. */
const maxVisitorBytes = 8 * 1024

/** RFC 7591, section 3.1. @throws invalid_request, invalid_client_metadata, invalid_redirect_uri */
function readRegistration(scope: Scope, { raw, contentType }: RegistrationRequest): ClientMetadata {
  const read = clientMetadata.safeParse(readJsonObject(raw, contentType))
  if (!read.success) {
    const [issue] = read.error.issues
    const field = issue!.path.join('.')
    const code = field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'
    throw oauthError(code, `${field ? `${field}: ` : ''}${issue!.message}`)
  }
  const given = withSupportedScopes(scope, read.data)
  const refused = metadataRefusal(scope, given)
  if (refused) throw oauthError(refused.error, refused.description)
  return given
}

/** Writes within the budget of the address. @throws TOO_MANY_REQUESTS; Fault when the budget is unreachable */
async function withinAddressBudget(scope: Scope, write: () => Promise<unknown>): Promise<void> {
  const rule = identityProviderOptions.of(scope).anonymousClientsPerAddress
  const spent = await spendGuess(scope, `clients:address:${addressBucket(scope.request.ip)}`, rule)
  await onGuess(spent, write)
}

interface RegistrationRequest {
  raw: string
  contentType: string | null
}

/**
 * Registers a client (RFC 7591). The response is the only one that shows its secret. A guest counts as a visitor.
 * @param anonymous visitors may register whatever the configuration says, without a limit of scopes: agents register
 *   with the scopes of their first call and request more later
 */
export async function register(
  scope: Scope,
  request: RegistrationRequest,
  { caller, anonymous }: { caller: Caller | null; anonymous: boolean },
) {
  const developer = caller && isGuest(caller.user) ? null : caller
  if (!developer && !anonymous && !identityProviderOptions.of(scope).allowDynamicClientRegistration) {
    throw oauthError('invalid_token', 'Authentication required for client registration', {
      headers: { 'www-authenticate': 'Bearer' },
    })
  }
  if (!developer && Buffer.byteLength(request.raw) > maxVisitorBytes) throw httpErrors.PAYLOAD_TOO_LARGE()
  await readResources(scope)
  const given = readRegistration(scope, request)
  const { redirect_uris: redirectURLs, token_endpoint_auth_method: method, ...others } = given
  const { metadata = null, logo_uri: icon = null, client_name: chosen, scope: limit, ...rest } = others
  const name = chosen || nameByAddress(redirectURLs)
  const now = scope.now()
  const clientId = randomString(32, alphabets.letters)
  const secret = method === 'none' || method === 'private_key_jwt' ? null : newClientSecret()
  const registration: ClientRegistration = {
    ...rest,
    ...(limit !== undefined && !anonymous ? { scope: limit } : {}),
    ...(icon ? { logo_uri: icon } : {}),
  }
  const application = {
    id: newId(),
    clientId,
    clientSecret: secret?.hash ?? null,
    name,
    icon,
    metadata,
    resources: null,
    redirectURLs,
    type: method === 'none' ? 'public' : (given.application_type ?? 'web'),
    authenticationScheme: method,
    disabled: false,
    userId: developer?.user.id ?? null,
    organizationId: null,
    ...{ agent: null, service: null, previousSecret: null, previousSecretEndsAt: null },
    state: null,
    expiresAt: null,
    registration,
    createdAt: now,
    updatedAt: now,
  }
  if (!developer) {
    await withinAddressBudget(scope, () => insertApplication(scope.db, application).run())
  } else {
    const { user, session } = developer
    const { clientsPerUser } = identityProviderOptions.of(scope)
    const work = unitOfWork(scope)
    work.require(hasFewerApplications(user.id, clientsPerUser), () =>
      oauthError('access_denied', 'The user has registered the maximum number of clients', { status: 403 }),
    )
    work.run(insertApplication(scope.db, application))
    securityEvent(scope, work, { type: 'oauth-client-created', user, sessionId: session.id, details: { clientId } })
    await work.commit()
  }
  return {
    client_id: clientId,
    ...(secret ? { client_secret: secret.secret } : {}),
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_secret_expires_at: 0,
    redirect_uris: redirectURLs,
    token_endpoint_auth_method: method,
    client_name: name,
    ...registration,
    ...(metadata ? { metadata } : {}),
  }
}

/** The name of a client that registered without one. */
const nameByAddress = ([first]: string[]): string => (first && new URL(first).host) || 'Unnamed application'
