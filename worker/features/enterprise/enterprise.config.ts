import * as z from 'zod'
import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { days, hours } from '../../kit/time.ts'
import { organizationOptions } from '../organization/model/organization.config.ts'

export const enterpriseOptions = defineOptions('enterprise', () =>
  section({
    /** Single sign-on of organizations: connections, verified domains and rules for sign-ins. */
    enabled: flag(false),
    /** Connections of one organization. */
    maxConnections: positive.max(50).default(10),
    /** Domains of one organization, verified ones and pending claims. */
    maxDomains: positive.max(200).default(20),
    /** How long (s) a set-up link for the administrator of an identity provider is valid. */
    setupLinkExpiresIn: positive.max(days(30)).default(days(7)),
    /** Requests that one set-up link can make. */
    setupLinkRequests: positive.max(100_000).default(2000),
    /** The resolver for TXT records: DNS over HTTPS with JSON answers. */
    dnsResolver: z.url().default('https://cloudflare-dns.com/dns-query'),
    /** How long (s) a claim of a domain waits for its TXT record. */
    claimExpiresIn: positive.default(days(7)),
    /** The pause (s) between two checks of a verified domain. */
    checkDomainsEvery: positive.default(hours(24)),
    /** A domain whose TXT record is missing for this long (s) is no longer verified. */
    domainGracePeriod: positive.default(days(7)),
    /** A verified domain whose TXT record no lookup could read for this long (s) is no longer verified. */
    domainUnansweredPeriod: positive.default(days(30)),
    /** How long (s) members without a second factor can sign in after their organization requires one. */
    secondFactorGracePeriod: positive.default(days(7)),
  }),
)

export const enterpriseIsOn = (options: Readonly<Record<string, unknown>>): boolean =>
  enterpriseOptions.of({ options }).enabled && organizationOptions.of({ options }).enabled
