import type { Scope } from '../../../../identity/scope.ts'
import { type DeploymentAddress, isClientAddress } from '../../../../kit/public-address.ts'
import { detailTypesOf } from '../protocol/authorization-details.ts'
import { supportedScopes } from '../protocol/known-resources.ts'
import { words } from '../protocol/parameters.ts'
import { withoutUnsupported } from '../protocol/requested-scopes.ts'
import { isFapi } from '../protocol/security-profile.ts'
import { approvalGrantType } from './client.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { bearsName, reservedName } from './client-name.ts'
import { isPrivateUse, redirectUriFault, sectorOf } from './redirect-uris.ts'

interface MetadataRefusal {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  description: string
}

/** One named check of client metadata; null accepts them. */
type MetadataCheck = (given: ClientMetadata, rules: MetadataRules) => MetadataRefusal | null

/** What the checks depend on in addition to the metadata. */
interface MetadataRules {
  scopes: readonly string[]
  appName: string
  place: DeploymentAddress
  fapi: boolean
  detailTypes: readonly string[]
}

const badMetadata = (description: string): MetadataRefusal => ({ error: 'invalid_client_metadata', description })
const badRedirect = (description: string): MetadataRefusal => ({ error: 'invalid_redirect_uri', description })

/** RFC 7591, section 2: grants with a redirect need a redirect URI. */
const redirectUrisGiven: MetadataCheck = ({ grant_types: grants, redirect_uris: uris }) =>
  uris.length === 0 && (grants.includes('authorization_code') || grants.includes('implicit'))
    ? badRedirect('Redirect URIs are required for authorization_code and implicit grant types')
    : null

const redirectUris: MetadataCheck = (given) => {
  const { redirect_uris: uris, post_logout_redirect_uris: more = [] } = given
  for (const uri of [...uris, ...more]) {
    const fault = redirectUriFault(uri)
    if (fault) return badRedirect(`${uri.slice(0, 100)} ${fault}`)
  }
  return null
}

/** RFC 8252, section 7.1: a private-use scheme opens an application on the device; a web client has none. */
const privateSchemes: MetadataCheck = (given) => {
  const { redirect_uris: uris, post_logout_redirect_uris: more = [], application_type: type } = given
  const uri = type === 'native' ? undefined : [...uris, ...more].find(isPrivateUse)
  return uri === undefined ? null : badRedirect(`${uri.slice(0, 100)} needs application_type native`)
}

/** A client must not look like this product. */
const ownName: MetadataCheck = ({ client_name: name }, { appName }) =>
  bearsName(name, appName) ? badMetadata(reservedName) : null

/** RFC 7591, section 2.1: grants and response types belong together. */
const codeWithCode: MetadataCheck = ({ grant_types: grants, response_types: types }) =>
  grants.includes('authorization_code') && !types.includes('code')
    ? badMetadata("When 'authorization_code' grant type is used, 'code' response type must be included")
    : null

const implicitWithToken: MetadataCheck = ({ grant_types: grants, response_types: types }) =>
  grants.includes('implicit') && !types.includes('token')
    ? badMetadata("When 'implicit' grant type is used, 'token' response type must be included")
    : null

/** Client metadata without scopes of OpenID Connect that are not supported: the server may replace metadata (RFC 7591, section 3.2.1). */
export const withSupportedScopes = (scope: Scope, { scope: asked, ...given }: ClientMetadata): ClientMetadata => {
  const kept = withoutUnsupported(asked, supportedScopes(scope))
  return kept === undefined ? given : { ...given, scope: kept }
}

const knownScopes: MetadataCheck = ({ scope }, { scopes }) => {
  const unknown = words(scope).filter((one) => !scopes.includes(one))
  return unknown.length > 0 ? badMetadata(`unknown scope: ${unknown.join(', ')}`) : null
}

/** RFC 9396, section 10. */
const knownDetails: MetadataCheck = ({ authorization_details_types: types = [] }, { detailTypes }) =>
  types.every((type) => detailTypes.includes(type)) ? null : badMetadata('unknown type of authorization details')

/** OpenID Connect Core, section 9: private_key_jwt needs keys, and public ones only. */
const keys: MetadataCheck = ({ token_endpoint_auth_method: method, jwks, jwks_uri: address }, { place }) => {
  const fault = keysFault({ jwks, address, required: method === 'private_key_jwt' }, place)
  return fault === null ? null : badMetadata(fault)
}

interface GivenKeys {
  jwks?: { keys: Record<string, unknown>[] } | undefined
  /** `jwks_uri` */
  address?: string | undefined
  required: boolean
}

/** What is wrong with the public keys of a client; null accepts them. */
export function keysFault({ jwks, address, required }: GivenKeys, place: DeploymentAddress): string | null {
  if (jwks && address) return 'jwks and jwks_uri exclude each other'
  if (required && !jwks && !address) return 'private_key_jwt needs jwks or jwks_uri'
  if (jwks?.keys.some((key) => 'd' in key || 'k' in key)) return 'jwks must hold public keys only'
  if (address && !isClientAddress(address, place)) return `jwks_uri ${addressRule}`
  return null
}

/** FAPI 2.0 Security Profile, section 5.3.2.1, items 3 and 6, and section 5.4.1. */
const securityProfile: MetadataCheck = (given, { fapi }) => {
  if (!fapi) return null
  if (given.token_endpoint_auth_method !== 'private_key_jwt') {
    return badMetadata('the security profile needs private_key_jwt')
  }
  const algorithms = [given.id_token_signed_response_alg, given.authorization_signed_response_alg]
  return algorithms.includes('RS256') ? badMetadata('the security profile excludes RS256') : null
}

/** A public https address of another site, without a fragment. */
export const isNotificationAddress = (address: string, place: DeploymentAddress): boolean =>
  isClientAddress(address, place) && !address.includes('#')

const addressRule = 'must be a public https address outside of our own domain'

/** OpenID Connect Back-Channel Logout, section 2.2: the logout token is sent to this address. */
const backChannel: MetadataCheck = ({ backchannel_logout_uri: address }, { place }) =>
  address && !isNotificationAddress(address, place)
    ? badMetadata(`backchannel_logout_uri ${addressRule}, without a fragment`)
    : null

/** OpenID Connect CIBA, section 4. */
const approvals: MetadataCheck = (given, { place }) => {
  const { backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint: address } = given
  if (given.grant_types.includes(approvalGrantType) && given.token_endpoint_auth_method === 'none') {
    return badMetadata('a client that asks for approvals must authenticate')
  }
  if (mode === 'ping' && !address) return badMetadata('ping needs backchannel_client_notification_endpoint')
  return address && !isNotificationAddress(address, place)
    ? badMetadata(`backchannel_client_notification_endpoint ${addressRule}, without a fragment`)
    : null
}

/** OpenID Connect registration, section 5: without a sector document all redirect URIs have one host. */
const oneSector: MetadataCheck = ({ subject_type: type, redirect_uris: uris }) =>
  type === 'pairwise' && sectorOf(uris) === null
    ? badMetadata('pairwise subjects need https redirect URIs of one host')
    : null

/** Every check of client metadata, in order. */
export const metadataChecks = {
  redirectUrisGiven,
  redirectUris,
  privateSchemes,
  ownName,
  codeWithCode,
  implicitWithToken,
  knownScopes,
  knownDetails,
  keys,
  securityProfile,
  backChannel,
  approvals,
  oneSector,
} satisfies Record<string, MetadataCheck>

/** The first error of a registration or of a metadata document; null accepts it. */
export function metadataRefusal(scope: Scope, given: ClientMetadata): MetadataRefusal | null {
  const { settings } = scope
  const rules = {
    scopes: supportedScopes(scope),
    appName: settings.appName,
    place: settings,
    fapi: isFapi(scope),
    detailTypes: detailTypesOf(scope).map(({ type }) => type),
  }
  for (const check of Object.values(metadataChecks)) {
    const refused = check(given, rules)
    if (refused) return refused
  }
  return null
}
