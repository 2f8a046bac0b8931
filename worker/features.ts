import { accountsRoutes } from './features/accounts/accounts.routes.ts'
import { anonymousOptions } from './features/anonymous/anonymous.config.ts'
import { adoptGuest, publicAnonymous } from './features/anonymous/anonymous.hooks.ts'
import { anonymousRoutes } from './features/anonymous/anonymous.routes.ts'
import { apiReferenceOptions } from './features/api-reference/api-reference.config.ts'
import { apiReferenceRoutes } from './features/api-reference/api-reference.routes.ts'
import { bearerOptions } from './features/bearer/bearer.config.ts'
import { exposeToken, identifyByBearer } from './features/bearer/bearer.hooks.ts'
import { emailOtpOptions } from './features/email-otp/email-otp.config.ts'
import { mailCodeOnSignUp, publicEmailOtp } from './features/email-otp/email-otp.hooks.ts'
import { emailOtpRoutes } from './features/email-otp/email-otp.routes.ts'
import { emailPasswordRoutes } from './features/email-password/email-password.routes.ts'
import { emailVerificationRoutes } from './features/email-verification/email-verification.routes.ts'
import { genericOAuthRoutes } from './features/generic-oauth/generic-oauth.routes.ts'
import { jwtOptions } from './features/jwt/jwt.config.ts'
import { exposeJwt, loadSigningKey } from './features/jwt/jwt.hooks.ts'
import { jwtRoutes } from './features/jwt/jwt.routes.ts'
import { magicLinkOptions } from './features/magic-link/magic-link.config.ts'
import { publicMagicLink } from './features/magic-link/magic-link.hooks.ts'
import { magicLinkRoutes } from './features/magic-link/magic-link.routes.ts'
import { oauthProxyRoutes } from './features/oauth-proxy/oauth-proxy.routes.ts'
import { oneTapOptions } from './features/one-tap/one-tap.config.ts'
import { publicOneTap } from './features/one-tap/one-tap.hooks.ts'
import { oneTapRoutes } from './features/one-tap/one-tap.routes.ts'
import { oneTimeTokenOptions } from './features/one-time-token/one-time-token.config.ts'
import { oneTimeTokenRoutes } from './features/one-time-token/one-time-token.routes.ts'
import { organizationOptions, teamsAreOn } from './features/organization/organization.config.ts'
import { keepAnOwner, tellOfOrganizations } from './features/organization/organization.hooks.ts'
import { organizationRoutes } from './features/organization/organization.routes.ts'
import { teamsRoutes } from './features/organization/teams/teams.routes.ts'
import { phoneNumberOptions } from './features/phone-number/phone-number.config.ts'
import { changeNumber, publicPhoneNumber, takeNumber } from './features/phone-number/phone-number.hooks.ts'
import { phoneNumberRoutes } from './features/phone-number/phone-number.routes.ts'
import { profileRoutes } from './features/profile/profile.routes.ts'
import { sessionRoutes } from './features/session/session.routes.ts'
import { customProviderOptions } from './features/social/custom/custom.config.ts'
import { oauthProxyOptions } from './features/social/proxy/proxy.config.ts'
import { socialProviderOptions } from './features/social/social.config.ts'
import { publicProviders } from './features/social/social.hooks.ts'
import { socialRoutes } from './features/social/social.routes.ts'
import { statusRoutes } from './features/status/status.routes.ts'
import { twoFactorOptions } from './features/two-factor/two-factor.config.ts'
import {
  askSecondFactor,
  endSecondFactor,
  settleSecondFactor,
  twoFactorFeatures,
} from './features/two-factor/two-factor.hooks.ts'
import { twoFactorRoutes } from './features/two-factor/two-factor.routes.ts'
import { usernameOptions } from './features/username/username.config.ts'
import { nameNewUser, renameUser, usernameFeatures } from './features/username/username.hooks.ts'
import { usernameRoutes } from './features/username/username.routes.ts'
import { disabledPathOptions } from './http/edge/disabled-paths.ts'
import { rateLimitOptions } from './http/edge/rate-limit.ts'
import { databaseOptions, requestOptions } from './http/open-scope.ts'
import type { Routes } from './http/routes.ts'
import type { Lifecycle } from './identity/scope.ts'
import type { Session } from './identity/sessions/sessions.table.ts'
import { identifyByCookie } from './identity/sessions/sessions.ts'
import * as identity from './identity/settings.ts'
import type { User } from './identity/users/users.table.ts'
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
  { name: 'jwt', routes: jwtRoutes, options: jwtOptions },
  { name: 'one-time-token', routes: oneTimeTokenRoutes, options: oneTimeTokenOptions },
  { name: 'social', routes: socialRoutes, options: socialProviderOptions },
  { name: 'generic-oauth', routes: genericOAuthRoutes, options: customProviderOptions },
  { name: 'one-tap', routes: oneTapRoutes, options: oneTapOptions },
  { name: 'oauth-proxy', routes: oauthProxyRoutes, options: oauthProxyOptions },
  { name: 'two-factor', routes: twoFactorRoutes, options: twoFactorOptions },
  { name: 'username', routes: usernameRoutes, options: usernameOptions },
  { name: 'magic-link', routes: magicLinkRoutes, options: magicLinkOptions },
  { name: 'email-otp', routes: emailOtpRoutes, options: emailOtpOptions },
  { name: 'phone-number', routes: phoneNumberRoutes, options: phoneNumberOptions },
  { name: 'anonymous', routes: anonymousRoutes, options: anonymousOptions },
  { name: 'api-reference', routes: apiReferenceRoutes, options: apiReferenceOptions },
  { name: 'organization', routes: organizationRoutes, options: organizationOptions },
  { name: 'organization-teams', routes: teamsRoutes, on: teamsAreOn },
] as const satisfies readonly Room[]

interface Room {
  name: string
  routes?: Routes
  options?: Options<string, object>
  /** For a room that is switched by something else than `enabled` among its own options. */
  on?(options: Readonly<Record<string, unknown>>): boolean
}

/** Options by name, as worker/config.ts may set them. */
export type RoomOptions = Extract<(typeof rooms)[number], { options: unknown }>['options']
export type KnownOptions = (typeof houseOptions)[number] | RoomOptions

export const knownOptions: readonly KnownOptions[] = [
  ...houseOptions,
  ...rooms.flatMap((room) => ('options' in room ? [room.options] : [])),
]

const isOn = (room: Room, options: Readonly<Record<string, unknown>>): boolean =>
  (room.on?.(options) ?? true) &&
  (room.options?.of({ options }) as { enabled?: boolean } | undefined)?.enabled !== false

export type EnabledFeature = Room

export const enabledFeatures = (options: Readonly<Record<string, unknown>>): EnabledFeature[] =>
  rooms.filter((room) => isOn(room, options))

/** THE lifecycle table: who steps in where, in order (see identity/lifecycle.ts). */
export function lifecycleOf(options: Readonly<Record<string, unknown>>): Lifecycle {
  const jwt = jwtOptions.of({ options }).enabled
  const bearer = bearerOptions.of({ options }).enabled
  const organization = organizationOptions.of({ options }).enabled
  const twoFactor = twoFactorOptions.of({ options }).enabled
  const username = usernameOptions.of({ options }).enabled
  const magicLink = magicLinkOptions.of({ options }).enabled
  const emailOtp = emailOtpOptions.of({ options }).enabled
  const phoneNumber = phoneNumberOptions.of({ options }).enabled
  const anonymous = anonymousOptions.of({ options }).enabled
  return {
    identifying: [identifyByCookie, ...when(bearer, identifyByBearer)],
    choosingPassword: [],
    creatingUser: [...when(username, nameNewUser), ...when(phoneNumber, takeNumber)],
    updatingUser: [...when(username, renameUser), ...when(phoneNumber, changeNumber)],
    deletingUser: [...when(organization, keepAnOwner)],
    userCreated: [...when(emailOtp, mailCodeOnSignUp)],
    userUpdated: [],
    userDeleted: [],
    signingIn: [...when(twoFactor, askSecondFactor)],
    sessionIssued: [
      ...when(bearer, exposeToken),
      ...when(twoFactor, settleSecondFactor),
      ...when(anonymous, adoptGuest),
      ...when(jwt, loadSigningKey),
    ],
    sessionRead: [...when(jwt, exposeJwt)],
    signedOut: [],
    endingAccess: [endSecondFactor],
    shownUserFields: [
      ...when<keyof User>(twoFactor, 'twoFactorEnabled'),
      ...when<keyof User>(username, 'username', 'displayUsername'),
      ...when<keyof User>(phoneNumber, 'phoneNumber', 'phoneNumberVerified'),
      ...when<keyof User>(anonymous, 'isAnonymous'),
    ],
    shownSessionFields: [...when<keyof Session>(organization, 'activeOrganizationId')],
    publicFeatures: [
      publicProviders,
      ...when(oneTapOptions.of({ options }).enabled, publicOneTap),
      ...when(organization, tellOfOrganizations),
      ...when(twoFactor, twoFactorFeatures),
      ...when(username, usernameFeatures),
      ...when(magicLink, publicMagicLink),
      ...when(emailOtp, publicEmailOtp),
      ...when(phoneNumber, publicPhoneNumber),
      ...when(anonymous, publicAnonymous),
    ],
  }
}

const when = <T>(on: boolean, ...steps: T[]): T[] => (on ? steps : [])
