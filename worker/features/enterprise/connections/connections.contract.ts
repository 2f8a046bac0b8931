import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { organizationErrors as shared } from '../../organization/organization.errors.ts'
import { socialErrors } from '../../social/model/social.errors.ts'
import {
  connectionConfig,
  connectionName,
  mapping,
  newConnectionFields,
  typeIsKnown,
  typeIsUnknown,
} from '../model/connection-config.ts'
import { connectionStates } from '../model/connections.table.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import {
  connectionAnswer,
  domainAnswer,
  managingErrors,
  policyAnswer,
  setupLinkAnswer,
} from '../model/enterprise.schemas.ts'
import { rotationSteps } from '../model/rotation.ts'

const secret = z.string().min(1).max(1024)
const changing = { access: 'recent-authentication', limits: { rate: { max: 30, window: seconds(60) } } } as const

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { singleSignOn: true }
}

/** Fields of a configuration, and when the last certificate expires. */
export const importedMetadata = z.object({
  entityId: z.string(),
  ssoUrl: z.string(),
  sloUrl: z.string().nullable(),
  certificates: z.array(z.string()).max(5),
  /** ISO 8601. */
  certificatesExpireAt: z.string(),
  metadataUrl: z.string().nullable(),
})

export const ssoConnectionsContract = {
  ssoSettings: get('/sso/settings', {
    summary: 'Returns the connections, domains and sign-in rules of an organization, without secrets',
    access: 'session',
    input: { query: z.object({ organizationId: optionalOrganization }) },
    answer: z.object({
      connections: z.array(connectionAnswer).max(50),
      domains: z.array(domainAnswer).max(200),
      policy: policyAnswer,
      /** The valid set-up link. */
      setupLink: setupLinkAnswer.nullable(),
    }),
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON,
    ],
    budget: { d1: 1 },
    changes: [],
  }),
  createSsoConnection: post('/sso/create-connection', {
    ...changing,
    summary: 'Creates a connection of an organization to its identity provider, as a draft',
    input: {
      body: z
        .object({
          organizationId: optionalOrganization,
          ...newConnectionFields,
          clientSecret: secret.optional(),
          mapping: mapping.prefault({}),
        })
        .refine(typeIsKnown, typeIsUnknown),
      example: { name: 'Acme', type: 'oidc' },
    },
    answer: connectionAnswer,
    errors: [
      ...managingErrors,
      shared.ROLE_NOT_FOUND,
      errors.ROLE_CANNOT_BE_MAPPED,
      errors.INVALID_ISSUER,
      errors.INVALID_CERTIFICATE,
      errors.INVALID_SIGN_IN_URL,
      errors.INVALID_SIGN_OUT_URL,
      errors.INVALID_METADATA_URL,
      errors.CLIENT_SECRET_IS_REQUIRED,
      errors.MAXIMUM_NUMBER_OF_CONNECTIONS_REACHED,
    ],
    budget: { d1: 3 },
    changes: ['connection'],
    audit: 'sso.create-connection',
  }),
  updateSsoConnection: post('/sso/update-connection', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'secures' },
    summary: 'Changes a connection or its state; only a tested configuration signs users in',
    input: {
      body: z.object({
        organizationId: optionalOrganization,
        connectionId: idInput,
        name: connectionName.optional(),
        config: connectionConfig.optional(),
        clientSecret: secret.optional(),
        mapping: mapping.optional(),
        /** `active` also activates a tested draft. */
        state: z.enum(connectionStates).optional(),
        discardsDraft: z.boolean().optional(),
      }),
    },
    answer: connectionAnswer,
    errors: [
      ...managingErrors,
      errors.SSO_CONNECTION_NOT_FOUND,
      errors.CONNECTION_TYPE_CANNOT_CHANGE,
      errors.CONNECTION_IS_NOT_TESTED,
      shared.ROLE_NOT_FOUND,
      errors.ROLE_CANNOT_BE_MAPPED,
      errors.INVALID_ISSUER,
      errors.INVALID_CERTIFICATE,
      errors.INVALID_SIGN_IN_URL,
      errors.INVALID_SIGN_OUT_URL,
      errors.INVALID_METADATA_URL,
      errors.CLIENT_SECRET_IS_REQUIRED,
    ],
    budget: { d1: 4, read: 2000, written: 80 },
    changes: ['connection', 'session'],
    audit: 'sso.update-connection',
  }),
  deleteSsoConnection: post('/sso/delete-connection', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    summary: 'Deletes a connection and ends the sessions that it has signed in; its users keep their accounts',
    input: { body: z.object({ organizationId: optionalOrganization, connectionId: idInput }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...managingErrors, errors.SSO_CONNECTION_NOT_FOUND],
    budget: { d1: 4, read: 2000, written: 80 },
    changes: ['connection', 'session', 'account'],
    audit: 'sso.delete-connection',
  }),
  readSsoMetadata: post('/sso/read-metadata', {
    ...changing,
    limits: { ...changing.limits, rate: { max: 10, window: seconds(60) } },
    summary: 'Reads the metadata of a SAML identity provider and returns the fields of a configuration; stores nothing',
    input: {
      body: z
        .object({
          organizationId: optionalOrganization,
          /** The document. */
          metadata: z.string().min(1).max(262_144).optional(),
          /** Its URL. */
          url: z.string().min(1).max(2048).optional(),
        })
        .refine(({ metadata, url }) => (metadata === undefined) !== (url === undefined), {
          path: ['metadata'],
          message: 'one of metadata and url is required',
        }),
      example: { url: 'https://idp.example.com/metadata' },
    },
    answer: importedMetadata,
    errors: [...managingErrors, errors.INVALID_METADATA, errors.INVALID_METADATA_URL],
    budget: { d1: 2, outside: 1 },
    changes: [],
  }),
  rotateSsoKey: post('/sso/rotate-key', {
    ...changing,
    limits: { whenFull: 'secures', ...changing.limits, rate: { max: 10, window: seconds(60) } },
    summary:
      'Rotates our key pair of a SAML connection: adds a second key, makes it the signing one, or removes the second',
    input: {
      body: z.object({ organizationId: optionalOrganization, connectionId: idInput, step: z.enum(rotationSteps) }),
    },
    answer: connectionAnswer,
    errors: [...managingErrors, errors.SSO_CONNECTION_NOT_FOUND, errors.CONNECTION_HAS_NO_SECOND_KEY],
    budget: { d1: 4 },
    changes: ['connection'],
    audit: 'sso.rotate-key',
  }),
  testSsoConnection: post('/sso/test-connection', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'secures' },
    summary:
      'Starts a test sign-in through a connection; its outcome appears in the settings and does not sign the caller in',
    input: { body: z.object({ organizationId: optionalOrganization, connectionId: idInput, callbackURL: urlInput }) },
    answer: z.object({ url: z.string(), redirect: z.boolean() }),
    errors: [
      ...managingErrors,
      errors.SSO_CONNECTION_NOT_FOUND,
      errors.CONNECTION_IS_INCOMPLETE,
      errors.CONNECTION_IS_NOT_REACHABLE,
      socialErrors.UNABLE_TO_CREATE_VERIFICATION,
    ],
    budget: { d1: 4, kv: 1, durable: 2, outside: 1 },
    changes: ['connection', 'verification'],
    audit: 'sso.test-connection',
  }),
}
