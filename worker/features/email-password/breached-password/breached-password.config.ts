import * as z from 'zod'
import { defineOptions, flag, positive, section } from '../../../kit/options.ts'
import { seconds } from '../../../kit/time.ts'

export const breachedPasswordOptions = defineOptions('breachedPassword', () =>
  section({
    /**
     * Off, also in the strict profile. While it is on and the range service is unreachable, users cannot set passwords.
     */
    enabled: flag(false),
    /** The message for a breached password; empty: the one of the protocol. */
    customPasswordCompromisedMessage: z.string().default(''),
    /** The range service, or a mirror of it. */
    rangeURL: z.url().default('https://api.pwnedpasswords.com/range'),
    /** Timeout (s) of a request to it. */
    timeout: positive.default(seconds(5)),
  }),
)
