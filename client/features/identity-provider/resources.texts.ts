import { defineTexts } from '../../lib/texts/texts.ts'

export const resourceTexts = defineTexts('resources', {
  title: 'Resources and services',
  intro:
    'The APIs that accept tokens of this deployment, and the services that get tokens without a user. The configuration defines both.',
  resources: 'Resources',
  noResources: 'No resources yet. Add one to identityProvider.resources in the configuration.',
  resource: 'Resource',
  permissions: 'Permissions',
  noPermissions: 'None of its own',
  tokens: 'Tokens',
  formats: { opaque: 'Opaque', jwt: 'JWT (RFC 9068)' },
  withClaims: 'with additional claims',
  lifetime: 'Lifetime',
  verifiedBy: 'Introspection by {clients}',
  services: 'Services',
  noServices: 'No services yet. Add one to identityProvider.services in the configuration.',
  service: 'Service',
  credential: 'Credential',
  credentials: {
    secret: 'Secret',
    key: 'Its own keys',
    workload: 'Tokens of another issuer',
    registered: 'That of a registered client',
  },
  withProof: 'every token is bound to a key (DPoP)',
  may: 'May',
  limit: 'Limit',
  limitOf: '{max} tokens in {time}',
  off: 'Off',
})
