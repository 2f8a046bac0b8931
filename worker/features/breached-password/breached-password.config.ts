import * as z from 'zod'
import { defineOptions } from '../../kit/options.ts'
import { seconds } from '../../kit/time.ts'

export const breachedPasswordOptions = defineOptions(
  'breachedPassword',
  {
    /**
     * Off, also in the strict profile: while it is on and the range service cannot be reached, nobody can choose a
     * password.
     */
    enabled: false,
    customPasswordCompromisedMessage: '',
    /** The range service; another address for your own mirror. */
    rangeURL: 'https://api.pwnedpasswords.com/range',
    /** Seconds to wait for it. */
    timeout: seconds(5),
  },
  undefined,
  { rangeURL: z.url() },
)
