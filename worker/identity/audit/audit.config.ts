import * as z from 'zod'
import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { days, seconds } from '../../kit/time.ts'

export const auditOptions = defineOptions('audit', () =>
  section({
    /** Sealed records that are older (days) move to R2, if the bucket ARCHIVE is bound. */
    hotDays: positive.max(3650).default(30),
    /**
     * Whether the records in the archive lose the personal data of a deleted user. Those in D1 follow when they move there.
     * `false`: at the end of the retention.
     */
    eraseDeletedUsers: flag(false),
    /** Streams of one organization, and of the deployment, which send the audit log to other systems. */
    maxStreams: positive.max(20).default(5),
    /** Records of one request of a stream, which also has at most 900 KB. */
    streamBatchSize: positive.max(1000).default(500),
    /** Timeout (s) of a request of a stream. */
    streamTimeout: positive.max(30).default(seconds(10)),
    /** Ports of the addresses of streams: by default 443, and 8088, the usual one of a collector of Splunk. */
    streamPorts: z.array(z.int().min(1).max(65_535)).min(1).max(20).default([443, 8088]),
    /** A stream that has failed for this long (s) is paused, and the owners of the organization get a mail. It continues where it stopped. */
    streamGiveUpAfter: positive.default(days(7)),
  }),
)
