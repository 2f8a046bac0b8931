import * as z from 'zod'
import { callable, defineOptions, flag, positive, section } from '../../../kit/options.ts'
import { minutes } from '../../../kit/time.ts'

export const oneTimeTokenOptions = defineOptions('oneTimeToken', () =>
  section({
    enabled: flag(true),
    /** Lifetime of a token. */
    expiresIn: positive.default(minutes(3)),
    /** Only servers may generate tokens, with `ServerApi.generateOneTimeToken`. */
    disableClientRequest: flag(false),
    /** An HMAC is always stored; a function hashes the token first. `plain` does not exist. */
    storeToken: z
      .union([z.literal('hashed'), callable<(token: string) => string | Promise<string>>()])
      .default('hashed'),
  }),
)
