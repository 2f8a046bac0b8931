import * as z from 'zod'

/** Shapes of a user in answers; see present-user.ts. */

export const presentedUser = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.string().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'User' })

/** An address as input: what the shape of it can tell; whether it works only a mail can. */
export const emailInput = z.email().max(254)

/** A callback or redirect target as input; http/edge/redirect-targets.ts decides whether it may be used. */
export const urlInput = z.string().max(2048)

/** A password as input; its length is checked by choose-password.ts, against the configuration. */
export const passwordInput = z.string().max(4096)

export const statusAnswer = z.object({ status: z.boolean() }).meta({ id: 'Status' })
