import { accounts } from './features/accounts/accounts.feature.ts'
import { admin } from './features/admin/admin.feature.ts'
import { refuseBanned } from './features/admin/ban.ts'
import { giveDefaultRole } from './features/admin/create-user.ts'
import { promoteAtSignIn, promoteVerified } from './features/admin/first-admins.ts'
import { forgetAdminSession, leaveAdminSession } from './features/admin/impersonate.ts'
import { keepAnAdmin } from './features/admin/remove-user.ts'
import { mayAdminister } from './features/admin/standing.ts'
import { anonymous } from './features/anonymous/anonymous.feature.ts'
import { adoptGuest } from './features/anonymous/anonymous.hooks.ts'
import { apiKey } from './features/api-key/api-key.feature.ts'
import { claimByApiKey } from './features/api-key/api-key.hooks.ts'
import { apiReference } from './features/api-reference/api-reference.feature.ts'
import { avatar } from './features/avatar/avatar.feature.ts'
import { bearer } from './features/bearer/bearer.feature.ts'
import { claimByBearer, exposeToken } from './features/bearer/bearer.hooks.ts'
import { billing } from './features/billing/billing.feature.ts'
import { endCustomer, makeCustomer, tellOfChange } from './features/billing/customer/customer.hooks.ts'
import { brand } from './features/brand/brand.feature.ts'
import { breachedPassword } from './features/breached-password/breached-password.feature.ts'
import { refuseBreached } from './features/breached-password/breached-password.ts'
import { captcha } from './features/captcha/captcha.feature.ts'
import { requireCaptcha } from './features/captcha/captcha.hooks.ts'
import { emailOtp } from './features/email-otp/email-otp.feature.ts'
import { mailCodeOnSignUp } from './features/email-otp/email-otp.hooks.ts'
import { emailPassword } from './features/email-password/email-password.feature.ts'
import { emailVerification } from './features/email-verification/email-verification.feature.ts'
import { genericOAuth } from './features/generic-oauth/generic-oauth.feature.ts'
import { hooks } from './features/hooks/hooks.feature.ts'
import * as own from './features/hooks/hooks.hooks.ts'
import { identityProvider } from './features/identity-provider/identity-provider.feature.ts'
import { noteSignOut, resumeAuthorization, tellClients } from './features/identity-provider/identity-provider.hooks.ts'
import { jwt } from './features/jwt/jwt.feature.ts'
import { exposeJwt, loadSigningKey } from './features/jwt/jwt.hooks.ts'
import { magicLink } from './features/magic-link/magic-link.feature.ts'
import { mcp } from './features/mcp/mcp.feature.ts'
import { multiSession } from './features/multi-session/multi-session.feature.ts'
import { keepExtended, keepSession, signOutAll } from './features/multi-session/multi-session.hooks.ts'
import { oauthProxy } from './features/oauth-proxy/oauth-proxy.feature.ts'
import { oneTap } from './features/one-tap/one-tap.feature.ts'
import { oneTimeToken } from './features/one-time-token/one-time-token.feature.ts'
import { organization } from './features/organization/organization.feature.ts'
import { keepAnOwner, managesOrganization } from './features/organization/organization.hooks.ts'
import { teams } from './features/organization/teams/teams.feature.ts'
import { passkey } from './features/passkey/passkey.feature.ts'
import { phoneNumber } from './features/phone-number/phone-number.feature.ts'
import { changeNumber, takeNumber } from './features/phone-number/phone-number.hooks.ts'
import { profile } from './features/profile/profile.feature.ts'
import { session } from './features/session/session.feature.ts'
import { signInMethods } from './features/sign-in-methods/sign-in-methods.feature.ts'
import { noteSignIn } from './features/sign-in-methods/sign-in-methods.hooks.ts'
import { socialAddress } from './features/social/address/address.feature.ts'
import { social } from './features/social/social.feature.ts'
import { status } from './features/status/status.feature.ts'
import { twoFactor } from './features/two-factor/two-factor.feature.ts'
import { askSecondFactor, settleSecondFactor } from './features/two-factor/two-factor.hooks.ts'
import { username } from './features/username/username.feature.ts'
import { nameNewUser, renameUser } from './features/username/username.hooks.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'
import { writeMessages } from './features/webhooks/webhooks.hooks.ts'
import type { Feature } from './http/feature.ts'
import { messageTasks } from './identity/messages/messages.ts'
import type { Lifecycle } from './identity/scope.ts'
import { claimByCookie } from './identity/sessions/sessions.ts'
import type { Options } from './kit/options.ts'
import type { KnownOptions } from './options.ts'

/** THE list: one line a feature. Columns and public configuration take this order. Options stand in options.ts as well. */
const features = [
  status,
  brand,
  session,
  emailPassword,
  emailVerification,
  profile,
  avatar,
  accounts,
  signInMethods,
  bearer,
  social,
  socialAddress,
  genericOAuth,
  oneTap,
  oauthProxy,
  twoFactor,
  username,
  magicLink,
  emailOtp,
  phoneNumber,
  anonymous,
  passkey,
  multiSession,
  apiReference,
  organization,
  teams,
  apiKey,
  captcha,
  breachedPassword,
  admin,
  identityProvider,
  mcp,
  jwt,
  oneTimeToken,
  billing,
  hooks,
  webhooks,
] as const satisfies readonly (Feature & { options?: KnownOptions })[]

/**
 * THE lifecycle table: who steps in where, in order (see identity/lifecycle.ts). Steps of a feature that is off are left
 * out. The product's own hooks come last at each place, before what is told to services outside.
 */
function stepsOf(by: By) {
  return {
    guarding: [...by(captcha, requireCaptcha)],
    identifying: [claimByCookie, ...by(bearer, claimByBearer), ...by(apiKey, claimByApiKey)],
    choosingPassword: [...by(breachedPassword, refuseBreached)],
    creatingUser: [
      ...by(admin, giveDefaultRole),
      ...by(username, nameNewUser),
      ...by(phoneNumber, takeNumber),
      ...by(hooks, own.askCreatingUser),
      // The provider is told of whom everybody else lets in, by the name that they will have.
      ...by(billing, makeCustomer),
    ],
    updatingUser: [...by(username, renameUser), ...by(phoneNumber, changeNumber), ...by(hooks, own.askUpdatingUser)],
    deletingUser: [
      ...by(admin, keepAnAdmin),
      ...by(organization, keepAnOwner),
      ...by(billing, endCustomer),
      ...by(hooks, own.askDeletingUser),
    ],
    userCreated: [...by(admin, promoteVerified), ...by(emailOtp, mailCodeOnSignUp), ...by(hooks, own.tellUserCreated)],
    userUpdated: [...by(admin, promoteVerified), ...by(hooks, own.tellUserUpdated)],
    userDeleted: [...by(hooks, own.tellUserDeleted)],
    signingIn: [
      ...by(admin, refuseBanned, promoteAtSignIn),
      ...by(twoFactor, askSecondFactor),
      ...by(anonymous, adoptGuest),
      ...by(hooks, own.askSigningIn),
    ],
    sessionIssued: [
      ...by(multiSession, keepSession),
      ...by(twoFactor, settleSecondFactor),
      ...by(signInMethods, noteSignIn),
      ...by(identityProvider, resumeAuthorization),
      ...by(jwt, loadSigningKey),
      ...by(admin, forgetAdminSession),
      ...by(hooks, own.tellSessionIssued),
    ],
    tokenSent: [...by(bearer, exposeToken)],
    sessionRead: [...by(jwt, exposeJwt), ...by(multiSession, keepExtended)],
    signingOut: [...by(multiSession, signOutAll), ...by(admin, leaveAdminSession)],
    signedOut: [...by(identityProvider, noteSignOut), ...by(hooks, own.tellSignedOut)],
    passwordReset: [...by(hooks, own.tellPasswordReset)],
    organizationCreated: [...by(hooks, own.tellOrganizationCreated)],
    organizationUpdated: [...by(hooks, own.tellOrganizationUpdated)],
    organizationDeleted: [...by(hooks, own.tellOrganizationDeleted)],
    memberAdded: [...by(hooks, own.tellMemberAdded)],
    memberRemoved: [...by(hooks, own.tellMemberRemoved)],
    roleChanged: [...by(hooks, own.tellRoleChanged)],
    invitationCreated: [...by(hooks, own.tellInvitationCreated)],
    invitationAccepted: [...by(hooks, own.tellInvitationAccepted)],
    recording: [...by(billing, tellOfChange), ...by(webhooks, writeMessages), ...by(identityProvider, tellClients)],
    administering: [...by(admin, mayAdminister)],
    managing: [...by(organization, managesOrganization)],
  } satisfies Partial<Lifecycle>
}

/** A feature's steps at a place; none where it is off. */
type By = <T>(feature: Feature, ...steps: T[]) => T[]

type AllOptions = Readonly<Record<string, unknown>>

const isOn = (feature: Feature, options: AllOptions): boolean =>
  (feature.on?.(options) ?? true) &&
  ((feature.options as Options<string, { enabled?: boolean }> | undefined)?.of({ options }).enabled ?? true)

/** The features that are on, in order. */
export const enabledFeatures = (options: AllOptions): Feature[] => features.filter((feature) => isOn(feature, options))

/** The lifecycle as it is with these options: the table, and what the features say of themselves. */
export function lifecycleOf(options: AllOptions): Lifecycle {
  const on = enabledFeatures(options)
  return {
    ...stepsOf((feature, ...steps) => (on.includes(feature) ? steps : [])),
    // A second factor is in force, and has to end, also while the feature is switched off.
    endingAccess: (features as readonly Feature[]).flatMap(({ endingAccess }) => endingAccess ?? []),
    waysIn: on.flatMap(({ waysIn }) => [...(waysIn ?? [])]),
    namesOf: (user) => on.flatMap(({ names }) => names?.(user) ?? []),
    takenValues: Object.assign({}, ...on.map(({ takenValues }) => takenValues)),
    shownUserFields: on.flatMap(({ shows }) => [...(shows?.user ?? [])]),
    shownSessionFields: on.flatMap(({ shows }) => [...(shows?.session ?? [])]),
    publicFeatures: on.flatMap(({ publicConfiguration }) => publicConfiguration ?? []),
    aboutUser: Object.assign({}, ...on.map(({ aboutUser }) => aboutUser)),
    tasks: Object.assign({}, messageTasks, ...on.map(({ tasks }) => tasks)),
  }
}
