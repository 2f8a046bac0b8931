import type { ConfigurationPart } from './contract.ts'
import { accounts } from './features/accounts/accounts.feature.ts'
import { emailVerification } from './features/accounts/email-verification/email-verification.feature.ts'
import { admin } from './features/admin/admin.feature.ts'
import { agents } from './features/agents/agents.feature.ts'
import { anonymous } from './features/anonymous/anonymous.feature.ts'
import { apiKey } from './features/api-key/api-key.feature.ts'
import { apiReference } from './features/api-reference/api-reference.feature.ts'
import { audit } from './features/audit/audit.feature.ts'
import { auditStreaming } from './features/audit/streams/streams.feature.ts'
import { billing } from './features/billing/billing.feature.ts'
import { captcha } from './features/captcha/captcha.feature.ts'
import { directory } from './features/directory/directory.feature.ts'
import { emailOtp } from './features/email-otp/email-otp.feature.ts'
import { breachedPassword } from './features/email-password/breached-password/breached-password.feature.ts'
import { emailPassword } from './features/email-password/email-password.feature.ts'
import { enterprise } from './features/enterprise/enterprise.feature.ts'
import { hooks } from './features/hooks/hooks.feature.ts'
import { identityProvider } from './features/identity-provider/identity-provider.feature.ts'
import { mcp } from './features/identity-provider/mcp/mcp.feature.ts'
import { insights } from './features/insights/insights.feature.ts'
import { jobs } from './features/jobs/jobs.feature.ts'
import { jwt } from './features/jwt/jwt.feature.ts'
import { oneTimeToken } from './features/jwt/one-time-token/one-time-token.feature.ts'
import { live } from './features/live/live.feature.ts'
import { magicLink } from './features/magic-link/magic-link.feature.ts'
import { organizationAdministration } from './features/organization/administration/administration.feature.ts'
import { organization } from './features/organization/organization.feature.ts'
import { teams } from './features/organization/teams/teams.feature.ts'
import { passkey } from './features/passkey/passkey.feature.ts'
import { phoneNumber } from './features/phone-number/phone-number.feature.ts'
import { avatar } from './features/profile/avatar/avatar.feature.ts'
import { profile } from './features/profile/profile.feature.ts'
import { brand } from './features/public-config/brand/brand.feature.ts'
import { publicConfiguration } from './features/public-config/public-config.feature.ts'
import { securityText } from './features/public-config/security-text/security-text.feature.ts'
import { risk } from './features/risk/risk.feature.ts'
import { securityLog } from './features/security-log/security-log.feature.ts'
import { serverKeys } from './features/server-keys/server-keys.feature.ts'
import { bearer } from './features/session/bearer/bearer.feature.ts'
import { deviceBound } from './features/session/device-bound/device-bound.feature.ts'
import { knownAccountsFeature } from './features/session/known-accounts/known-accounts.feature.ts'
import { multiSession } from './features/session/multi-session/multi-session.feature.ts'
import { session } from './features/session/session.feature.ts'
import { signInMethods } from './features/session/sign-in-methods/sign-in-methods.feature.ts'
import { stepUp } from './features/session/step-up/step-up.feature.ts'
import { sharedSignals } from './features/shared-signals/shared-signals.feature.ts'
import { accessIdentity } from './features/social/access-identity/access-identity.feature.ts'
import { socialAddress } from './features/social/address/address.feature.ts'
import { genericOAuth } from './features/social/generic/generic.feature.ts'
import { oneTap } from './features/social/one-tap/one-tap.feature.ts'
import { oauthProxy } from './features/social/proxy/proxy.feature.ts'
import { social } from './features/social/social.feature.ts'
import { twoFactor } from './features/two-factor/two-factor.feature.ts'
import { username } from './features/username/username.feature.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'
import type { Feature, FeatureDescriptor } from './http/feature.ts'
import { type FeatureLoader, featureLoader, wholeFeature } from './http/load-features.ts'
import type { StepsOf } from './identity/lifecycle.ts'
import type { Scope } from './identity/scope.ts'

/** All features, one line each. Columns and public configuration take this order. */
export const features = [
  publicConfiguration,
  brand,
  securityText,
  session,
  emailPassword,
  emailVerification,
  profile,
  avatar,
  accounts,
  stepUp,
  signInMethods,
  securityLog,
  bearer,
  deviceBound,
  social,
  socialAddress,
  genericOAuth,
  oneTap,
  accessIdentity,
  oauthProxy,
  risk,
  twoFactor,
  username,
  magicLink,
  emailOtp,
  phoneNumber,
  anonymous,
  passkey,
  multiSession,
  knownAccountsFeature,
  apiReference,
  organization,
  organizationAdministration,
  teams,
  audit,
  auditStreaming,
  enterprise,
  directory,
  apiKey,
  serverKeys,
  captcha,
  breachedPassword,
  admin,
  identityProvider,
  agents,
  mcp,
  jwt,
  oneTimeToken,
  billing,
  hooks,
  webhooks,
  sharedSignals,
  jobs,
  insights,
  live,
] as const satisfies readonly (FeatureDescriptor & { publicConfiguration?(scope: Scope): Described })[]

/** A part of GET /config that a contract describes. */
type Described = ConfigurationPart | Record<string, never>

/**
 * The lifecycle table: the features whose steps run at each place, in order (see identity/lifecycle.ts). The product's own
 * hooks come last at each place, before the calls to external services.
 */
export const places: { readonly [P in Place]: readonly FeatureWith<P>[] } = {
  guarding: [risk, captcha],
  identifying: [session, bearer, apiKey],
  choosingPassword: [emailPassword, breachedPassword],
  // The billing provider receives only users that all other steps accept, with their final name.
  creatingUser: [admin, username, phoneNumber, hooks, billing],
  updatingUser: [username, phoneNumber, hooks],
  deletingUser: [admin, organization, billing, hooks],
  signingIn: [admin, directory, passkey, enterprise, risk, twoFactor, bearer, anonymous, hooks],
  passwordRefused: [risk],
  assessing: [hooks],
  sessionIssued: [multiSession, knownAccountsFeature, twoFactor, signInMethods, identityProvider, jwt, admin, hooks],
  tokenSent: [bearer],
  keyChecked: [deviceBound],
  sessionRead: [jwt, multiSession],
  signingOut: [multiSession, admin],
  signedOut: [hooks],
  recording: [enterprise, directory, session, apiKey, billing, webhooks, sharedSignals, identityProvider],
  reactions: [admin, emailOtp, live, knownAccountsFeature, hooks],
}

type Place = keyof StepsOf<Scope>
type Known = (typeof features)[number]
/** The features that declare steps at a place: in their parts, or for every request. */
type FeatureWith<P, F = Known> = F extends { places: readonly (infer Own)[] }
  ? P extends Own
    ? F
    : FeatureWithStep<P, F>
  : FeatureWithStep<P, F>
type FeatureWithStep<P, F> = F extends { steps: infer Steps } ? (P extends keyof Steps ? F : never) : never

type AllOptions = Readonly<Record<string, unknown>>

const isOn = (feature: FeatureDescriptor, options: AllOptions): boolean =>
  (feature.on?.(options) ?? true) &&
  ((feature.options?.of({ options }) as { enabled?: boolean | null } | undefined)?.enabled ?? true)

/** The enabled features, in order. */
export const featuresOn = (options: AllOptions): FeatureDescriptor[] =>
  features.filter((feature) => isOn(feature, options))

/** The same with their files, once these are loaded. */
export const enabledFeatures = (options: AllOptions): Feature[] => featuresOn(options).map(wholeFeature)

/** Loads the parts of the features for the calls of a deployment. */
export const loaderOf = (options: AllOptions): FeatureLoader => featureLoader(features, featuresOn(options), places)
