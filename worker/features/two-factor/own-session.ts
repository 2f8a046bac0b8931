import type { Caller } from '../../identity/scope.ts'
import { twoFactorErrors as errors } from './two-factor.errors.ts'

/**
 * The second factor is out of reach for a session that is not the person's own: one of an API key, or of an
 * administrator who acts as somebody else.
 * @throws SECOND_FACTOR_IS_OUT_OF_REACH
 */
export function requireOwnSession({ via, session }: Caller): void {
  if (via === 'api-key' || session.impersonatedBy) throw errors.SECOND_FACTOR_IS_OUT_OF_REACH()
}
