import { usernameErrors as errors } from './username.errors.ts'

/** Letters, digits, underscore and dot, of ASCII only: no two usernames look alike. */
const allowed = /^[A-Za-z0-9_.]*$/

const longestDisplay = 64

/**
 * A username as it is stored and compared: in lower case.
 * @throws USERNAME_IS_TOO_SHORT, USERNAME_IS_TOO_LONG, USERNAME_IS_INVALID
 */
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

/** The person's own spelling: any text of one line. @throws DISPLAY_USERNAME_IS_INVALID */
export function readDisplayUsername(given: unknown): string {
  if (typeof given !== 'string') throw errors.DISPLAY_USERNAME_IS_INVALID()
  const text = given.trim()
  if (!text || text.length > longestDisplay || /\p{Cc}/u.test(text)) throw errors.DISPLAY_USERNAME_IS_INVALID()
  return text
}

/** The name that guesses at a username are counted by, see identity/sessions/known-device.ts. */
export const nameByUsername = (username: string): string => `username:${username}`
