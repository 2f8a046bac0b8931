import * as z from 'zod'
import { httpErrors } from '../../../http/http.errors.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { organizationErrors as shared } from '../../organization/organization.errors.ts'
import { connectionStates } from './connections.table.ts'
import { enterpriseErrors as errors } from './enterprise.errors.ts'
import { policyMethods } from './policies.table.ts'

/** Schemas that the sub-features share. */

const testAnswer = z.object({
  at: z.number(),
  error: z.string().nullable(),
  detail: z.string().nullable(),
  attributes: z.array(z.string()).max(200),
})

export const connectionAnswer = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    type: z.enum(['oidc', 'saml']),
    name: z.string(),
    state: z.enum(connectionStates),
    config: z.record(z.string(), z.unknown()),
    /** A changed configuration of an active connection. A test uses it; `state: 'active'` makes it the configuration. */
    draft: z.record(z.string(), z.unknown()).nullable(),
    mapping: z.record(z.string(), z.unknown()),
    hasSecret: z.boolean(),
    /** Our certificates of a SAML connection, the signing one first. */
    ownCertificates: z.array(z.object({ certificate: z.string(), expiresAt: z.string() })).max(2),
    lastTest: testAnswer.nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
    /** The values that the identity provider needs. */
    serviceProvider: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Connection' })

export const domainAnswer = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    domain: z.string(),
    verified: z.boolean(),
    verifiedAt: z.date().nullable(),
    missingSince: z.date().nullable(),
    connectionId: z.string().nullable(),
    createdAt: z.date(),
    /** The TXT record that verifies the domain. It must remain. */
    record: z.object({ name: z.string(), value: z.string() }),
  })
  .meta({ id: 'OrganizationDomain' })

/** Members of one organization who may use every way in. */
export const maxBreakGlass = 20

export const policyAnswer = z
  .object({
    /** Null: all. Empty: single sign-on only. */
    allowedMethods: z.array(z.enum(policyMethods)).max(policyMethods.length).nullable(),
    secondFactorSince: z.date().nullable(),
    joinsAutomatically: z.boolean(),
    /** A right password in an unknown browser always needs a code by mail or a second factor. */
    challengesUnknownDevices: z.boolean(),
    /** Ids of members. */
    breakGlass: z.array(z.string()).max(maxBreakGlass),
  })
  .meta({ id: 'SignInPolicy' })

export const setupLinkAnswer = z
  .object({ createdAt: z.date(), expiresAt: z.date(), lastUsedAt: z.date().nullable() })
  .meta({ id: 'SetupLink' })

/** Errors of every endpoint that changes the single sign-on of an organization. */
export const managingErrors = [
  core.UNAUTHORIZED,
  httpErrors.OWN_SESSION_REQUIRED,
  shared.NO_ACTIVE_ORGANIZATION,
  shared.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
  errors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON,
] as const
