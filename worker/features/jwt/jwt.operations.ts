import * as z from 'zod'
import { operation } from '../../http/operations.ts'
import { type Algorithm, algorithms } from './algorithms.ts'
import { jwtErrors } from './jwt.errors.ts'
import { rotateSigningKeys } from './signing-keys.ts'

const isAlgorithm = (text: string): text is Algorithm => (algorithms as readonly string[]).includes(text)

export const jwtOperations = {
  rotateSigningKeys: operation(
    {
      limits: { whenFull: 'secures' },
      summary:
        'Publishes the next signing key of an algorithm (by default the configured one), which signs from `signsFrom` on. `compromised`: the earlier keys leave the set and the new key signs immediately.',
      permission: 'signing-keys:write',
      input: z.object({
        // The use case rejects an unknown one, with a code of its own.
        algorithm: z.string().max(16).optional(),
        compromised: z.boolean().optional(),
      }) as unknown as z.ZodType<
        { algorithm?: string | undefined; compromised?: boolean | undefined },
        { algorithm?: Algorithm; compromised?: boolean }
      >,
      answer: z.object({ kid: z.string(), signsFrom: z.date() }),
      errors: [jwtErrors.ALGORITHM_NOT_SUPPORTED],
      budget: { d1: 6 },
      changes: ['signing-key'],
      audit: 'server.rotate-signing-keys',
    },
    (scope, { algorithm, compromised = false }) => {
      if (algorithm !== undefined && !isAlgorithm(algorithm)) throw jwtErrors.ALGORITHM_NOT_SUPPORTED()
      return rotateSigningKeys(scope, algorithm, { compromised })
    },
  ),
}
