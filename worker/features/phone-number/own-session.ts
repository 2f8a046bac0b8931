import type { Caller } from '../../identity/caller.ts'
import { phoneNumberErrors as errors } from './phone-number.errors.ts'

/**
 * A number is a way in, and out of reach for a session that is not the person's own: one of an API key, or of an
 * administrator who acts as somebody else.
 * @throws PHONE_NUMBER_IS_OUT_OF_REACH
 */
export function requireOwnSession({ via, session }: Caller): void {
  if (via === 'api-key' || session.impersonatedBy) throw errors.PHONE_NUMBER_IS_OUT_OF_REACH()
}
