import type { CodeRules } from '../../../identity/verifications/one-time-codes.ts'
import { hours, minutes } from '../../../kit/time.ts'

/** The mailed codes. The guesses are per address, however many sign-ins wait and however many codes were sent. */
export const codeRules: CodeRules = {
  length: 6,
  expiresIn: minutes(5),
  allowedAttempts: 3,
  guesses: { max: 10, window: hours(1) },
}

/** How long an identity waits for its person's address. */
export const waitingTime = minutes(15)

/** Mails that one sign-in may cause, to whatever addresses. */
export const mailsPerSignIn = { max: 5, window: waitingTime }
