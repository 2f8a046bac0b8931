import * as z from 'zod'
import { defineOptions, limitOf, positive, section } from '../../kit/options.ts'
import { hours, minutes } from '../../kit/time.ts'

export const riskOptions = defineOptions(
  'risk',
  () =>
    section({
      /**
       * What an unusual sign-in with a right password leads to at most: `off` (nothing is assessed or stored), `notice` (the
       * reasons are recorded, the owner may get a notice), `challenge` (a code by mail or an enrolled second factor), or
       * `refuse`. The protocol answers a right password with a session, so that only the strict profile challenges
       * without an attack.
       */
      level: z.enum(['off', 'notice', 'challenge', 'refuse']).default('notice'),
      /** Points from which a sign-in needs a code (guides/security.md has the points of each reason). */
      challengeFrom: positive.default(3),
      /** Points from which `level: 'refuse'` refuses. Mailed links, codes and passkeys remain. */
      refuseFrom: positive.default(6),
      /** Refused passwords of a network (an IPv4 /24 or an IPv6 /48), over all accounts, beyond which it counts as an attack. */
      networkFailures: limitOf(50, minutes(10)),
      /** Refusals of the same password, over all accounts and networks, beyond which it counts as an attack. */
      passwordFailures: limitOf(20, hours(1)),
    }),
  {
    strict: { level: 'challenge' },
    contradictions: ({ level, challengeFrom, refuseFrom }) => [
      [level === 'refuse' && refuseFrom < challengeFrom, 'risk.refuseFrom', 'must not be below risk.challengeFrom'],
    ],
  },
)
