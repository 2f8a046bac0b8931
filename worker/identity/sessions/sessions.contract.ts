import * as z from 'zod'
import { presentedUser } from '../users/users.contract.ts'

/** Shapes of a session in answers; see present-session.ts. */

export const presentedSession = z
  .looseObject({
    id: z.string(),
    userId: z.string(),
    token: z.string(),
    expiresAt: z.date(),
    createdAt: z.date(),
    updatedAt: z.date(),
    ipAddress: z.string(),
    userAgent: z.string(),
  })
  .meta({ id: 'Session' })

/** What a user agent says it is, as far as it can be told. */
export const shownDevice = z.object({ browser: z.string().nullable(), os: z.string().nullable() }).nullable()

export const sessionAndUser = z.object({ session: presentedSession, user: presentedUser })
