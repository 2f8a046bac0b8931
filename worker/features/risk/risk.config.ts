import * as z from 'zod'
import { defineOptions, positive, section } from '../../kit/options.ts'

export const riskOptions = defineOptions(
  'risk',
  () =>
    section({
      /**
       * What an unusual sign-in with a right password leads to at most: `off` (nothing is assessed or stored), `notice` (the
       * reasons are recorded, the owner may get a notice), `challenge` (a code by mail or an enrolled second factor), or
       * `refuse`. The protocol answers a right password with a session, so that only the strict profile challenges.
       */
      level: z.enum(['off', 'notice', 'challenge', 'refuse']).default('notice'),
      /** Points from which a sign-in needs a code (guides/security.md has the points of each reason). */
      challengeFrom: positive.default(3),
      /** Points from which `level: 'refuse'` refuses. Mailed links, codes and passkeys remain. */
      refuseFrom: positive.default(6),
    }),
  {
    strict: { level: 'challenge' },
    contradictions: ({ level, challengeFrom, refuseFrom }) => [
      [level === 'refuse' && refuseFrom < challengeFrom, 'risk.refuseFrom', 'must not be below risk.challengeFrom'],
    ],
  },
)
