import { lengthOf } from '../../kit/text-length.ts'
import { usernameErrors as errors } from './username.errors.ts'

/** ASCII only, so that no two usernames look alike. */
const allowed = /^[A-Za-z0-9_.]*$/

const maxDisplayLength = 64

/** A username in lower case. @throws USERNAME_IS_TOO_SHORT, USERNAME_IS_TOO_LONG, USERNAME_IS_INVALID */
export function readUsername(
  given: unknown,
  { minUsernameLength, maxUsernameLength }: { minUsernameLength: number; maxUsernameLength: number },
): string {
  if (typeof given !== 'string') throw errors.USERNAME_IS_INVALID()
  if (given.length < minUsernameLength) throw errors.USERNAME_IS_TOO_SHORT()
  if (given.length > maxUsernameLength) throw errors.USERNAME_IS_TOO_LONG()
  if (!allowed.test(given)) throw errors.USERNAME_IS_INVALID()
  return given.toLowerCase()
}

/** The user's spelling: any text on one line. @throws DISPLAY_USERNAME_IS_INVALID */
export function readDisplayUsername(given: unknown): string {
  if (typeof given !== 'string') throw errors.DISPLAY_USERNAME_IS_INVALID()
  const text = given.trim()
  if (!text || lengthOf(text) > maxDisplayLength || /\p{Cc}/u.test(text)) throw errors.DISPLAY_USERNAME_IS_INVALID()
  return text
}

/** The name for counting guesses, see identity/sessions/known-device.ts. */
export const nameByUsername = (username: string): string => `username:${username}`
