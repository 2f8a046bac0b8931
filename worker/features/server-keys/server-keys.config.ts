import { defineOptions, flag, positive, section } from '../../kit/options.ts'
import { maxServerKeys } from '../../kit/server-permissions.ts'
import { minutes } from '../../kit/time.ts'

export const serverKeyOptions = defineOptions('serverKeys', () =>
  section({
    /** Keys of back ends outside of Cloudflare, and `/api/server`. A service binding needs no key. */
    enabled: flag(true),
    /** The maximum number of keys. */
    maxKeys: positive.max(maxServerKeys).default(50),
    /** Seconds, and the maximum number of requests of one key in them. */
    rateLimit: section({ window: positive.default(minutes(1)), max: positive.default(1000) }),
  }),
)

/** Seconds for which a key is remembered for an outage, which extends them by `maxOutage`. */
export const rememberedFor = minutes(5)
