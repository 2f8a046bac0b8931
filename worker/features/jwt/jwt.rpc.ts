import { Operations, type RpcAnswer, run } from '../../http/operations.ts'
import { type Algorithm, algorithms } from './jwt.contract.ts'
import { jwtErrors } from './jwt.errors.ts'
import { rotateSigningKeys } from './signing-keys.ts'

export class JwtOperations extends Operations {
  /**
   * Publishes the next signing key of an algorithm (by default the configured one), which signs from `signsFrom` on.
   * Compromised: the earlier keys leave the set and the new key signs immediately (worker/guides/verify-tokens.md).
   */
  rotateSigningKeys(
    input: { algorithm?: Algorithm; compromised?: boolean } = {},
  ): Promise<RpcAnswer<{ kid: string; signsFrom: Date }>> {
    return this[run](async (scope) => {
      const { algorithm, compromised = false } = input
      if (algorithm !== undefined && !algorithms.includes(algorithm)) throw jwtErrors.ALGORITHM_NOT_SUPPORTED()
      return rotateSigningKeys(scope, algorithm, { compromised })
    })
  }
}
