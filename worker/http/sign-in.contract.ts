import * as z from 'zod'

/** The answer of a sign-in that requires a second factor (Challenge.answer). */
export const challengeAnswer = z.object({ twoFactorRedirect: z.boolean() })

/** The fields that `continueTo` adds to an answer. */
export const continued = { redirect: z.boolean().optional(), url: z.string().optional() }
