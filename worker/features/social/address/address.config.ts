import type { CodeRules } from '../../../identity/verifications/one-time-codes.ts'
import { hours, minutes } from '../../../kit/time.ts'

/** Guesses count per address, across sign-ins and codes. */
export const codeRules: CodeRules = {
  length: 6,
  expiresIn: minutes(5),
  allowedAttempts: 3,
  guesses: { max: 10, window: hours(1) },
}

/** How long an identity waits for an address. */
export const waitingTime = minutes(15)

/** Mails per sign-in, to all addresses together. */
export const mailsPerSignIn = { max: 5, window: waitingTime }
