import type { FeatureCases } from '../../testing/cases.ts'
import { oidcConnection, withConnection } from '../../testing/connections.ts'
import type { TestApp } from '../../testing/harness.ts'
import { newSamlKey } from '../../testing/outside/saml-idp.ts'
import type { Person } from '../../testing/people.ts'
import { owning } from '../../testing/set-ups.ts'

const withSamlConnection = (app: TestApp, person: Person) =>
  withConnection(app, person, {
    name: 'ADFS',
    config: {
      type: 'saml',
      entityId: 'https://idp.example.org/saml',
      ssoUrl: 'https://idp.example.org/sso',
      certificates: [newSamlKey().certificate],
    },
  })

async function withDomain(app: TestApp, person: Person) {
  const { device } = await owning(app, person)
  const { body } = await device.post('/sso/add-domain', { domain: `${person.email.split('@')[0]}.example.com` })
  return { device, given: { domainId: body.id } }
}

async function withLink(app: TestApp, person: Person) {
  const { device } = await owning(app, person)
  const { body } = await device.post('/sso/create-setup-link', {})
  return { device, given: { token: new URL(body.url).hash.slice(1) } }
}

async function withLinkedConnection(app: TestApp, person: Person) {
  const { device, given } = await withLink(app, person)
  const { body } = await device.post('/sso/setup/create-connection', { ...given, ...oidcConnection })
  return { device, given: { ...given, connectionId: body.id } }
}

export const cases: FeatureCases = {
  config: { enterprise: { enabled: true } },
  faults: {
    'a connection is created': {
      endpoint: 'POST /sso/create-connection',
      before: owning,
      input: () => oidcConnection,
    },
    'a connection is changed': {
      endpoint: 'POST /sso/update-connection',
      before: withConnection,
      input: (given: object) => ({ ...given, name: 'Renamed', state: 'disabled' }),
    },
    'a connection is deleted': {
      endpoint: 'POST /sso/delete-connection',
      before: withConnection,
      afterwards: ['SSO_CONNECTION_NOT_FOUND'],
    },
    'a key pair is added': {
      endpoint: 'POST /sso/rotate-key',
      before: withSamlConnection,
      input: (given: object) => ({ ...given, step: 'add' }),
    },
    'a session ends with that of its identity provider': {
      endpoint: 'POST /sso/sign-out',
      before: owning,
      input: () => ({}),
      afterwards: ['UNAUTHORIZED'],
    },
    'a domain is claimed': {
      endpoint: 'POST /sso/add-domain',
      before: owning,
      input: () => ({ domain: 'example.com' }),
      afterwards: ['DOMAIN_ALREADY_ADDED'],
    },
    'a domain is removed': {
      endpoint: 'POST /sso/remove-domain',
      before: withDomain,
      afterwards: ['DOMAIN_NOT_FOUND'],
    },
    'a set-up link is created': {
      endpoint: 'POST /sso/create-setup-link',
      before: owning,
      input: () => ({}),
    },
    'a set-up link is revoked': {
      endpoint: 'POST /sso/revoke-setup-link',
      before: async (app, person) => ({ device: (await withLink(app, person)).device }),
      input: () => ({}),
      afterwards: ['SETUP_LINK_NOT_FOUND'],
    },
    'a set-up link reads': { endpoint: 'POST /sso/setup/settings', before: withLink },
    'a set-up link creates a connection': {
      endpoint: 'POST /sso/setup/create-connection',
      before: withLink,
      input: (given: object) => ({ ...given, ...oidcConnection }),
    },
    'a set-up link changes a connection': {
      endpoint: 'POST /sso/setup/update-connection',
      before: withLinkedConnection,
      input: (given: object) => ({ ...given, name: 'Renamed' }),
    },
    'a set-up link claims a domain': {
      endpoint: 'POST /sso/setup/add-domain',
      before: withLink,
      input: (given: object) => ({ ...given, domain: 'example.com' }),
      afterwards: ['DOMAIN_ALREADY_ADDED'],
    },
    'the rules for sign-ins change': {
      endpoint: 'POST /sso/update-policy',
      before: owning,
      input: () => ({
        allowedMethods: ['passkey'],
        requiresSecondFactor: true,
        joinsAutomatically: true,
        breakGlass: [],
      }),
    },
  },
  withoutFaults: {
    // A change of the connection writes one batch, as the removal of the domain does.
    oneBatch: ['POST /sso/update-domain'],
    // enterprise.test.ts, sign-in/sign-in.test.ts: they wait for a resolver or an identity provider.
    asksOutside: [
      'POST /sso/verify-domain',
      'POST /sso/test-connection',
      'POST /sso/setup/verify-domain',
      'POST /sso/setup/test-connection',
      'POST /sso/setup/read-metadata',
      'POST /sign-in/sso',
      'GET /sso/callback/:providerId',
      'POST /sso/saml2/acs/:providerId',
      'GET /sso/saml2/finish/:providerId',
      'GET /sso/saml2/logout/:providerId',
      'POST /sso/saml2/logout/:providerId',
    ],
  },
}
