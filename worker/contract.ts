import type * as z from 'zod'
import type { accountsContract } from './features/accounts/accounts.contract.ts'
import type { adminContract } from './features/admin/admin.contract.ts'
import type { anonymousContract } from './features/anonymous/anonymous.contract.ts'
import type { apiKeyContract } from './features/api-key/api-key.contract.ts'
import type { apiReferenceContract } from './features/api-reference/api-reference.contract.ts'
import type { avatarContract } from './features/avatar/avatar.contract.ts'
import type { billingContract } from './features/billing/billing.contract.ts'
import type { brandContract } from './features/brand/brand.contract.ts'
import type { captchaContract } from './features/captcha/captcha.contract.ts'
import type { emailOtpContract } from './features/email-otp/email-otp.contract.ts'
import type { emailPasswordContract } from './features/email-password/email-password.contract.ts'
import type { emailVerificationContract } from './features/email-verification/email-verification.contract.ts'
import type { genericOAuthContract } from './features/generic-oauth/generic-oauth.contract.ts'
import type { identityProviderContract } from './features/identity-provider/identity-provider.contract.ts'
import type { jwtContract } from './features/jwt/jwt.contract.ts'
import type { magicLinkContract } from './features/magic-link/magic-link.contract.ts'
import type { mcpContract } from './features/mcp/mcp.contract.ts'
import type { multiSessionContract } from './features/multi-session/multi-session.contract.ts'
import type { oauthProxyContract } from './features/oauth-proxy/oauth-proxy.contract.ts'
import type { oneTapContract } from './features/one-tap/one-tap.contract.ts'
import type { oneTimeTokenContract } from './features/one-time-token/one-time-token.contract.ts'
import type { organizationContract } from './features/organization/organization.contract.ts'
import type { teamsContract } from './features/organization/teams/teams.contract.ts'
import type { passkeyContract } from './features/passkey/passkey.contract.ts'
import type { phoneNumberContract } from './features/phone-number/phone-number.contract.ts'
import type { profileContract } from './features/profile/profile.contract.ts'
import type { sessionContract } from './features/session/session.contract.ts'
import type { signInMethodsContract } from './features/sign-in-methods/sign-in-methods.contract.ts'
import type { addressContract } from './features/social/address/address.contract.ts'
import type { socialContract } from './features/social/social.contract.ts'
import type { statusContract } from './features/status/status.contract.ts'
import type { twoFactorContract } from './features/two-factor/two-factor.contract.ts'
import type { usernameContract } from './features/username/username.contract.ts'
import type { Endpoint } from './http/endpoint.ts'

/** Every feature's contract: all that the client may see, as types. One line per feature. */
type Contracts = typeof accountsContract &
  typeof adminContract &
  typeof avatarContract &
  typeof billingContract &
  typeof brandContract &
  typeof signInMethodsContract &
  typeof anonymousContract &
  typeof captchaContract &
  typeof emailOtpContract &
  typeof magicLinkContract &
  typeof multiSessionContract &
  typeof passkeyContract &
  typeof phoneNumberContract &
  typeof apiKeyContract &
  typeof apiReferenceContract &
  typeof emailPasswordContract &
  typeof emailVerificationContract &
  typeof jwtContract &
  typeof oneTimeTokenContract &
  typeof organizationContract &
  typeof profileContract &
  typeof sessionContract &
  typeof socialContract &
  typeof addressContract &
  typeof genericOAuthContract &
  typeof oneTapContract &
  typeof oauthProxyContract &
  typeof identityProviderContract &
  typeof mcpContract &
  typeof statusContract &
  typeof teamsContract &
  typeof twoFactorContract &
  typeof usernameContract

type Input<T> = T extends z.ZodType ? z.input<T> : undefined

interface Exchange<E extends Endpoint> {
  method: E['method']
  body: Input<E['body']>
  query: Input<E['query']>
  answer: E['answer'] extends z.ZodType ? z.output<E['answer']> : never
}

/** The API by path: method, body, query and answer of every endpoint. */
export type Endpoints = {
  [K in keyof Contracts as Contracts[K]['path']]: Exchange<Contracts[K]>
}
