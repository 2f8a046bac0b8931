import * as z from 'zod'
import type { SessionMethod } from '../model/method.ts'
import type { Session } from '../model/sessions.table.ts'
import { type Extended, presentedUser } from '../users/users.contract.ts'

/** Schemas of a session in responses; see present-session.ts. */

const sessionShape = z
  .looseObject({
    id: z.string(),
    userId: z.string(),
    token: z.string(),
    expiresAt: z.date(),
    createdAt: z.date(),
    updatedAt: z.date(),
    ipAddress: z.string(),
    userAgent: z.string(),
    /** The thumbprint of the key of the device that the session is bound to. */
    boundKey: z.string().optional(),
  })
  .meta({ id: 'Session' })

/** Fields of features (`shows`). */
type Shown = Partial<Pick<Session, 'activeOrganizationId' | 'activeTeamId' | 'impersonatedBy'>>

export const presentedSession = sessionShape as Extended<typeof sessionShape, Shown>

/** How a user signed in, by the name of the method or the id of the provider. */
export const sessionMethod = z.string() as unknown as z.ZodType<SessionMethod, SessionMethod>

/** The browser and the system of a user agent; null for unknown ones. */
export const shownDevice = z.object({ browser: z.string().nullable(), os: z.string().nullable() }).nullable()

/** The same, left out for unknown ones. */
export const optionalDevice = shownDevice.unwrap().optional()

export const sessionAndUser = z.object({ session: presentedSession, user: presentedUser })
