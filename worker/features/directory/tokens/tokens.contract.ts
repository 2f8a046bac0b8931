import * as z from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { days, seconds } from '../../../kit/time.ts'
import { enterpriseErrors } from '../../enterprise/model/enterprise.errors.ts'
import { managingErrors } from '../../enterprise/model/enterprise.schemas.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { organizationErrors as shared } from '../../organization/organization.errors.ts'
import { directoryErrors as errors } from '../model/directory.errors.ts'

const token = z
  .object({
    id: z.string(),
    /** The first characters of the token. */
    start: z.string(),
    expiresAt: z.date().nullable(),
    lastUsedAt: z.date().nullable(),
    createdAt: z.date(),
    /** Null: a deleted user. */
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
  })
  .meta({ id: 'DirectoryToken' })

/** The token is shown once. */
const newToken = token.extend({ token: z.string() }).meta({ id: 'NewDirectoryToken' })

/** Seconds; without it the token does not expire. */
const expiresIn = z.int().min(60).max(days(3650)).nullish()

const changing = {
  access: 'recent-authentication',
  limits: { rate: { max: 30, window: seconds(60) } },
  changes: ['directory-token'],
} as const

const ofConnection = { organizationId: optionalOrganization, connectionId: idInput }

/** What `GET /config` returns while the feature is on. */
export interface OptionalPublicConfiguration {
  features: { directory: true }
}

export const directoryTokensContract = {
  directory: get('/sso/directory', {
    summary: 'Returns the SCIM address, the tokens and the number of entries of the directory of a connection',
    access: 'session',
    input: { query: z.object(ofConnection) },
    answer: z.object({
      /** The base URL for the identity provider ("Tenant URL"). */
      url: z.string(),
      tokens: z.array(token).max(40),
      users: z.number(),
      groups: z.number(),
      /** The number of users by their access. `granted`: members of the organization. */
      access: z.record(z.string(), z.number()),
    }),
    errors: [
      core.UNAUTHORIZED,
      shared.NO_ACTIVE_ORGANIZATION,
      shared.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      enterpriseErrors.YOU_ARE_NOT_ALLOWED_TO_MANAGE_SINGLE_SIGN_ON,
      enterpriseErrors.SSO_CONNECTION_NOT_FOUND,
    ],
    budget: { d1: 4 },
    changes: [],
  }),
  createDirectoryToken: post('/sso/create-directory-token', {
    ...changing,
    audit: 'sso.create-directory-token',
    summary: 'Creates a token for the directory of a connection; the response contains it once',
    input: { body: z.object({ ...ofConnection, expiresIn }) },
    answer: newToken,
    errors: [
      ...managingErrors,
      enterpriseErrors.SSO_CONNECTION_NOT_FOUND,
      errors.MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED,
    ],
    budget: { d1: 4 },
  }),
  rotateDirectoryToken: post('/sso/rotate-directory-token', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'secures' },
    audit: 'sso.rotate-directory-token',
    summary: 'Creates the token that replaces another one; the old one is valid until the end of the overlap',
    input: {
      body: z.object({
        ...ofConnection,
        tokenId: idInput,
        /** Seconds for which the old token remains valid. */
        overlap: z.int().min(0).max(days(30)).default(days(1)),
        expiresIn,
      }),
    },
    answer: newToken,
    errors: [
      ...managingErrors,
      enterpriseErrors.SSO_CONNECTION_NOT_FOUND,
      errors.DIRECTORY_TOKEN_NOT_FOUND,
      errors.MAXIMUM_NUMBER_OF_DIRECTORY_TOKENS_REACHED,
    ],
    budget: { d1: 4 },
  }),
  revokeDirectoryToken: post('/sso/revoke-directory-token', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    audit: 'sso.revoke-directory-token',
    summary: 'Revokes a token of the directory of a connection, at once',
    input: { body: z.object({ ...ofConnection, tokenId: idInput }) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...managingErrors, enterpriseErrors.SSO_CONNECTION_NOT_FOUND, errors.DIRECTORY_TOKEN_NOT_FOUND],
    budget: { d1: 4 },
  }),
}
