import * as z from 'zod'
import { post } from '../../../http/endpoint.ts'
import { minutes, seconds } from '../../../kit/time.ts'
import { idInput, optionalOrganization } from '../../organization/model/membership.schemas.ts'
import { enterpriseErrors as errors } from '../model/enterprise.errors.ts'
import { domainAnswer, managingErrors } from '../model/enterprise.schemas.ts'

const choice = { organizationId: optionalOrganization, domainId: idInput }
const changing = { access: 'recent-authentication', limits: { rate: { max: 30, window: seconds(60) } } } as const

export const ssoDomainsContract = {
  addDomain: post('/sso/add-domain', {
    ...changing,
    summary: 'Claims a domain for an organization; its TXT record verifies it',
    input: { body: z.object({ organizationId: optionalOrganization, domain: z.string().min(1).max(253) }) },
    answer: domainAnswer,
    errors: [
      ...managingErrors,
      errors.INVALID_DOMAIN,
      errors.DOMAIN_ALREADY_ADDED,
      errors.MAXIMUM_NUMBER_OF_DOMAINS_REACHED,
    ],
    budget: { d1: 3 },
    changes: ['domain'],
    audit: 'sso.add-domain',
  }),
  verifyDomain: post('/sso/verify-domain', {
    ...changing,
    limits: { ...changing.limits, rate: { max: 10, window: minutes(1) } },
    summary: 'Looks up the TXT record of a claimed domain, which then belongs to the organization',
    input: { body: z.object(choice) },
    answer: domainAnswer,
    errors: [
      ...managingErrors,
      errors.DOMAIN_NOT_FOUND,
      errors.DOMAIN_RECORD_NOT_FOUND,
      errors.DOMAIN_BELONGS_TO_ANOTHER_ORGANIZATION,
    ],
    budget: { d1: 4, outside: 1, read: 2000 },
    changes: ['domain', 'session'],
    audit: 'sso.verify-domain',
  }),
  updateDomain: post('/sso/update-domain', {
    ...changing,
    summary: 'Sets the connection for the addresses of a domain; null: the oldest active connection',
    input: { body: z.object({ ...choice, connectionId: idInput.nullable() }) },
    answer: domainAnswer,
    errors: [...managingErrors, errors.DOMAIN_NOT_FOUND, errors.SSO_CONNECTION_NOT_FOUND],
    budget: { d1: 4 },
    changes: ['domain'],
    audit: 'sso.update-domain',
  }),
  removeDomain: post('/sso/remove-domain', {
    ...changing,
    limits: { ...changing.limits, whenFull: 'ends' },
    summary: 'Removes a domain; sign-ins with its addresses follow no rule of the organization any more',
    input: { body: z.object(choice) },
    answer: z.object({ success: z.literal(true) }),
    errors: [...managingErrors, errors.DOMAIN_NOT_FOUND],
    budget: { d1: 4 },
    changes: ['domain'],
    audit: 'sso.remove-domain',
  }),
}
