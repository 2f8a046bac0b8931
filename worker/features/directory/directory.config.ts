import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { minutes } from '../../kit/time.ts'
import { enterpriseIsOn } from '../enterprise/enterprise.config.ts'

export const directoryOptions = defineOptions('directory', () =>
  section({
    /** Directory sync (SCIM 2.0) of the connections of organizations. It needs `enterprise.enabled`. */
    enabled: flag(true),
    /** Tokens of one connection. */
    maxTokens: positive.max(20).default(5),
    /** Users of one organization. */
    maxUsers: positive.max(50_000).default(10_000),
    /** Groups of one organization. */
    maxGroups: positive.max(10_000).default(1000),
    /** Memberships of all groups of one organization. */
    maxMemberships: positive.max(100_000).default(20_000),
    /** Bytes of all users of one organization: the JSON of each one, and 1 KB for its row. */
    maxBytes: positive.default(32 * 1024 * 1024),
    /** The same of the whole deployment. From 80 % on, each run of the cron trigger logs `directory-nearly-full`. */
    maxTotalBytes: positive.default(2 * 1024 * 1024 * 1024),
    /** Seconds, and the maximum number of requests of one token in them. Each operation of a bulk request counts. */
    rateLimit: section({ window: positive.default(minutes(1)), max: positive.default(1500) }),
  }),
)

export const directoryIsOn = (options: Readonly<Record<string, unknown>>): boolean =>
  directoryOptions.of({ options }).enabled && enterpriseIsOn(options)
