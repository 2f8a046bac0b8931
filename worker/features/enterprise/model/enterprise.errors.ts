import { catalogue } from '../../../kit/errors.ts'

export const enterpriseErrors = catalogue({
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON: [403, 'You are not allowed to manage single sign-on'],
  SSO_CONNECTION_NOT_FOUND: [404, 'Connection not found'],
  MAXIMUM_NUMBER_OF_CONNECTIONS_REACHED: [403, 'The maximum number of connections is reached'],
  CONNECTION_IS_INCOMPLETE: [400, 'The values of the identity provider are missing'],
  CONNECTION_IS_NOT_TESTED: [400, 'The connection has no successful test'],
  INVALID_ISSUER: [400, 'The issuer must be an https URL of a public host'],
  INVALID_CERTIFICATE: [400, 'A certificate is invalid, or its key is weak'],
  INVALID_SIGN_IN_URL: [400, 'The sign-in URL must be an https URL of a public host'],
  INVALID_SIGN_OUT_URL: [400, 'The sign-out URL must be an https URL of a public host'],
  INVALID_METADATA_URL: [400, 'The URL of the metadata must be an https URL of a public host'],
  INVALID_METADATA: [400, 'The metadata is not that of one SAML identity provider'],
  CONNECTION_HAS_NO_SECOND_KEY: [400, 'The connection has no second key'],
  CLIENT_SECRET_IS_REQUIRED: [400, 'The client secret is required'],
  CONNECTION_TYPE_CANNOT_CHANGE: [400, 'The type of a connection cannot change'],
  CONNECTION_IS_NOT_REACHABLE: [400, 'The identity provider could not be reached, or its metadata is invalid'],
  ROLE_CANNOT_BE_MAPPED: [400, 'This role cannot be mapped'],
  DOMAIN_NOT_FOUND: [404, 'Domain not found'],
  INVALID_DOMAIN: [400, 'Invalid domain'],
  DOMAIN_ALREADY_ADDED: [400, 'The organization has added this domain already'],
  DOMAIN_BELONGS_TO_ANOTHER_ORGANIZATION: [400, 'The domain belongs to another organization'],
  DOMAIN_RECORD_NOT_FOUND: [400, 'The TXT record of the domain was not found'],
  MAXIMUM_NUMBER_OF_DOMAINS_REACHED: [403, 'The maximum number of domains is reached'],
  NO_ACTIVE_CONNECTION: [400, 'The organization has no active connection'],
  BREAK_GLASS_OWNER_IS_REQUIRED: [400, 'Single sign-on only requires an owner with emergency access'],
  SETUP_LINK_NOT_FOUND: [404, 'The set-up link is invalid, has expired or was revoked'],
  SETUP_LINK_USED_UP: [403, 'The set-up link has made too many requests'],
  SINGLE_SIGN_ON_NOT_FOUND: [404, 'No single sign-on for this address'],
})

/** Errors of any sign-in with an address of a verified domain. */
export const policyErrors = catalogue({
  SINGLE_SIGN_ON_REQUIRED: [403, 'Your organization requires single sign-on'],
  SIGN_IN_METHOD_NOT_ALLOWED: [403, 'Your organization does not allow this way to sign in'],
  ORGANIZATION_REQUIRES_SECOND_FACTOR: [403, 'Your organization requires a second factor'],
})
