import type { SignInMethod } from '../../../identity/model/method.ts'

/** Whether a method has a place beside the form of the sign-in page, which `brand.ways` can order. */
const besideForm = {
  social: true,
  'cloudflare-access': true,
  passkey: true,
  'magic-link': true,
  'email-otp': true,
  'phone-otp': true,
  anonymous: true,
  // The form itself, which finds the single sign-on of an address, too.
  email: false,
  username: false,
  'phone-number': false,
  sso: false,
  // Elsewhere: the sign-up, the link of a mail, the console, no screen.
  'sign-up': false,
  'email-verification': false,
  impersonation: false,
  rotation: false,
} as const satisfies Record<SignInMethod, boolean>

/** A sign-in method with a place beside the form. */
export type WayId = { [M in SignInMethod]: (typeof besideForm)[M] extends true ? M : never }[SignInMethod]

/** Ids of an earlier version (decision 287), which configurations may still have. */
export const earlierWays = { 'access-identity': 'cloudflare-access', 'phone-number': 'phone-otp' } as const

export const wayIds = (Object.keys(besideForm) as SignInMethod[]).filter((id): id is WayId => besideForm[id])
