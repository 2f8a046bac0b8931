import * as z from 'zod'

/** Shape of what a sign-in answers instead of a session when more is asked for (Challenge.answer). */
export const challengeAnswer = z.object({ twoFactorRedirect: z.boolean() })
