import { isPublicAddress } from '../../../kit/public-address.ts'
import { redirectUriFault, sectorOf } from '../clients/redirect-uris.ts'
import { words } from '../parameters.ts'
import type { Registration } from './registration.schema.ts'

interface RegistrationRefusal {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  description: string
}

/** One named check of a registration; null lets it pass. */
type RegistrationCheck = (given: Registration, rules: { scopes: readonly string[] }) => RegistrationRefusal | null

const badMetadata = (description: string): RegistrationRefusal => ({ error: 'invalid_client_metadata', description })
const badRedirect = (description: string): RegistrationRefusal => ({ error: 'invalid_redirect_uri', description })

/** RFC 7591, section 2: grants that end in a redirect need somewhere to go. */
const redirectUrisGiven: RegistrationCheck = ({ grant_types: grants, redirect_uris: uris }) =>
  uris.length === 0 && (grants.includes('authorization_code') || grants.includes('implicit'))
    ? badRedirect('Redirect URIs are required for authorization_code and implicit grant types')
    : null

const redirectUris: RegistrationCheck = ({ redirect_uris: uris, post_logout_redirect_uris: more = [] }) => {
  for (const uri of [...uris, ...more]) {
    const fault = redirectUriFault(uri)
    if (fault) return badRedirect(`${uri.slice(0, 100)} ${fault}`)
  }
  return null
}

/** RFC 7591, section 2.1: grants and response types belong together. */
const codeWithCode: RegistrationCheck = ({ grant_types: grants, response_types: types }) =>
  grants.includes('authorization_code') && !types.includes('code')
    ? badMetadata("When 'authorization_code' grant type is used, 'code' response type must be included")
    : null

const implicitWithToken: RegistrationCheck = ({ grant_types: grants, response_types: types }) =>
  grants.includes('implicit') && !types.includes('token')
    ? badMetadata("When 'implicit' grant type is used, 'token' response type must be included")
    : null

const knownScopes: RegistrationCheck = ({ scope }, { scopes }) => {
  const unknown = words(scope).filter((one) => !scopes.includes(one))
  return unknown.length > 0 ? badMetadata(`unknown scope: ${unknown.join(', ')}`) : null
}

/** OpenID Connect Core, section 9: a client that signs says with which keys; public ones only. */
const keys: RegistrationCheck = ({ token_endpoint_auth_method: method, jwks, jwks_uri: address }) => {
  if (jwks && address) return badMetadata('jwks and jwks_uri exclude each other')
  if (method === 'private_key_jwt' && !jwks && !address) return badMetadata('private_key_jwt needs jwks or jwks_uri')
  if (jwks?.keys.some((key) => 'd' in key || 'k' in key)) return badMetadata('jwks must hold public keys only')
  if (address && !isPublicAddress(address)) return badMetadata('jwks_uri must be a public https address')
  return null
}

/** OpenID Connect Back-Channel Logout, section 2.2: we will post there. */
const backChannel: RegistrationCheck = ({ backchannel_logout_uri: address }) =>
  address && !isPublicAddress(address) ? badMetadata('backchannel_logout_uri must be a public https address') : null

/** OpenID Connect registration, section 5: without a document that groups hosts, there is one host. */
const oneSector: RegistrationCheck = ({ subject_type: type, redirect_uris: uris }) =>
  type === 'pairwise' && sectorOf(uris) === null
    ? badMetadata('pairwise subjects need https redirect URIs of one host')
    : null

/** THE table: every check of a registration, in its order. */
export const registrationChecks = {
  redirectUrisGiven,
  redirectUris,
  codeWithCode,
  implicitWithToken,
  knownScopes,
  keys,
  backChannel,
  oneSector,
} satisfies Record<string, RegistrationCheck>
