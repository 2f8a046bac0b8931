import { defineOptions, positive, section } from '../../kit/options.ts'
import { days } from '../../kit/time.ts'
import type { Scope } from '../scope.ts'

export const securityLogOptions = defineOptions('securityLog', () =>
  section({
    /** How long (s) an event is stored. */
    retention: positive.default(days(90)),
    /** The number of events of a user that are stored, newest first. */
    maxPerUser: positive.default(1000),
    /** How long (s) a record of the audit log is stored. By default 400 days with the bucket ARCHIVE, and 90 days without it. */
    auditRetention: positive.optional(),
    /**
     * The records of the audit log that one user or client can cause in a day (UTC). One record an hour counts those
     * beyond it. Ten times as many changes, twice that number with a recent authentication, and ten times that number of
     * sign-ins are refused.
     */
    auditPerActor: positive.default(1000),
    /** The same for an address (IPv6: a /64), over all its visitors without a session. */
    auditPerAddress: positive.default(500),
    /** The same for a guest. */
    auditPerGuest: positive.default(100),
    /**
     * The same for an organization, all its members together, and for each of its directories; and for each
     * administrator and server key of the deployment.
     */
    auditPerOrganization: positive.default(20_000),
  }),
)

/** How long (s) a record of the audit log is stored. Without R2 the database holds all of them. */
export const auditRetentionOf = (scope: Pick<Scope, 'options' | 'env'>): number =>
  securityLogOptions.of(scope).auditRetention ?? (scope.env.ARCHIVE ? days(400) : days(90))
