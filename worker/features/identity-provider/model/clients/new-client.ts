import type { Scope } from '../../../../identity/scope.ts'
import type { AppErrorKind } from '../../../../kit/errors.ts'
import { alphabets, newId, randomString } from '../../../../kit/random.ts'
import { isFapi } from '../protocol/security-profile.ts'
import { newClientSecret } from './client.ts'
import { keysFault } from './client-metadata-checks.ts'
import type { ClientRegistration, OAuthApplication } from './clients.table.ts'
import { isKeySet } from './private-key-jwt.ts'

/** The public keys of a client without a secret, or their address. */
export interface GivenKeys {
  jwks?: { keys: Record<string, unknown>[] } | undefined
  jwksUri?: string | undefined
}

/** The part of a registration with the keys. @throws `refusal` */
export function registeredKeys(
  scope: Scope,
  { jwks, jwksUri }: GivenKeys,
  refusal: AppErrorKind,
  required = false,
): Pick<ClientRegistration, 'jwks' | 'jwks_uri'> {
  const fault = keysFault({ jwks, address: jwksUri, required: required || isFapi(scope) }, scope.settings)
  if (fault !== null || (jwks && !isKeySet(jwks))) throw refusal(fault === null ? {} : { detail: fault })
  return { ...(jwks ? { jwks } : {}), ...(jwksUri === undefined ? {} : { jwks_uri: jwksUri }) }
}

type Machine = Pick<
  OAuthApplication,
  'name' | 'userId' | 'organizationId' | 'agent' | 'service' | 'expiresAt' | 'registration'
>

/** The row of a new agent or service, with its secret unless it has keys. @throws `refusal` for invalid keys */
export function draftMachine(
  scope: Scope,
  { registration, ...given }: Machine,
  keys: GivenKeys,
  refusal: AppErrorKind,
) {
  const registered = registeredKeys(scope, keys, refusal)
  const withKeys = Object.keys(registered).length > 0
  const made = withKeys ? null : newClientSecret()
  const now = scope.now()
  const row: OAuthApplication = {
    ...given,
    id: newId(),
    clientId: randomString(32, alphabets.letters),
    clientSecret: made?.hash ?? null,
    ...{ previousSecret: null, previousSecretEndsAt: null },
    ...{ icon: null, metadata: null, resources: null, redirectURLs: [], type: 'web', disabled: false },
    authenticationScheme: withKeys ? 'private_key_jwt' : 'client_secret_basic',
    state: 'active',
    registration: { ...registration, ...registered },
    createdAt: now,
    updatedAt: now,
  }
  return { row, secret: made?.secret ?? null }
}
