import { adminOptions } from './features/admin/admin.config.ts'
import { anonymousOptions } from './features/anonymous/anonymous.config.ts'
import { apiKeyOptions } from './features/api-key/api-key.config.ts'
import { apiReferenceOptions } from './features/api-reference/api-reference.config.ts'
import { avatarOptions } from './features/avatar/avatar.config.ts'
import { bearerOptions } from './features/bearer/bearer.config.ts'
import { billingOptions } from './features/billing/billing.config.ts'
import { brandOptions } from './features/brand/brand.config.ts'
import { breachedPasswordOptions } from './features/breached-password/breached-password.config.ts'
import { captchaOptions } from './features/captcha/captcha.config.ts'
import { emailOtpOptions } from './features/email-otp/email-otp.config.ts'
import { hookOptions } from './features/hooks/hooks.config.ts'
import { identityProviderOptions } from './features/identity-provider/identity-provider.config.ts'
import { jwtOptions } from './features/jwt/jwt.config.ts'
import { magicLinkOptions } from './features/magic-link/magic-link.config.ts'
import { mcpOptions } from './features/mcp/mcp.config.ts'
import { multiSessionOptions } from './features/multi-session/multi-session.config.ts'
import { oneTapOptions } from './features/one-tap/one-tap.config.ts'
import { oneTimeTokenOptions } from './features/one-time-token/one-time-token.config.ts'
import { organizationOptions } from './features/organization/membership/membership.config.ts'
import { passkeyOptions } from './features/passkey/passkey.config.ts'
import { phoneNumberOptions } from './features/phone-number/phone-number.config.ts'
import { customProviderOptions } from './features/social/custom/custom.config.ts'
import { oauthProxyOptions } from './features/social/proxy/proxy.config.ts'
import { socialProviderOptions } from './features/social/social.config.ts'
import { twoFactorOptions } from './features/two-factor/two-factor.config.ts'
import { usernameOptions } from './features/username/username.config.ts'
import { webhookOptions } from './features/webhooks/webhooks.config.ts'
import { disabledPathOptions } from './http/edge/disabled-paths.ts'
import { rateLimitOptions } from './http/edge/rate-limit.ts'
import { advancedOptions } from './http/edge/trusted-origin.ts'
import { errorOptions } from './http/error-url.ts'
import { databaseOptions } from './http/open-scope.ts'
import { requestOptions } from './http/request-facts.ts'
import { messageOptions } from './identity/messages/messages.ts'
import { pageOptions } from './identity/pages.ts'
import {
  accountOptions,
  cookieOptions,
  emailAndPasswordOptions,
  emailVerificationOptions,
  mailOptions,
  passwordGuessOptions,
  sessionOptions,
  textOptions,
  userOptions,
} from './identity/settings.ts'

/**
 * THE list of settings, in the order in which they are read: those of no single feature, then the features'. The types of
 * a configuration come from here and not from the features, so that they drag along none of what a feature is made of.
 */
export const knownOptions = [
  sessionOptions,
  cookieOptions,
  userOptions,
  accountOptions,
  emailAndPasswordOptions,
  emailVerificationOptions,
  passwordGuessOptions,
  mailOptions,
  textOptions,
  pageOptions,
  messageOptions,
  rateLimitOptions,
  disabledPathOptions,
  advancedOptions,
  errorOptions,
  requestOptions,
  databaseOptions,
  brandOptions,
  avatarOptions,
  bearerOptions,
  socialProviderOptions,
  customProviderOptions,
  oneTapOptions,
  oauthProxyOptions,
  twoFactorOptions,
  usernameOptions,
  magicLinkOptions,
  emailOtpOptions,
  phoneNumberOptions,
  anonymousOptions,
  passkeyOptions,
  multiSessionOptions,
  apiReferenceOptions,
  organizationOptions,
  apiKeyOptions,
  captchaOptions,
  breachedPasswordOptions,
  adminOptions,
  identityProviderOptions,
  mcpOptions,
  jwtOptions,
  oneTimeTokenOptions,
  billingOptions,
  hookOptions,
  webhookOptions,
] as const

export type KnownOptions = (typeof knownOptions)[number]
