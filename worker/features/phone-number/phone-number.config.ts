import * as z from 'zod'
import type { Scope } from '../../identity/scope.ts'
import type { CodeRules } from '../../identity/verifications/one-time-codes.ts'
import { callable, parts } from '../../kit/option-schema.ts'
import { defineOptions } from '../../kit/options.ts'
import { alphabets, randomString } from '../../kit/random.ts'
import { hours, minutes } from '../../kit/time.ts'

/** What a person is called who comes into being by verifying a number. */
export interface SignUpOnVerification {
  enabled?: boolean
  /** A placeholder until they have given an address; must be one that nobody can have taken before. */
  getTempEmail?: (phoneNumber: string) => string
  /** @default the number */
  getTempName?: (phoneNumber: string) => string
}

export const phoneNumberOptions = defineOptions(
  'phoneNumber',
  {
    /** In production this is on only together with a text transport (text.transport). */
    enabled: true,
    /** Digits of a code. */
    otpLength: 6,
    expiresIn: minutes(5),
    /** Wrong guesses at one code. */
    allowedAttempts: 3,
    /** Guesses per number and use, at however many codes. A right one forgets those before it. */
    guesses: { max: 10, window: hours(1) },
    /** Nobody signs in by number and password before the number is verified; each try sends a code. */
    requireVerification: false,
    /** Whether a text is a number. @default E.164 */
    phoneNumberValidator: null as null | ((phoneNumber: string) => boolean | Promise<boolean>),
    /** Verifying a number that nobody has creates a person. `true` takes the defaults. */
    signUpOnVerification: false as boolean | SignUpOnVerification,
  },
  { requireVerification: true },
  {
    phoneNumberValidator: callable().nullable(),
    signUpOnVerification: z.union([
      z.boolean(),
      parts({ enabled: z.boolean(), getTempEmail: callable(), getTempName: callable() }),
    ]),
  },
)

/** E.164: a plus, a country code, fifteen digits at most. */
const e164 = /^\+[1-9]\d{6,14}$/

export const isPhoneNumber = async (scope: Scope, text: string): Promise<boolean> =>
  (await phoneNumberOptions.of(scope).phoneNumberValidator?.(text)) ?? e164.test(text)

export function phoneCodeRules(scope: Pick<Scope, 'options'>): CodeRules {
  const { otpLength: length, expiresIn, allowedAttempts, guesses } = phoneNumberOptions.of(scope)
  return { length, expiresIn, allowedAttempts, guesses }
}

/** How to create a person by number; null where nobody may. */
export function signUpByNumber(scope: Scope): Required<Omit<SignUpOnVerification, 'enabled'>> | null {
  const option = phoneNumberOptions.of(scope).signUpOnVerification
  if (!option || (option !== true && option.enabled === false)) return null
  const { getTempEmail, getTempName } = option === true ? {} : (option as SignUpOnVerification)
  const host = new URL(scope.settings.baseUrl).hostname
  return {
    // The random part keeps anybody from taking the placeholder of somebody else's number beforehand.
    getTempEmail:
      getTempEmail ??
      ((number) => `${number.replace(/\D/g, '')}-${randomString(12, alphabets.lowerAndDigits)}@phone.${host}`),
    getTempName: getTempName ?? ((number) => number),
  }
}
