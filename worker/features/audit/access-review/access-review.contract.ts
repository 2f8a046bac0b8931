import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { auditPaging } from '../../../identity/audit/audit-record.schema.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { memberOrigins } from '../../organization/model/members.table.ts'
import { optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { readingAudit as reading } from '../audit.access.ts'

const reviewedMember = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(z.string()).max(256),
    /** The names of the teams, in their order. */
    teams: z.array(z.string()).max(100),
    /** Since when the user is a member. */
    since: z.date(),
    /** The last change of the roles; null: since the beginning. */
    rolesChangedAt: z.date().nullable(),
    /** What has made the user a member; null for a membership that is older than this record. */
    grant: z
      .object({
        origin: z.enum(memberOrigins),
        /** The inviting user, the connection, the domain or the server key. */
        id: z.string().nullable(),
        /** Its current name; null: deleted, or without a name. */
        name: z.string().nullable(),
      })
      .nullable(),
    /** The last use of a session that has not ended; null: the user is signed out everywhere. */
    lastActiveAt: z.date().nullable(),
    secondFactor: z.boolean(),
    /** Whether the owner may use every way in during an outage of the identity provider. */
    breakGlass: z.boolean(),
    /** Whether the deployment has banned the user. */
    banned: z.boolean(),
  })
  .meta({ id: 'ReviewedMember' })

export const credentialTypes = ['api-key', 'agent'] as const
export const credentialStates = ['active', 'disabled', 'paused', 'revoked', 'expired'] as const

const reviewedCredential = z
  .object({
    type: z.enum(credentialTypes),
    id: z.string(),
    name: z.string().nullable(),
    /** The first characters of an API key. */
    start: z.string().nullable(),
    state: z.enum(credentialStates),
    /** The permissions of a key, or the scopes of an agent at each resource. */
    access: z.record(z.string(), z.array(z.string()).max(100)),
    since: z.date(),
    expiresAt: z.date().nullable(),
    lastUsedAt: z.date().nullable(),
  })
  .meta({ id: 'ReviewedCredential' })

const query = z.object({ organizationId: optionalOrganization, ...auditPaging })
const limit = { max: 60, window: seconds(60) }

export const accessReviewContract = {
  listAccessReview: get('/organization/access-review', {
    summary: 'Lists the members of an organization with their access, since when and by which grant, oldest first',
    ...reading,
    input: { query },
    answer: z.object({ members: z.array(reviewedMember).max(200), nextCursor: z.string().nullable() }),
    limits: { rate: limit },
    budget: { d1: 1, read: 2000 },
    changes: [],
  }),
  listAccessReviewCredentials: get('/organization/access-review-credentials', {
    summary: 'Lists the API keys and agents of an organization with their access and last use, oldest first',
    ...reading,
    input: { query },
    answer: z.object({ credentials: z.array(reviewedCredential).max(200), nextCursor: z.string().nullable() }),
    limits: { rate: limit },
    budget: { d1: 1 },
    changes: [],
  }),
  exportAccessReview: post('/organization/export-access-review', {
    summary: 'Returns the members, API keys and agents of an organization with their access as a file: CSV or NDJSON',
    ...reading,
    input: {
      body: z.object({ organizationId: optionalOrganization, format: z.enum(['csv', 'ndjson']).default('csv') }),
    },
    answer: 'csv-or-ndjson',
    limits: { rate: { max: 20, window: minutes(10) } },
    // The membership, the first page and the record. The other pages follow after the response has begun.
    budget: { d1: 4, read: 6000 },
    changes: ['audit'],
    audit: 'organization.export-access-review',
  }),
}
