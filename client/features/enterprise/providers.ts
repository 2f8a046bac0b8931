import { remembered } from '../../lib/store.ts'
import { type Connection, valuesOf } from './manager.ts'

/**
 * The identity providers with their own words: the places and fields of their consoles, which are not translated.
 */
interface Guide {
  /** The place in the console of the provider. */
  place: string
  /** The kind of the application there. */
  kind: string
  /** The provider's names for our values. */
  fields: {
    [value in
      | 'entityId'
      | 'assertionConsumerServiceUrl'
      | 'singleLogoutServiceUrl'
      | 'metadataUrl'
      | 'redirectUri']?: string
  }
  /** The provider's names for its own values, in the order of our form. */
  back: string[]
}

export interface IdentityProvider {
  id: string
  name: string
  /** A host in its addresses. */
  host: RegExp
  saml?: Guide
  oidc?: Guide
}

const samlNames = ['Entity ID', 'Single sign-on URL', 'X.509 certificate']
const oidcNames = ['Issuer', 'Client ID', 'Client secret']

export const identityProviders: IdentityProvider[] = [
  {
    id: 'entra',
    name: 'Microsoft Entra ID',
    host: /microsoftonline\.com|sts\.windows\.net|entra|azure/i,
    saml: {
      place: 'Microsoft Entra admin center › Enterprise applications › New application › Create your own application',
      kind: 'Non-gallery, Set up single sign-on › SAML',
      fields: {
        entityId: 'Identifier (Entity ID)',
        assertionConsumerServiceUrl: 'Reply URL (Assertion Consumer Service URL)',
        singleLogoutServiceUrl: 'Logout Url (Optional)',
      },
      back: ['Microsoft Entra Identifier', 'Login URL', 'Certificate (Base64)', 'Federation Metadata XML'],
    },
    oidc: {
      place: 'Microsoft Entra admin center › App registrations › New registration',
      kind: 'Web',
      fields: { redirectUri: 'Redirect URI' },
      back: [
        'https://login.microsoftonline.com/{Directory (tenant) ID}/v2.0',
        'Application (client) ID',
        'Client secret',
      ],
    },
  },
  {
    id: 'okta',
    name: 'Okta',
    host: /okta/i,
    oidc: {
      place: 'Okta Admin Console › Applications › Create App Integration',
      kind: 'OIDC – OpenID Connect, Web Application',
      fields: { redirectUri: 'Sign-in redirect URIs' },
      back: ['https://{your-domain}.okta.com', 'Client ID', 'Client secret'],
    },
    saml: {
      place: 'Okta Admin Console › Applications › Create App Integration',
      kind: 'SAML 2.0',
      fields: {
        assertionConsumerServiceUrl: 'Single sign-on URL',
        entityId: 'Audience URI (SP Entity ID)',
        singleLogoutServiceUrl: 'Response URL (Single Logout)',
      },
      back: ['Issuer', 'Sign on URL', 'Signing Certificate', 'Metadata URL'],
    },
  },
  {
    id: 'google',
    name: 'Google Workspace',
    host: /google/i,
    saml: {
      place: 'Google Admin console › Apps › Web and mobile apps › Add app › Add custom SAML app',
      kind: 'Name ID format: EMAIL',
      fields: { assertionConsumerServiceUrl: 'ACS URL', entityId: 'Entity ID' },
      back: ['Entity ID', 'SSO URL', 'Certificate', 'Download metadata'],
    },
  },
  {
    id: 'ping',
    name: 'Ping Identity',
    host: /ping/i,
    oidc: {
      place: 'PingOne › Applications › Add Application',
      kind: 'OIDC Web App',
      fields: { redirectUri: 'Redirect URIs' },
      back: ['Issuer', 'Client ID', 'Client Secret'],
    },
    saml: {
      place: 'PingOne › Applications › Add Application',
      kind: 'SAML Application, Manually Enter',
      fields: {
        assertionConsumerServiceUrl: 'ACS URLs',
        entityId: 'Entity ID',
        singleLogoutServiceUrl: 'SLO Endpoint',
      },
      back: ['Issuer ID', 'Single Signon Service', 'Signing Certificate', 'IdP Metadata URL'],
    },
  },
  {
    id: 'onelogin',
    name: 'OneLogin',
    host: /onelogin/i,
    saml: {
      place: 'OneLogin › Applications › Add App › SAML Custom Connector (Advanced)',
      kind: 'Configuration; SSO › SAML Signature Algorithm: SHA-256',
      fields: {
        entityId: 'Audience (EntityID)',
        assertionConsumerServiceUrl: 'Recipient, ACS (Consumer) URL Validator, ACS (Consumer) URL',
        singleLogoutServiceUrl: 'Single Logout URL',
      },
      back: ['Issuer URL', 'SAML 2.0 Endpoint (HTTP)', 'X.509 Certificate', 'More Actions › SAML Metadata'],
    },
    oidc: {
      place: 'OneLogin › Applications › Add App › OpenId Connect (OIDC)',
      kind: 'Web, SSO › Token Endpoint: POST',
      fields: { redirectUri: 'Redirect URI’s' },
      back: ['Issuer URL', 'Client ID', 'Client Secret'],
    },
  },
  {
    id: 'jumpcloud',
    name: 'JumpCloud',
    host: /jumpcloud/i,
    saml: {
      place: 'JumpCloud Admin Portal › SSO Applications › Add New Application › Custom Application',
      kind: 'Manage Single Sign-On (SSO) › Configure SSO with SAML',
      fields: { entityId: 'SP Entity ID', assertionConsumerServiceUrl: 'ACS URLs' },
      back: ['IdP Entity ID', 'IDP URL', 'IDP Certificate', 'Copy Metadata URL'],
    },
    oidc: {
      place: 'JumpCloud Admin Portal › SSO Applications › Add New Application › Custom Application',
      kind: 'Manage Single Sign-On (SSO) › Configure SSO with OIDC',
      fields: { redirectUri: 'Redirect URIs' },
      back: ['https://oauth.id.jumpcloud.com/', 'Client ID', 'Client Secret'],
    },
  },
  {
    id: 'keycloak',
    name: 'Keycloak',
    host: /keycloak|\/realms\//i,
    oidc: {
      place: 'Keycloak Admin Console › Clients › Create client',
      kind: 'Client type: OpenID Connect, Client authentication: On',
      fields: { redirectUri: 'Valid redirect URIs' },
      back: ['https://{host}/realms/{realm}', 'Client ID', 'Credentials › Client Secret'],
    },
    saml: {
      place: 'Keycloak Admin Console › Clients › Create client',
      kind: 'Client type: SAML',
      fields: {
        entityId: 'Client ID',
        assertionConsumerServiceUrl: 'Valid redirect URIs, Master SAML Processing URL',
        singleLogoutServiceUrl: 'Advanced › Logout Service Redirect Binding URL',
      },
      back: ['Realm settings › SAML 2.0 Identity Provider Metadata'],
    },
  },
  {
    id: 'other',
    name: '',
    host: /^$/,
    saml: {
      place: '',
      kind: 'SAML 2.0',
      fields: {
        metadataUrl: 'Metadata URL',
        entityId: 'Entity ID',
        assertionConsumerServiceUrl: 'ACS URL',
        singleLogoutServiceUrl: 'Single Logout URL',
      },
      back: samlNames,
    },
    oidc: { place: '', kind: 'OpenID Connect', fields: { redirectUri: 'Redirect URI' }, back: oidcNames },
  },
]

export const otherProvider = identityProviders.at(-1)!

const keyOf = (connectionId: string) => `identityProvider:${connectionId}`

/** For this browser: nothing else shows the provider of a connection without values and with a name of its own. */
export const rememberProvider = (connectionId: string, id: string): void => remembered.set(keyOf(connectionId), id)

/** The id of the provider that was chosen in this browser, or that follows from the connection. */
export const chosenProvider = (connection: Connection): string =>
  remembered.get(keyOf(connection.id)) ?? providerOf(connection).id

/** The provider of a connection, by its addresses or its name. */
function providerOf(connection: Connection): IdentityProvider {
  const values = valuesOf(connection)
  const address = values.type === 'oidc' ? values.issuer : `${values.entityId} ${values.ssoUrl}`
  const named = identityProviders.find(({ name }) => name !== '' && name === connection.name)
  return (
    named ??
    identityProviders.find(({ host, ...guides }) => host.test(address) && guides[connection.type]) ??
    otherProvider
  )
}
