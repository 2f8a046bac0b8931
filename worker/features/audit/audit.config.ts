import { defineOptions, positive, section } from '../../kit/options.ts'
import { days, seconds } from '../../kit/time.ts'

export const auditOptions = defineOptions(
  'audit',
  section({
    /** Streams of one organization, which send its audit log to other systems. */
    maxStreams: positive.max(20).default(5),
    /** Records of one request of a stream, which also has at most 900 KB. */
    streamBatchSize: positive.max(1000).default(500),
    /** Timeout (s) of a request of a stream. */
    streamTimeout: positive.max(30).default(seconds(10)),
    /** A stream that has failed for this long (s) is paused, and the owners get a mail. It continues where it stopped. */
    streamGiveUpAfter: positive.default(days(7)),
  }),
)
