import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { urlInput } from '../../../identity/users/users.contract.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { ssoConnectionsContract as connections } from '../connections/connections.contract.ts'
import { ssoDomainsContract as domains } from '../domains/domains.contract.ts'
import {
  connectionConfig,
  connectionName,
  mapping,
  newConnectionFields,
  typeIsKnown,
  typeIsUnknown,
} from '../model/connection-config.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { connectionAnswer, domainAnswer, managingErrors } from '../model/enterprise.schemas.ts'

const changing = { access: 'recent-authentication', limits: { rate: { max: 10, window: minutes(1) } } } as const
const ofOrganization = z.object({ organizationId: optionalOrganization })

const withLink = { access: 'setup-link', limits: { rate: { max: 60, window: seconds(60) } } } as const
const token = z.string().min(1).max(128)
const linkErrors = [errors.SETUP_LINK_NOT_FOUND, errors.SETUP_LINK_USED_UP] as const

/** Names of attributes only: what follows from groups is decided by members. */
const names = mapping.pick({ email: true, name: true, groups: true })
const clientSecret = z.string().min(1).max(1024).optional()

type Kind = { readonly code: string }
/** The errors of an endpoint for members, without those of sessions and memberships. */
const own = <E extends Kind>(kinds: readonly E[]): E[] =>
  kinds.filter(({ code }) => !managingErrors.some((kind) => kind.code === code))

export const ssoSetupContract = {
  createSetupLink: post('/sso/create-setup-link', {
    ...changing,
    summary:
      'Creates a link for setting up connections and domains of an organization without an account; an earlier link stops working',
    input: { body: ofOrganization },
    answer: z.object({ url: z.string(), expiresAt: z.date() }),
    errors: managingErrors,
    budget: { d1: 4 },
    changes: ['setup-link'],
    audit: 'sso.create-setup-link',
  }),
  revokeSetupLink: post('/sso/revoke-setup-link', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    summary: 'Ends the set-up link of an organization',
    input: { body: ofOrganization },
    answer: z.object({ success: z.literal(true) }),
    errors: [...managingErrors, errors.SETUP_LINK_NOT_FOUND],
    budget: { d1: 3 },
    changes: ['setup-link'],
    audit: 'sso.revoke-setup-link',
  }),
  readSetup: post('/sso/setup/settings', {
    ...withLink,
    summary: 'Returns the connections and domains of the organization of a set-up link',
    input: { body: z.object({ token }) },
    answer: z.object({
      organization: z.string(),
      expiresAt: z.date(),
      connections: z.array(connectionAnswer).max(50),
      domains: z.array(domainAnswer).max(200),
    }),
    errors: linkErrors,
    budget: { d1: 3 },
    changes: ['setup-link'],
    // Counts a use of the link, and shows its settings.
    audit: null,
  }),
  setupCreateConnection: post('/sso/setup/create-connection', {
    ...withLink,
    summary: 'Creates a connection with a set-up link, as a draft',
    input: {
      body: z
        .object({ token, ...newConnectionFields, clientSecret, mapping: names.optional() })
        .refine(typeIsKnown, typeIsUnknown),
      example: { token: `setup_${'x'.repeat(44)}`, name: 'Acme', type: 'oidc' },
    },
    answer: connectionAnswer,
    errors: [...linkErrors, ...own(connections.createSsoConnection.errors)],
    budget: { d1: 4 },
    changes: ['connection'],
    audit: 'sso.setup.create-connection',
  }),
  setupUpdateConnection: post('/sso/setup/update-connection', {
    ...withLink,
    summary: 'Changes a connection with a set-up link, or activates a tested one',
    input: {
      body: z.object({
        token,
        connectionId: idInput,
        name: connectionName.optional(),
        config: connectionConfig.optional(),
        clientSecret,
        mapping: names.optional(),
        state: z.literal('active').optional(),
        discardsDraft: z.boolean().optional(),
      }),
    },
    answer: connectionAnswer,
    errors: [...linkErrors, ...own(connections.updateSsoConnection.errors)],
    budget: { d1: 6, read: 2000, written: 80 },
    changes: ['connection', 'session'],
    audit: 'sso.setup.update-connection',
  }),
  setupReadMetadata: post('/sso/setup/read-metadata', {
    ...withLink,
    limits: { ...withLink.limits, rate: { max: 10, window: minutes(1) } },
    summary: 'Reads the metadata of a SAML identity provider with a set-up link; stores nothing',
    input: { body: z.object({ token, url: z.string().min(1).max(2048) }) },
    answer: connections.readSsoMetadata.answer,
    errors: [...linkErrors, ...own(connections.readSsoMetadata.errors)],
    budget: { d1: 2, outside: 1 },
    changes: ['setup-link'],
    // Counts a use of the link, and returns what it has read.
    audit: null,
  }),
  setupTestConnection: post('/sso/setup/test-connection', {
    ...withLink,
    summary: 'Starts a test sign-in through a connection with a set-up link',
    input: { body: z.object({ token, connectionId: idInput, callbackURL: urlInput }) },
    answer: z.object({ url: z.string(), redirect: z.boolean() }),
    errors: [...linkErrors, ...own(connections.testSsoConnection.errors)],
    budget: { d1: 4, kv: 1, durable: 2, outside: 1 },
    changes: ['connection', 'verification'],
    audit: 'sso.setup.test-connection',
  }),
  setupAddDomain: post('/sso/setup/add-domain', {
    ...withLink,
    summary: 'Claims a domain with a set-up link',
    input: { body: z.object({ token, domain: z.string().min(1).max(253) }) },
    answer: domainAnswer,
    errors: [...linkErrors, ...own(domains.addDomain.errors)],
    budget: { d1: 4 },
    changes: ['domain'],
    audit: 'sso.setup.add-domain',
  }),
  setupVerifyDomain: post('/sso/setup/verify-domain', {
    ...withLink,
    limits: { ...withLink.limits, rate: { max: 10, window: minutes(1) } },
    summary: 'Looks up the TXT record of a claimed domain with a set-up link',
    input: { body: z.object({ token, domainId: idInput }) },
    answer: domainAnswer,
    errors: [...linkErrors, ...own(domains.verifyDomain.errors)],
    budget: { d1: 6, outside: 1, read: 2000, written: 80 },
    changes: ['domain', 'session'],
    audit: 'sso.setup.verify-domain',
  }),
}
