import * as z from 'zod'
import { callable } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { minutes } from '../../kit/time.ts'

export const oneTimeTokenOptions = defineOptions(
  'oneTimeToken',
  {
    enabled: true,
    expiresIn: minutes(3),
    /** Only servers may generate tokens, through `generateOneTimeToken` (one-time-token.rpc.ts). */
    disableClientRequest: false,
    /** What is stored is an HMAC in any case; a function hashes the token before that. There is no `plain`. */
    storeToken: 'hashed' as 'hashed' | ((token: string) => string | Promise<string>),
  },
  undefined,
  { storeToken: z.union([z.literal('hashed'), callable()]) },
)
