import type { Proof } from '../lifecycle.ts'
import type { SessionMethod, SignInMethod } from '../model/method.ts'

/**
 * `amr` values (RFC 8176, section 2, and the IANA registry "Authentication Method Reference Values"). The registry has no value
 * for an authentication at another provider: `fed` is ours (decision 107).
 */
export type AmrValue = 'pwd' | 'otp' | 'sms' | 'hwk' | 'swk' | 'user' | 'mfa' | 'fed'

/** The values of each method. A method without a proof has no value. */
const byMethod: Record<SignInMethod, readonly AmrValue[]> = {
  email: ['pwd'],
  username: ['pwd'],
  'phone-number': ['pwd'],
  'sign-up': ['pwd'],
  'email-verification': ['otp'],
  'magic-link': ['otp'],
  'email-otp': ['otp'],
  'phone-otp': ['otp', 'sms'],
  social: ['fed'],
  sso: ['fed'],
  'cloudflare-access': ['fed'],
  // The passkey feature provides the kind of the key.
  passkey: ['swk', 'user'],
  anonymous: [],
  impersonation: [],
  rotation: [],
}

/** A second factor, added to the earlier methods. A backup code is a one-time password as well. */
export const secondFactor: readonly AmrValue[] = ['otp', 'mfa']

/** A passkey. A key that is not copied to other devices counts as hardware-secured. */
export const amrOfPasskey = (isCopied: boolean, userVerified: boolean): AmrValue[] => [
  isCopied ? 'swk' : 'hwk',
  'user',
  ...(userVerified ? (['mfa'] as const) : []),
]

/** The values of a method that sessions name; none for a provider. */
export const amrOfMethod = (method: SessionMethod): readonly AmrValue[] =>
  Object.hasOwn(byMethod, method) ? byMethod[method as SignInMethod] : []

/** The `amr` of a sign-in by its first factor. @param shown the method of the session */
export function amrOf(method: SignInMethod, shown: SessionMethod, proven: Proof): AmrValue[] {
  if (proven === 'delegated') return []
  const first = Object.hasOwn(byMethod, shown) ? amrOfMethod(shown) : byMethod[method]
  return [...new Set([...first, ...(proven === 'second-factor' ? secondFactor : [])])]
}
