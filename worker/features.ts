import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { apiReferenceOptions } from './features/api-reference/api-reference.config.ts'
import { apiReferenceRoutes } from './features/api-reference/api-reference.routes.ts'
import { bearerOptions } from './features/bearer/bearer.config.ts'
import { exposeToken, identifyByBearer } from './features/bearer/bearer.hooks.ts'
import { emailPasswordRoutes } from './features/email-password/email-password.routes.ts'
import { emailVerificationRoutes } from './features/email-verification/email-verification.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { statusRoutes } from './features/status/status.routes.ts'
import { disabledPathOptions } from './http/edge/disabled-paths.ts'
import { rateLimitOptions } from './http/edge/rate-limit.ts'
import { databaseOptions, requestOptions } from './http/open-scope.ts'
import type { Routes } from './http/routes.ts'
import type { Lifecycle } from './identity/scope.ts'
import { identifyByCookie } from './identity/sessions/sessions.ts'
import * as identity from './identity/settings.ts'
import type { Options } from './kit/options.ts'

/** The options of the house itself; those of the rooms stand beside them below. */
const houseOptions = [
  identity.sessionOptions,
  identity.cookieOptions,
  identity.userOptions,
  identity.accountOptions,
  identity.emailAndPasswordOptions,
  identity.emailVerificationOptions,
  identity.passwordGuessOptions,
  identity.mailOptions,
  identity.textOptions,
  rateLimitOptions,
  disabledPathOptions,
  requestOptions,
  databaseOptions,
] as const

/** THE wiring: one line per room. A room whose options say `enabled: false` is left out, and its paths are not found. */
const rooms = [
  { name: 'status', routes: statusRoutes },
  { name: 'session', routes: sessionRoutes },
  { name: 'email-password', routes: emailPasswordRoutes },
  { name: 'email-verification', routes: emailVerificationRoutes },
  { name: 'profile', routes: profileRoutes },
  { name: 'accounts', routes: accountsRoutes },
  { name: 'bearer', options: bearerOptions },
  { name: 'api-reference', routes: apiReferenceRoutes, options: apiReferenceOptions },
] as const satisfies readonly Room[]

interface Room {
  name: string
  routes?: Routes
  options?: Options<string, object>
}

/** Options by name, as worker/config.ts may set them. */
export type RoomOptions = Extract<(typeof rooms)[number], { options: unknown }>['options']
export type KnownOptions = (typeof houseOptions)[number] | RoomOptions

export const knownOptions: readonly KnownOptions[] = [
  ...houseOptions,
  ...rooms.flatMap((room) => ('options' in room ? [room.options] : [])),
]

const isOn = (room: Room, options: Readonly<Record<string, unknown>>): boolean =>
  (room.options?.of({ options }) as { enabled?: boolean } | undefined)?.enabled !== false

export type EnabledFeature = Room

export const enabledFeatures = (options: Readonly<Record<string, unknown>>): EnabledFeature[] =>
  rooms.filter((room) => isOn(room, options))

/** THE lifecycle table: who steps in where, in order (see identity/lifecycle.ts). */
export function lifecycleOf(options: Readonly<Record<string, unknown>>): Lifecycle {
  const bearer = bearerOptions.of({ options }).enabled
  return {
    identifying: [identifyByCookie, ...when(bearer, identifyByBearer)],
    choosingPassword: [],
    creatingUser: [],
    updatingUser: [],
    deletingUser: [],
    userCreated: [],
    userUpdated: [],
    userDeleted: [],
    signingIn: [],
    sessionIssued: [...when(bearer, exposeToken)],
    sessionRead: [],
    signedOut: [],
    endingAccess: [],
    shownUserFields: [],
    shownSessionFields: [],
    publicFeatures: [],
  }
}

const when = <T>(on: boolean, ...steps: T[]): T[] => (on ? steps : [])
